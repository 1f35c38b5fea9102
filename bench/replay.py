"""What the replay engine costs: the null allocator through it, beside glibc and our heaps, on real traces.

    .venv/bin/python bench/replay.py [NAME...] [--runs N] [--heap HEAP]... [--json FILE]

On the workloads of these names; perl, gawk and python3 if none. Goal: the engine itself (the null rows) under 5 ns an
event. With --no-touch memory is not touched as the program did.
"""

import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from workloads import Workload, workloads

from strata import heaps, machine, recordings, replays, traces
from strata.cli import call
from strata.experiment import Arm, run_rounds
from strata.heaps import CURRENT, Heap
from strata.naming import bytes_text, count_text
from strata.summary import arm_data
from strata.tables import ratio_cell
from strata.terminal import console, say, table, write_json

USUAL = ["perl", "gawk", "python3"]


def replay(workload: Workload, trace: Path, chosen: list[Heap], runs: int, seed: int, touch: bool) -> dict[str, Any]:
    say(f"{workload.name}: recording, then {runs} rounds of {len(chosen)} heaps")
    recordings.record(workload.tune.program, trace)
    stream = traces.read(trace).busiest
    replayer = replays.Replayer(trace, stream.id, touch=touch)
    arms = [Arm(heap.name, lambda heap=heap: replayer.replay(heap)) for heap in chosen]  # type: ignore[misc]
    measured = run_rounds(arms, rounds=runs, baseline=CURRENT.name, seed=seed)
    found = {h.name: arm_data(measured, h.name, CURRENT.name, confidence=0.95) for h in chosen}
    return {"workload": workload.name, "events": stream.events, "heaps": found, "failed": measured.failures}


def show(results: list[dict[str, Any]]) -> None:
    shown = table("Nanoseconds an event", "trace", "events", "heap", "median (min - max)", "ratio to glibc", "peak")
    for one in results:
        for name, data in one["heaps"].items():
            if data is None:
                shown.add_row(one["workload"], "", name, f"out: {one['failed'].get(name)}")
                continue
            time = data["nanoseconds_per_event"]
            shown.add_row(
                one["workload"],
                count_text(one["events"]),
                {"current": "glibc", "null": "null (the engine)"}.get(name, name),
                f"{time['median']:.2f} ({time['low']:.2f} - {time['high']:.2f})",
                ratio_cell(data, "nanoseconds_per_event", baseline=name == CURRENT.name),
                bytes_text(data["peak_resident_bytes"]["median"]),
            )
    console().print(shown)


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help="What the replay engine costs, beside glibc and our heaps.")
def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", help="Of workloads.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Rounds.")] = 9,
    heap: Annotated[list[str] | None, typer.Option(help="May be given again; kingsley if not given.")] = None,
    touch: Annotated[bool, typer.Option(help="Touch memory as the program did.")] = True,
    seed: Annotated[int, typer.Option(help="Of the order of runs.")] = 1,
    json: Annotated[str | None, typer.Option(help="Write the result as JSON; - is standard output.")] = None,
) -> None:
    chosen = [replays.null_heap(), CURRENT, *map(heaps.parse, heap or ["kingsley"])]
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as scratch:
        traces_of = [(one, Path(scratch) / f"{one.name}.trace") for one in workloads(names or USUAL)]
        results = [replay(one, trace, chosen, runs, seed, touch) for one, trace in traces_of]
    show(results)
    if json is not None:
        write_json(json, {"machine": machine.describe(), "runs": runs, "touch": touch, "traces": results})


if __name__ == "__main__":
    sys.exit(call(app, sys.argv[1:], "bench/replay.py"))
