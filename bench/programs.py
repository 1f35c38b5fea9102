"""All workloads under glibc, our heaps and every installed peer: program time, replay time, footprint, memory.

    .venv/bin/python bench/programs.py [--heap HEAP]... [--workload NAME]... [--rounds N] [--held-out] [--seed N]
                                       [--spreads] [--json FILE] [--markdown FILE]

docs/benchmarks.md says how ratios, intervals, means and the agreement of replay and program are made, and their biases.
"""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from comparison import document, rendering, trace_cache, trial
from comparison.measuring import measure
from comparison.sheets import sheets
from workloads import Workload, workloads

from strata import heaps, machine, peers
from strata.catalogue import catalogue
from strata.cli import call
from strata.errors import UserError
from strata.heaps import CURRENT_NAMES, Heap
from strata.terminal import console, say, steps, write_json

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


def chosen(names: Sequence[str]) -> tuple[list[Heap], list[str]]:
    """Those named, or all of ours that use memory again and all installed peers; and why some of these cannot."""
    if names:
        named = [heaps.parse(name) for name in names if name not in (trial.BASELINE, *CURRENT_NAMES)]
        return list({heap.name: heap for heap in named}.values()), []
    ours = [entry.name for entry in catalogue().heaps if entry.reuses]
    found, unusable = [], []
    for name in [*ours, *(peer.name for peer in peers.installed() if peer.name != trial.BASELINE)]:
        try:
            found.append(heaps.parse(name))
        except UserError as error:
            unusable.append(f"{name} takes no part: {error}")
    return found, unusable


def check_environment() -> None:
    """glibc's malloc is what everything is compared with: as it is, and not something else in its place."""
    for name in os.environ:
        if name in ("LD_PRELOAD", "GLIBC_TUNABLES") or name.startswith("MALLOC_"):
            raise UserError(f"{name} is set, which changes the malloc that all others are compared with: unset it")


def compare(
    wanted: Sequence[Workload],
    under: Sequence[Heap],
    *,
    rounds: int,
    held_out: bool,
    seed: int,
    folder: Path,
    notes: Sequence[str],
) -> document.Document:
    """Prepares, measures, and sums up whatever rounds are complete. Traces are kept in `folder`."""
    trials, left_out = trial.prepare_all(wanted, held_out, under, seed, folder)
    if not trials:
        raise UserError("no workload can be measured: see above")
    with steps() as progress:
        complete = measure(trials, rounds, progress)
    case = "held_out" if held_out else "tune"
    result = document.make(trials, left_out, under, case=case, rounds=rounds, seed=seed)
    if not result["workloads"]:
        raise UserError("no round was completed, so there is nothing to tell")
    return result | {"notes": list(notes), "interrupted": not complete}


@app.command(
    help="All workloads under glibc, our heaps and every installed peer, on the program and in the replay.",
    epilog="Example:  .venv/bin/python bench/programs.py --heap lea --heap mimalloc --workload perl --rounds 7",
)
def main(
    heap: Annotated[
        list[str] | None,
        typer.Option(metavar="HEAP", help="May be given again; all of ours and of the installed peers if not given."),
    ] = None,
    workload: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="May be given again; all if not given.")
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Fewer than 3 have no intervals, fewer than 6 too narrow ones.")
    ] = 7,
    held_out: Annotated[bool, typer.Option("--held-out", help="The other input of every workload.")] = False,
    seed: Annotated[int, typer.Option(help="Of the order of runs and of the intervals.")] = 1,
    spreads: Annotated[bool, typer.Option("--spreads", help="Also median, least and most under every heap.")] = False,
    json: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write everything as JSON; - is standard output.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the tables, those of --spreads too, as Markdown.")
    ] = None,
) -> int:
    check_environment()
    for target in filter(None, (markdown, Path(json) if json not in (None, "-") else None)):
        if not os.access(target.absolute().parent, os.W_OK):
            raise UserError(f"{target}: its folder is not there or may not be written to")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # being stopped keeps what was measured, as Ctrl-C does
    wanted = workloads(workload or [])
    under, unusable = chosen(heap or [])
    notes = [*machine.busy(), *unusable]
    for line in notes:
        say(f"strata: {line}")
    folder = trace_cache.FOLDER
    result = compare(wanted, under, rounds=rounds, held_out=held_out, seed=seed, folder=folder, notes=notes)
    if json is not None:
        write_json(json, result)
    if markdown is not None:
        markdown.write_text(rendering.markdown(result, sheets(result, spreads=True)), encoding="utf-8")
    rendering.show(console(stderr=json == "-"), result, sheets(result, spreads=spreads))
    if result["interrupted"]:
        say("interrupted: the tables rest on the complete rounds")
        return 130
    return 1 if result["left_out"] or any(any(one["failed"].values()) for one in result["workloads"]) else 0


if __name__ == "__main__":
    sys.exit(call(app, sys.argv[1:], "bench/programs.py"))
