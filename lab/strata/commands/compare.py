"""strata compare: a trace or a program under several heaps, side by side."""

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from strata import heaps, machine, peers, programs, replays, traces
from strata.catalogue import catalogue
from strata.commands.arguments import Json, Seed, trace_or_program
from strata.experiment import Arm, Measurements, run_rounds
from strata.heaps import CURRENT, Heap
from strata.naming import bytes_text, seconds_text
from strata.programs import Program
from strata.statistics import joint_confidence
from strata.summary import Row, arm_data, heap_data, ranked
from strata.tables import label, ratio_cell
from strata.terminal import console, say, steps, table, write_json

HELP = "Compare heaps on a trace, or on a program itself: interleaved, in a new order every round."
EXAMPLE = "Example:  strata compare --heap kingsley --heap jemalloc --runs 10 -- perl script.pl"
USAGE = "strata compare [--heap HEAP]... (TRACE | -- PROGRAM ARGS...)"
ROUNDS = 7
MEMORY = {"peak_resident_bytes": "peak memory", "average_resident_bytes": "average memory"}


def compare(
    context: typer.Context,
    trace: Annotated[
        str | None, typer.Argument(metavar="TRACE", help="A trace to replay, else a program after --.")
    ] = None,
    heap: Annotated[
        list[str] | None,
        typer.Option("--heap", metavar="HEAP", help="May be given again and again. Default: ours and all installed."),
    ] = None,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Rounds; each runs every heap once.")] = ROUNDS,
    seed: Seed = 1,
    json: Json = None,
) -> int:
    with tempfile.TemporaryDirectory(prefix="strata-stdin-") as scratch:
        capture = lambda: programs.capture_stdin(Path(scratch) / "stdin")  # noqa: E731
        path, program = trace_or_program(context, trace, USAGE, capture)
        chosen = _chosen(heap)
        measured, notes, extra = _program(program, chosen, runs, seed) if program else _trace(path, chosen, runs, seed)
    document = _document(chosen, measured, seed) | {"notes": notes} | extra
    if json is not None:
        write_json(json, document)
    out = console(stderr=json == "-")
    out.print(_table(document, "seconds" if program else "nanoseconds_per_event"))
    for note in notes:
        say(f"note: {note}")
    if measured.interrupted:
        say(f"interrupted: {measured.rounds} of {runs} rounds are complete")
        return 130
    return 1 if measured.failures else 0


def _chosen(names: list[str] | None) -> list[Heap]:
    """The current heap first: it is what all others are measured against."""
    if names:
        named = [heaps.parse(name) for name in names]
    else:
        ours = [entry.name for entry in catalogue().heaps]
        named = [heaps.parse(name) for name in [*ours, *(p.name for p in peers.installed() if p.name != "glibc")]]
    distinct = {heap.name: heap for heap in named if heap.kind != "current"}
    return [CURRENT, *distinct.values()]


def _program(
    program: Program, chosen: list[Heap], runs: int, seed: int
) -> tuple[Measurements, list[str], dict[str, Any]]:
    with steps() as progress:
        with progress.step(f"running {program.name} as it is, twice"):
            expectation = programs.expect(programs.run(program, CURRENT), programs.run(program, CURRENT))
        with progress.step(f"running {program.name} under {len(chosen)} heaps", total=runs * len(chosen)) as step:
            measured = run_rounds(
                [Arm(h.name, lambda h=h: programs.measured(program, h, expectation)) for h in chosen],  # type: ignore[misc]
                rounds=runs,
                baseline=CURRENT.name,
                seed=seed,
                progress=lambda arm, number: step.at(f"round {number + 1}: {arm}"),
            )
    notes = [] if expectation.output is not None else ["the program's output differs between two runs: not comparable"]
    return measured, notes, {"program": {"command": list(program.command), "exit_status": expectation.exit_status}}


def _trace(
    path: Path | None, chosen: list[Heap], runs: int, seed: int
) -> tuple[Measurements, list[str], dict[str, Any]]:
    assert path is not None
    trace = traces.read(path)
    replayer = replays.Replayer(path, trace.busiest.id)
    arms = [*chosen, replays.null_heap()]
    with steps() as progress, progress.step(f"replaying {trace.choice()}", total=runs * len(arms)) as step:
        measured = run_rounds(
            [Arm(h.name, lambda h=h: replayer.replay(h)) for h in arms],  # type: ignore[misc]
            rounds=runs,
            baseline=CURRENT.name,
            seed=seed,
            progress=lambda arm, number: step.at(f"round {number + 1}: {arm}"),
        )
    extra = {"trace": {"path": str(path), "stream": trace.busiest.id, "events": trace.busiest.events}}
    return measured, [*trace.warnings, *trace.busiest.notes], extra


def _document(chosen: list[Heap], measured: Measurements, seed: int) -> dict[str, Any]:
    confidence = joint_confidence(len(chosen) - 1)

    def data(name: str) -> dict[str, Any] | None:
        return arm_data(measured, name, CURRENT.name, confidence=confidence)

    rows: list[Row] = [
        heap_data(heap) | {"measured": data(heap.name), "failed": measured.failures.get(heap.name)} for heap in chosen
    ]
    return {
        "format": 1,
        "machine": machine.describe(),
        "rounds": measured.rounds,
        "seed": seed,
        "confidence": confidence,
        "orders": measured.orders,
        "heaps": rows,
        "null": data(replays.NULL_NAME) if replays.NULL_NAME in measured.samples else None,
        "interrupted": measured.interrupted,
    }


def _table(document: dict[str, Any], metric: str) -> Any:
    """Time first, ranked by it."""
    replay = metric == "nanoseconds_per_event"
    show = (lambda ns: f"{ns:.1f}") if replay else seconds_text
    unit = "ns/event" if replay else "time"
    more = [] if replay else ["CPU time ratio"]
    result = table(None, "heap", f"{unit} (min-max)", "ratio [interval]", *more, *_columns())
    for row in ranked(document["heaps"], "measured", metric):
        data, base = row["measured"], row["kind"] == "current"
        name = escape(label(row))
        if data is None:
            result.add_row(name, f"out: {escape(row['failed'] or 'not measured')}")
            continue
        time = f"{show(data[metric]['median'])} ({show(data[metric]['low'])} - {show(data[metric]['high'])})"
        cpu = [] if replay else [ratio_cell(data, "cpu_seconds", baseline=base)]
        memory = [
            cell for key in MEMORY for cell in (bytes_text(data[key]["median"]), ratio_cell(data, key, baseline=base))
        ]
        result.add_row(name, time, ratio_cell(data, metric, baseline=base), *cpu, *memory)
    if document["null"]:
        result.add_row("(the engine itself)", show(document["null"][metric]["median"]), style="dim")
    return result


def _columns() -> list[str]:
    return [column for name in MEMORY.values() for column in (name, "ratio")]
