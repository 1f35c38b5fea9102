"""What was measured, as plain data: every table is made from it, and --json writes it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from comparison.metrics import COMPARED, FOOTPRINT, REPLAY_TIME, TOLD, Metric
from comparison.trial import BASELINE, Trial
from strata import machine
from strata.agreement import Agreement, agreement
from strata.heaps import CURRENT, Heap
from strata.replays import NULL_NAME
from strata.statistics import Ratio, mean_ratio
from strata.summary import heap_data, metric_data, ratio_data

FORMAT = 1
CONFIDENCE = 0.95
Document = dict[str, Any]


def make(
    trials: Sequence[Trial], left_out: Mapping[str, str], heaps: Sequence[Heap], *, case: str, rounds: int, seed: int
) -> Document:
    """From the complete rounds of all workloads that glibc could run."""
    usable = [trial for trial in trials if trial.failed is None and trial.runs.measured.rounds > 0]
    failed = {trial.workload.name: trial.failed for trial in trials if trial.failed is not None}
    names = [BASELINE, *(heap.name for heap in heaps)]
    references = {metric.key: reference(metric, heaps, usable) for metric in TOLD}
    geomeans = {m.key: _geomeans(m, usable, names, references[m.key]) for m in TOLD}
    return {
        "format": FORMAT,
        "machine": machine.describe(),
        "case": case,
        "rounds": rounds,
        "seed": seed,
        "confidence": CONFIDENCE,
        "heaps": [heap_data(CURRENT) | {"heap": BASELINE}, *map(heap_data, heaps)],
        "references": references,
        "workloads": [_workload(trial, names, references) for trial in usable],
        "left_out": dict(left_out) | failed,
        "geomeans": geomeans,
        "agreement": {what: _overall(geomeans, *pair) for what, pair in COMPARED.items()},
    }


def reference(metric: Metric, heaps: Sequence[Heap], trials: Sequence[Trial]) -> str | None:
    """What a metric's ratios are to: glibc, but for the footprint `lea`, or else the first heap that tells one."""
    if metric is not FOOTPRINT:
        return BASELINE
    telling = [heap.name for heap in heaps if any(_values(trial, heap.name, metric) for trial in trials)]
    return "lea" if "lea" in telling else next(iter(telling), None)


def _values(trial: Trial, heap: str, metric: Metric) -> list[float]:
    """In round order; none if the heap failed."""
    measured = trial.measured(metric.part)
    return measured.values(heap, metric.sample) if heap in measured.arms else []


def _workload(trial: Trial, names: Sequence[str], references: Mapping[str, str | None]) -> Document:
    metrics = {metric.key: _metric(trial, metric, names, references[metric.key]) for metric in TOLD}
    return {
        "name": trial.workload.name,
        "what": trial.workload.what,
        "command": list(trial.program.command),
        "stdin": str(trial.program.stdin) if trial.program.stdin else None,
        "beside": list(trial.program.beside) if trial.program.beside else None,
        "threads": trial.workload.threads,
        "clock": trial.expectation.clock,
        "exit_status": trial.expectation.exit_status,
        "output_compared": trial.expectation.output is not None,
        "trace": {
            "path": str(trial.trace.path),
            "recorded_now": trial.recorded_now,
            "stream": trial.trace.busiest.id,
            "events": trial.trace.busiest.events,
            "all_events": sum(stream.events for stream in trial.trace.streams),
            "threads": trial.trace.busiest.number("threads"),
        },
        "notes": trial.notes,
        "failed": {part: dict(trial.measured(part).failures) for part in ("program", "replay")},
        "orders": {part: trial.measured(part).orders for part in ("program", "replay")},
        "metrics": metrics,
        "malloc_share": _malloc_share(trial),
        "agreement": {
            what: _agreement(agreement(_ratios(metrics[program.key]), _ratios(metrics[replay.key])))
            for what, (program, replay) in COMPARED.items()
        },
    }


def _metric(trial: Trial, metric: Metric, names: Sequence[str], base: str | None) -> dict[str, dict[str, Any]]:
    """By heap. The null engine stands among the replay's times; its ratio is what part of glibc's is not glibc's."""
    if base is None or not _values(trial, base, metric):
        return {}
    shown = [*names, NULL_NAME] if metric is REPLAY_TIME else names
    return {
        name: metric_data(trial.measured(metric.part), name, base, metric.sample, confidence=CONFIDENCE)
        | {"values": values}
        for name in shown
        if (values := _values(trial, name, metric))
    }


def _ratios(data: Mapping[str, dict[str, Any]]) -> dict[str, Ratio]:
    return {name: Ratio(**one["ratio"]) for name, one in data.items() if name != NULL_NAME}


def _geomeans(
    metric: Metric, trials: Sequence[Trial], names: Sequence[str], base: str | None
) -> dict[str, dict[str, Any]]:
    """By heap, over the workloads in which neither it nor the reference failed; those without it are named."""
    found = {}
    for name in names:
        pairs = {}
        for trial in trials:
            values, against = _values(trial, name, metric), _values(trial, base, metric) if base else []
            if values and against:
                pairs[trial.workload.name] = (values, against)
        if pairs:
            ratio = mean_ratio(list(pairs.values()), confidence=CONFIDENCE)
            without = [trial.workload.name for trial in trials if trial.workload.name not in pairs]
            found[name] = {"ratio": ratio_data(ratio), "workloads": len(pairs), "without": without}
    return found


def _malloc_share(trial: Trial) -> float | None:
    """What part of the program's CPU time malloc and free take under glibc, by the replay without its engine."""
    replayed, cpu = trial.replays.measured, trial.runs.measured.values(BASELINE, "cpu_seconds")
    if not {BASELINE, NULL_NAME} <= set(replayed.arms):
        return None
    engine = replayed.spread(NULL_NAME, REPLAY_TIME.sample).median
    own = max(0.0, replayed.spread(BASELINE, REPLAY_TIME.sample).median - engine)
    return own * 1e-9 * sum(stream.events for stream in trial.trace.streams) / (sum(cpu) / len(cpu))


def _agreement(found: Agreement) -> Document:
    return asdict(found) | {"decided": found.decided}


def _overall(geomeans: Mapping[str, dict[str, dict[str, Any]]], program: Metric, replay: Metric) -> Document:
    """Of the geometric means, over the heaps that failed nowhere: only these are means over the same workloads."""
    whole = [
        {name: Ratio(**one["ratio"]) for name, one in geomeans[metric.key].items() if not one["without"]}
        for metric in (program, replay)
    ]
    return _agreement(agreement(*whole))
