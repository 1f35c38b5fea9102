"""Records a program with `strata-record`, and says in a line why that could not be done."""

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from strata.errors import UserError
from strata.experiment import ArmFailed
from strata.processes import beside, last_line, wait
from strata.programs import Program
from strata.tools import tool


@dataclass(frozen=True)
class Recording:
    """What became of one recorded run."""

    trace: Path
    exit_status: int
    signal: int | None
    seconds: float
    complete: bool
    warnings: list[str]


def read_report(path: Path) -> Recording:
    data = json.loads(path.read_text())
    return Recording(
        trace=Path(data["trace"]),
        exit_status=data["exit_status"],
        signal=data["signal"],
        seconds=data["seconds"],
        complete=data["complete"],
        warnings=list(data["warnings"]),
    )


def record(program: Program, trace: Path) -> Recording:
    """Runs the program once under the recorder, its output thrown away."""
    with tempfile.TemporaryDirectory(prefix="strata-record-") as scratch:
        report, err = Path(scratch) / "report.json", Path(scratch) / "err"
        command: list[str | Path] = [tool("strata-record"), "-o", trace, "--report", report, "--", *program.command]
        with (
            (program.stdin or Path(os.devnull)).open("rb") as stdin,
            Path(os.devnull).open("wb") as nowhere,
            err.open("wb") as stderr,
            beside(program.beside) as load,
        ):
            try:
                status = wait(command, stdin, nowhere, stderr, None, load=load)
            except ArmFailed as failed:
                raise UserError(f"{program.name} was not recorded: {failed}") from failed
            failure = load.part() if load else None
        if not report.exists():
            words = last_line(err).removeprefix("strata: ")
            raise UserError(
                words or f"strata-record ended with {status} and said nothing", status if status > 0 else 125
            )
        if failure is not None:
            raise UserError(f"{program.name} was not recorded: {failure}")
        return read_report(report)
