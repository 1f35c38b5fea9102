"""What recording costs: wall time beside the plain program, bytes an event of the file, nanoseconds an event.

    .venv/bin/python bench/recording.py [NAME...] [--runs N] [--json FILE]

Of the workloads of these names (of those in the goals if none), of two threads that do little but allocate, and of a
bare loop. Goals: at most 1.3 times the wall time on perl, gawk and python3, under 2 bytes an event on them. "recorded"
is the program's own wall time under the recorder; "command" is that of all of strata-record, conversion included.
"""

import json as json_format
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from workloads import workloads

from strata import machine, programs, traces
from strata.cli import call
from strata.experiment import Arm, Sample, run_rounds
from strata.heaps import CURRENT
from strata.naming import count_text, seconds_text
from strata.programs import Program
from strata.summary import arm_data
from strata.tables import ratio_cell
from strata.terminal import console, say, table, write_json
from strata.tools import ROOT, tool

SOURCES = ROOT / "bench" / "recording"
GOALS = ["perl", "gawk", "python3"]
PAIRS = 10_000_000


def compiled(name: str, folder: Path) -> Program:
    """A C program of bench/recording."""
    target = folder / name
    subprocess.run(["cc", "-O2", "-pthread", str(SOURCES / f"{name}.c"), "-o", str(target)], check=True)
    return Program((str(target),))


def plain(program: Program) -> Callable[[], Sample]:
    def measure() -> Sample:
        seconds = programs.run(program, CURRENT).seconds
        return {"seconds": seconds, "command_seconds": seconds}

    return measure


def recorded(name: str, program: Program, trace: Path) -> Callable[[], Sample]:
    def measure() -> Sample:
        report = trace.with_suffix(".report")
        command = (str(tool("strata-record")), "-o", str(trace), "--report", str(report), "--", *program.command)
        whole = programs.run(replace(program, command=command), CURRENT).seconds
        told = json_format.loads(report.read_text())
        if told["exit_status"] != 0 or not told["complete"]:
            raise SystemExit(f"{name}: the recording failed: {told}")
        return {"seconds": told["seconds"], "command_seconds": whole}

    return measure


def wall_time(name: str, program: Program, trace: Path, runs: int, seed: int) -> dict[str, Any]:
    say(f"{name}: plain and recorded, {runs} rounds")
    arms = [Arm("plain", plain(program)), Arm("recorded", recorded(name, program, trace))]
    measured = run_rounds(arms, rounds=runs, baseline="plain", seed=seed)
    info = traces.read(trace)
    events = sum(stream.events for stream in info.streams)
    return {
        "workload": name,
        "events": events,
        "bytes_per_event": info.data["file_bytes"] / events,
        "warnings": info.warnings,
        **{arm: arm_data(measured, arm, "plain", confidence=0.95) for arm in ("plain", "recorded")},
    }


def bare_loop(folder: Path, runs: int, seed: int) -> dict[str, Any]:
    """Nanoseconds that recording adds to one event of a loop that does nothing but malloc and free."""
    say(f"bare malloc and free, {runs} rounds")
    loop = (*compiled("pairs", folder).command, str(PAIRS))
    recorder = (str(tool("strata-record")), "-o", str(folder / "pairs.trace"), "--")

    def pair(*before: str) -> Callable[[], Sample]:
        def measure() -> Sample:
            done = subprocess.run([*before, *loop], capture_output=True, text=True, check=True)
            return {"nanoseconds": float(done.stdout)}

        return measure

    arms = [Arm("plain", pair()), Arm("recorded", pair(*recorder))]
    measured = run_rounds(arms, rounds=runs, baseline="plain", seed=seed)
    found = {name: arm_data(measured, name, "plain", confidence=0.95) for name in measured.arms}
    values = zip(measured.values("recorded", "nanoseconds"), measured.values("plain", "nanoseconds"), strict=True)
    added = sorted((more - less) / 2 for more, less in values)
    return found | {"added_nanoseconds_per_event": added}


def show(results: list[dict[str, Any]], loop: dict[str, Any]) -> None:
    shown = table(
        "What recording costs", "program", "events", "plain", "recorded / plain", "command / plain", "bytes an event"
    )
    for one in results:
        low, high = one["plain"]["seconds"]["low"], one["plain"]["seconds"]["high"]
        median = seconds_text(one["plain"]["seconds"]["median"])
        shown.add_row(
            one["workload"],
            count_text(one["events"]),
            f"{median} ({seconds_text(low)} - {seconds_text(high)})",
            ratio_cell(one["recorded"], "seconds"),
            ratio_cell(one["recorded"], "command_seconds"),
            f"{one['bytes_per_event']:.2f}",
        )
    console().print(shown)
    added = loop["added_nanoseconds_per_event"]
    console().print(
        f"\nA bare loop of malloc(64) and free: {loop['plain']['nanoseconds']['median']:.1f} ns a pair plain, "
        f"{loop['recorded']['nanoseconds']['median']:.1f} ns recorded; recording adds "
        f"{added[len(added) // 2]:.1f} ns an event ({added[0]:.1f} - {added[-1]:.1f}).",
        soft_wrap=True,
    )


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help="What recording costs, beside the plain program.")
def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", help="Of workloads.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Rounds.")] = 7,
    seed: Annotated[int, typer.Option(help="Of the order of runs.")] = 1,
    json: Annotated[str | None, typer.Option(help="Write the result as JSON; - is standard output.")] = None,
) -> None:
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as scratch:
        folder = Path(scratch)
        chosen = {one.name: one.tune.program for one in workloads(names or GOALS)}
        chosen["two_threads"] = compiled("two_threads", folder)
        results = [wall_time(name, program, folder / f"{name}.trace", runs, seed) for name, program in chosen.items()]
        loop = bare_loop(folder, runs, seed)
    show(results, loop)
    if json is not None:
        write_json(json, {"machine": machine.describe(), "runs": runs, "programs": results, "bare_loop": loop})


if __name__ == "__main__":
    sys.exit(call(app, sys.argv[1:], "bench/recording.py"))
