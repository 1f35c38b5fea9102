"""strata record: what a program allocates, as a trace."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from strata import recordings, traces
from strata.commands.arguments import Json, program_of
from strata.errors import UserError
from strata.naming import bytes_text, count_text, seconds_text
from strata.terminal import say, write_json
from strata.tools import tool

HELP = "Record every allocation of a program and its children in a trace."
EXAMPLE = "Example:  strata record -o perl.trace -- perl script.pl"


def record(
    context: typer.Context,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="TRACE", help="Default: PROGRAM.trace, in this folder.")
    ] = None,
    json: Json = None,
) -> int:
    command = program_of(context, "strata record [-o TRACE] -- PROGRAM ARGS...")
    trace = output or Path(f"{Path(command[0]).name}.trace")
    if json == "-":
        raise UserError("--json -: standard output is the program's own here: name a file", 2)
    if json is None and not sys.stderr.isatty():  # nothing to add: get out of the way altogether
        recorder = tool("strata-record")
        os.execv(recorder, [str(recorder), "-o", str(trace), "--", *command])
    with tempfile.TemporaryDirectory(prefix="strata-record-") as scratch:
        report = Path(scratch) / "report.json"
        status = _wait(subprocess.Popen([tool("strata-record"), "-o", trace, "--report", report, "--", *command]))
        if not report.exists():  # the recorder has said why
            return status if status > 0 else 125
        recording = recordings.read_report(report)
    if json is not None:
        write_json(json, {"recording": recording.__dict__ | {"trace": str(recording.trace)}})
    if sys.stderr.isatty():
        _summary(recording)
    return status


def _wait(process: subprocess.Popen[bytes]) -> int:
    """The recorder and the program get a Ctrl-C themselves; we stay to report."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def _summary(recording: recordings.Recording) -> None:
    trace = traces.read(recording.trace)
    events = sum(stream.events for stream in trace.streams)
    say(
        f"strata: {count_text(events)} events of {trace.processes_text} in "
        f"{seconds_text(recording.seconds)}: {os.fspath(recording.trace)}, {bytes_text(trace.data['file_bytes'])}"
    )
