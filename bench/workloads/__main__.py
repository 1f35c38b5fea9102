"""Sets up the workloads (Debian packages, inputs) and checks that each is what a benchmark needs.

    .venv/bin/python bench/workloads [NAME...] [--json FILE]

Installs what is missing as root; without root it says what to install. Then every case runs twice, is recorded whole
and replayed; one that cannot be measured gets a line that says why, and the exit status is 1.
"""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a folder that is run has itself there, not its parent

from strata import machine
from strata.cli import call
from strata.errors import UserError
from strata.naming import bytes_text, count_text, seconds_text
from strata.terminal import console, error_line, say, steps, table, write_json
from workloads.check import Checked, check
from workloads.choice import named, workloads
from workloads.model import Workload
from workloads.set_up import set_up


def check_all(chosen: list[Workload]) -> tuple[list[Checked], list[str]]:
    """What was found, and what is wrong."""
    found, wrong = [], []
    cases = [(workload, kind, case) for workload in chosen for kind, case in workload.cases]
    with steps() as progress, progress.step(f"checking {len(cases)} cases", len(cases)) as step:
        for workload, kind, case in cases:
            try:
                found.append(check(workload, kind, case))
            except UserError as error:
                wrong.append(str(error))
            step.at(f"{workload.name} ({kind})")
    return found, wrong


def show(screen: Console, found: list[Checked]) -> None:
    columns = ("input", "CPU time", "peak memory", "events", "peak live", "live objects", "replay ns/event", "threads")
    shown = table(None, "workload", *columns)
    for one in found:
        shown.add_row(
            one.workload,
            one.input,
            seconds_text(one.cpu_seconds),
            bytes_text(one.peak_resident_bytes),
            count_text(one.events),
            bytes_text(one.peak_live_bytes),
            count_text(one.peak_live_objects),
            f"{one.replay_nanoseconds_per_event:.1f}",
            str(one.threads),
        )
    if found:
        screen.print(shown)


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help="Sets up the workloads (Debian packages, inputs) and checks that each is what a benchmark needs.")
def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", help="Of workloads; all if none.")] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the result as JSON; - for stdout.")] = None,
) -> int:
    set_up(named(names or ()))
    found, wrong = check_all(workloads(names or ()))
    show(console(stderr=json == "-"), found)
    for line in wrong:
        error_line(line)
    if json is not None:
        cases = [asdict(one) for one in found]
        write_json(json, {"machine": machine.describe(), "cases": cases, "wrong": wrong})
    say(f"strata: {len(found)} cases are well, {len(wrong)} are not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(call(app, sys.argv[1:], "bench/workloads"))
