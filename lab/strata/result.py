"""A Tuning as result.json (docs/result-json.md): everything the terminal, the report and other programs need."""

from datetime import UTC, datetime
from typing import Any

from strata import __version__, machine, peers, replays
from strata.experiment import Measurements
from strata.heaps import CURRENT, Heap
from strata.statistics import Ratio, joint_confidence, rank_agreement
from strata.summary import Row, arm_data, heap_data, ranked
from strata.tuning import Tuning
from strata.verdict import PROGRAM_METRIC, REPLAY_METRIC, Contender, Verdict, judge

FORMAT = 1
Document = dict[str, Any]


def document(tuning: Tuning) -> Document:
    """The whole result; with fewer parts after an interruption, never with invented ones."""
    rows = _rows(tuning)
    verdict = _verdict(tuning)
    return {
        "format": FORMAT,
        "strata": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "options": {
            "budget": tuning.options.budget,
            "objective": tuning.options.objective,
            "seed": tuning.options.seed,
            "runs": tuning.options.runs,
        },
        "machine": machine.describe(),
        "program": _program(tuning),
        "trace": _trace(tuning),
        "current": _current(tuning),
        "at_stake": _at_stake(tuning),
        "verdict": {
            "kind": verdict.kind,
            "heap": verdict.heap,
            "confirmed": verdict.confirmed,
            "sentences": list(verdict.sentences),
        },
        "heaps": rows,
        "null": _null(tuning),
        "screened": [
            {"heap": recipe.name, "ratio": ratio}
            for recipe, ratio in sorted(tuning.screened.items(), key=lambda item: item[1])
        ],
        "disqualified": tuning.dropped,
        "rank_agreement": _agreement(rows),
        "rounds": {
            "replay": tuning.replayed.rounds if tuning.replayed else 0,
            "program": tuning.confirmed.rounds if tuning.confirmed else 0,
            "confidence": _confidence(tuning.confirmed or tuning.replayed),
            "orders": tuning.confirmed.orders if tuning.confirmed else [],
        },
        "curves": _curves(tuning, verdict),
        "notes": tuning.notes,
        "interrupted": tuning.interrupted,
    }


def _confidence(measurements: Measurements | None) -> float:
    """Intervals hold together, for as many heaps as were compared with the current one."""
    rivals = [arm for arm in measurements.arms if arm not in (CURRENT.name, replays.NULL_NAME)] if measurements else []
    return joint_confidence(len(rivals))


def _arm(measurements: Measurements | None, name: str) -> dict[str, Any] | None:
    if measurements is None:
        return None
    confidence = _confidence(measurements)
    return arm_data(measurements, name, CURRENT.name, confidence=confidence)


def _rows(tuning: Tuning) -> list[Row]:
    rows = [
        heap_data(heap)
        | {
            "replay": _arm(tuning.replayed, name),
            "program": _arm(tuning.confirmed, name),
            "disqualified": tuning.dropped.get(name),
        }
        for name, heap in tuning.heaps.items()
    ]
    objective = tuning.options.objective
    return ranked(ranked(rows, "replay", REPLAY_METRIC[objective]), "program", PROGRAM_METRIC[objective])


def _verdict(tuning: Tuning) -> Verdict:
    on_program = tuning.confirmed is not None and tuning.confirmed.rounds > 0
    measurements = tuning.confirmed if on_program else tuning.replayed
    if tuning.interrupted and (measurements is None or measurements.rounds == 0):
        return Verdict("unconfirmed", None, False, ("Interrupted before any heap was compared with the current one.",))
    contenders = _contenders(tuning, measurements, on_program) if measurements and measurements.rounds else []
    return judge(contenders, tuning.options.objective, on_program=on_program, disqualified=len(tuning.dropped))


def _contenders(tuning: Tuning, measurements: Measurements, on_program: bool) -> list[Contender]:
    confidence = _confidence(measurements)

    def ratio(name: str, metric: str) -> Ratio:
        return measurements.ratio(name, CURRENT.name, metric, confidence=confidence)

    time = (PROGRAM_METRIC if on_program else REPLAY_METRIC)["time"]
    clock = tuning.expectation.clock if tuning.expectation else "wall"
    other = "seconds" if clock == "cpu" else "cpu_seconds"
    return [
        Contender(
            name,
            _kind(heap),
            time=ratio(name, time),
            memory=ratio(name, "peak_resident_bytes"),
            balanced=ratio(name, "balanced"),
            clock=clock,
            other_clock=ratio(name, other) if on_program else None,
        )
        for name, heap in tuning.heaps.items()
        if name in measurements.arms and name != CURRENT.name and name not in tuning.dropped
    ]


def _kind(heap: Heap) -> Any:
    return heap.kind if heap.kind != "current" else "library"


def _program(tuning: Tuning) -> Document | None:
    if tuning.program is None:
        return None
    expectation = tuning.expectation
    return {
        "name": tuning.program.name,
        "command": list(tuning.program.command),
        "stdin": str(tuning.program.stdin) if tuning.program.stdin else None,
        "exit_status": expectation.exit_status if expectation else None,
        "output_comparable": expectation.output is not None if expectation else None,
        "clock": expectation.clock if expectation else None,
        "seconds": min((run.seconds for run in tuning.baseline_runs), default=None),
        "cpu_seconds": min((run.cpu_seconds for run in tuning.baseline_runs), default=None),
        "peak_resident_bytes": max((run.peak_resident_bytes for run in tuning.baseline_runs), default=None),
        "recording_seconds": tuning.recording.seconds if tuning.recording else None,
    }


def _trace(tuning: Tuning) -> Document:
    assert tuning.trace is not None and tuning.stream is not None
    return {
        "path": str(tuning.trace_path),
        "file_bytes": tuning.trace.data["file_bytes"],
        "complete": tuning.trace.data["complete"],
        "processes": tuning.trace.processes,
        "events": sum(stream.events for stream in tuning.trace.streams),
        "choice": tuning.trace.choice(),
        "stream": {key: value for key, value in tuning.stream.data.items() if key != "curve"},
    }


def _current(tuning: Tuning) -> Document:
    if tuning.brought is not None:
        return {"allocator": tuning.brought.name, "version": tuning.brought.version}
    glibc = next((peer for peer in peers.installed() if peer.name == "glibc"), None)
    return {"allocator": "glibc" if glibc else "libc", "version": glibc.version if glibc else None}


def _null(tuning: Tuning) -> Document | None:
    measured = tuning.replayed
    if measured is None or replays.NULL_NAME not in measured.arms:
        return None
    spread = measured.spread(replays.NULL_NAME, "nanoseconds_per_event")
    return {"nanoseconds_per_event": spread.median, "low": spread.low, "high": spread.high}


def _at_stake(tuning: Tuning) -> Document:
    """An estimate of what another allocator can change; no ceiling: better locality can gain more."""
    stream, null = tuning.stream, _null(tuning)
    assert stream is not None
    current = _arm(tuning.replayed, CURRENT.name)
    cpu = min((run.cpu_seconds for run in tuning.baseline_runs), default=None)
    seconds = share = resident = None
    if current is not None and null is not None:
        own = current["nanoseconds_per_event"]["median"] - null["nanoseconds_per_event"]
        seconds = max(0.0, own) * stream.events * 1e-9
        share = min(1.0, seconds / cpu) if cpu else None
    if current is not None:
        resident = current["peak_resident_bytes"]["median"]
    return {
        "malloc_seconds": seconds,
        "cpu_seconds": cpu,
        "share_of_cpu": share,
        "peak_live_bytes": stream.peak_live,
        "peak_resident_bytes": resident,
        "resident_over_live": resident / stream.peak_live if resident and stream.peak_live else None,
    }


def _agreement(rows: list[Row]) -> Document:
    """How well the ranking of the replay agrees with the ranking on the program."""
    both = [row for row in rows if row["replay"] and row["program"]]

    def rho(replay: str, program: str) -> float | None:
        first = [row["replay"][replay]["ratio"]["estimate"] for row in both]
        return rank_agreement(first, [row["program"][program]["ratio"]["estimate"] for row in both])

    return {
        "heaps": len(both),
        "time": rho("nanoseconds_per_event", "time"),
        "memory": rho("peak_resident_bytes", "peak_resident_bytes"),
    }


def _curves(tuning: Tuning, verdict: Verdict) -> Document:
    """Live bytes from the trace; resident memory in the replay under the current heap, the winner and our best."""
    assert tuning.stream is not None
    answers = tuning.replayer.answers if tuning.replayer else {}
    ours = tuning.best("ours")
    names = [CURRENT.name, verdict.heap, ours.name if ours else None]
    shown = {name: answers[name]["resident_curve"] for name in names if name in answers and name is not None}
    return {"live": tuning.stream.data.get("curve"), "resident": shown}
