"""The tables of the result, made of its plain data and free of any markup: what stands where, and in which words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from comparison.document import Document
from comparison.metrics import COMPARED, FOOTPRINT, METRICS, REPLAY_TIME, Metric
from comparison.trial import BASELINE
from strata.naming import count_text, counted, short_version
from strata.replays import NULL_NAME
from strata.statistics import FEWEST_PAIRS

Show = Callable[[float], str]
WALL, THREADED = "*", "†"


@dataclass(frozen=True)
class Cell:
    """A figure, and what stands small beneath it."""

    main: str
    small: str = ""


@dataclass(frozen=True)
class Sheet:
    title: str
    what: str
    columns: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


def sheets(document: Document, *, spreads: bool) -> list[Sheet]:
    """All tables in the order a reader wants them; with `spreads` also every heap's own figures."""
    found = [_ratios(document, metric) for metric in METRICS if document["references"][metric.key]]
    found += [_geomeans(document), _agreement(document)]
    if any(one["agreement"][what]["against"] for one in document["workloads"] for what in COMPARED):
        found.append(_against(document))
    if spreads:
        found += [_spreads(document, metric) for metric in METRICS if document["references"][metric.key]]
    return found


def ratio_cell(ratio: dict[str, Any]) -> Cell:
    """0.912 over 0.905-0.921."""
    low, high = ratio["low"], ratio["high"]
    return Cell(f"{ratio['estimate']:.3f}", f"{low:.3f}-{high:.3f}" if low is not None else f"n={ratio['pairs']}")


def spread_cell(data: dict[str, Any], show: Show) -> Cell:
    """1.23 s over 1.2 s-1.31 s: median, least and most."""
    return Cell(show(data["median"]), f"{show(data['low'])} - {show(data['high'])}")


def _versions(document: Document) -> dict[str, str]:
    return {heap["heap"]: short_version(heap["version"]) for heap in document["heaps"]}


def _shown(document: Document, metric: Metric) -> list[str]:
    """The heaps that tell this metric or failed to; its reference first."""
    told = {name for one in document["workloads"] for name in one["metrics"][metric.key]}
    if metric is not FOOTPRINT:
        told |= {name for one in document["workloads"] for name in one["failed"][metric.part]}
    base = document["references"][metric.key]
    return [base, *(heap["heap"] for heap in document["heaps"] if heap["heap"] in told and heap["heap"] != base)]


def _label(workload: Document, part: str) -> Cell:
    marks = WALL * (part == "program" and workload["clock"] == "wall")
    marks += THREADED * (part == "replay" and workload["trace"]["threads"] > 1)
    return Cell(workload["name"] + marks)


def _ratios(document: Document, metric: Metric) -> Sheet:
    base = document["references"][metric.key]

    def cell(data: dict[str, Any], name: str) -> Cell:
        return spread_cell(data, metric.show) if name == base else ratio_cell(data["ratio"])

    what = f"{metric.what}. Under {base} median, least and most; others as a ratio to {base}, with its interval."
    return _by_heap(document, metric, metric.title, what, cell)


def _spreads(document: Document, metric: Metric) -> Sheet:
    title = f"{metric.title}, each heap's own"
    return _by_heap(document, metric, title, "Median, least and most.", lambda data, _: spread_cell(data, metric.show))


def _by_heap(
    document: Document, metric: Metric, title: str, what: str, show: Callable[[dict[str, Any], str], Cell]
) -> Sheet:
    names, versions = _shown(document, metric), _versions(document)

    def cells(workload: Document) -> Iterable[Cell]:
        data, failed = workload["metrics"][metric.key], workload["failed"][metric.part]
        yield _label(workload, metric.part)
        for name in names:
            yield show(data[name], name) if name in data else Cell("out" if name in failed else "-")
        if metric is REPLAY_TIME:
            yield spread_cell(data[NULL_NAME], metric.show) if NULL_NAME in data else Cell("-")

    engine = [Cell("(engine)")] if metric is REPLAY_TIME else []
    columns = (Cell("workload"), *(Cell(name, versions[name]) for name in names), *engine)
    return Sheet(title, what, columns, tuple(tuple(cells(one)) for one in document["workloads"]))


def _geomeans(document: Document) -> Sheet:
    names, versions = [heap["heap"] for heap in document["heaps"]], _versions(document)
    rows: list[tuple[Cell, ...]] = []
    partial: dict[str, None] = {}
    for metric in METRICS:
        base, found = document["references"][metric.key], document["geomeans"][metric.key]
        if base is None:
            continue
        cells = [
            Cell("-") if name not in found else Cell("1") if name == base else ratio_cell(found[name]["ratio"])
            for name in names
        ]
        rows.append((Cell(metric.title, f"to {base}" if base != BASELINE else ""), *cells))
        partial |= {
            f"{name} ({metric.part}) without {', '.join(found[name]['without'])}": None
            for name in names
            if name in found and found[name]["without"]
        }
    what = (
        f"Of the ratios to {BASELINE} (footprint: as said), over {counted(len(document['workloads']), 'workload')}. "
        "Each round gives one mean over all of them; the interval is Student's t over rounds, and says nothing of "
        "other programs."
    )
    if partial:
        what += f" Not over all workloads, so not to be compared with the others: {'; '.join(partial)}."
    columns = (Cell("geometric mean"), *(Cell(name, versions[name]) for name in names))
    return Sheet("Geometric means over workloads", what, columns, tuple(rows))


def _agreement(document: Document) -> Sheet:
    rows = []
    for one in document["workloads"]:
        share = one["malloc_share"]
        rows.append(
            (
                Cell(_label(one, "program").main + THREADED * (one["trace"]["threads"] > 1)),
                Cell(count_text(one["trace"]["all_events"])),
                Cell(f"{share:.1%}" if share is not None else "-"),
                *_agreement_cells(one["agreement"][what] for what in COMPARED),
            )
        )
    whole = [_sum([one["agreement"][what] for one in document["workloads"]]) for what in COMPARED]
    rows.append((Cell("all pairs"), Cell(""), Cell(""), *_agreement_cells(whole)))
    means = [document["agreement"][what] for what in COMPARED]
    rows.append((Cell("geometric means"), Cell(""), Cell(""), *_agreement_cells(means)))
    what = (
        "Time, and peak resident memory. Pairs of heaps of which the program decides which takes less (their intervals "
        "are disjoint): in how many the replay says the same, how many it cannot tell apart, how many it has the other "
        "way round; and Spearman's rho of all heaps' estimates, noise included. 'in malloc' is glibc's time in the "
        "replay, less the engine's, over the program's CPU time: where it is small, the rest of the program decides. "
        f"{THREADED}: several threads, replayed in order on one; what they do to each other is not in the replay."
    )
    columns = (
        *(Cell("workload"), Cell("events"), Cell("in malloc")),
        *(Cell(what, kind) for what in COMPARED for kind in ("agree", "tied", "against", "rho")),
    )
    return Sheet("Does the replay rank heaps as the program does?", what, columns, tuple(rows))


def _agreement_cells(found: Iterable[dict[str, Any]]) -> Iterable[Cell]:
    for one in found:
        yield Cell(f"{one['agree']}/{one['decided']}")
        yield Cell(str(one["tied"]))
        yield Cell(str(len(one["against"])))
        yield Cell(f"{one['rho']:.2f}" if one["rho"] is not None else "-")


def _sum(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    counts = {key: sum(one[key] for one in found) for key in ("agree", "tied", "decided")}
    return counts | {"against": [pair for one in found for pair in one["against"]], "rho": None}


def _against(document: Document) -> Sheet:
    rows = [
        (
            Cell(one["name"]),
            Cell(what),
            Cell(f"{pair['better']} < {pair['worse']}"),
            *(ratio_cell(ratio) for ratio in (*pair["program"], *pair["replay"])),
        )
        for one in document["workloads"]
        for what in COMPARED
        for pair in one["agreement"][what]["against"]
    ]
    columns = (
        *(Cell("workload"), Cell("of"), Cell("the program says")),
        *(Cell(part, which) for part in ("program", "replay") for which in ("first", "second")),
    )
    return Sheet(
        "Where the replay says the opposite", f"Ratios to {BASELINE} of the pair's two heaps.", columns, tuple(rows)
    )


def heading(document: Document) -> list[str]:
    """What was measured, on what, and how to read it."""
    at = document["machine"]
    case = "the held-out inputs" if document["case"] == "held_out" else "the inputs to tune on"
    done = sorted({len(one["orders"]["program"]) for one in document["workloads"]})
    rounds = counted(done[0], "round") if len(done) == 1 else f"{done[0]} to {done[-1]} rounds"
    lines = [
        f"{counted(len(document['workloads']), 'workload')} on {case}, {len(document['heaps'])} heaps, "
        f"{rounds} (seed {document['seed']}).",
        f"{at['cpu']}, {at['cpus']} CPUs, {at['system']}, {at['libc']}, Linux {at['kernel']}.",
        "Every round runs each workload, and replays its trace, once under every heap, in a new order. Ratios pair "
        f"runs of the same round; intervals are {document['confidence']:.0%} each.",
    ]
    anew = sum(one["trace"]["recorded_now"] for one in document["workloads"])
    lines.append(
        f"{counted(anew, 'trace')} recorded anew, {len(document['workloads']) - anew} kept from before (same program, "
        "inputs and recorder)."
    )
    if done[0] < FEWEST_PAIRS:
        lines.append("Fewer than three rounds have no intervals (n= says how many there are): nothing is decided.")
    return lines


def remarks(document: Document) -> list[str]:
    """What failed and why, then what to know of single workloads."""
    found = [*document["notes"]]
    found += [f"{name} is left out altogether: {why}" for name, why in document["left_out"].items()]
    for one in document["workloads"]:
        for part, failures in one["failed"].items():
            found += [f"{one['name']} under {heap} is out ({part}): {why}" for heap, why in failures.items()]
    return found + [f"{one['name']}: {note}" for one in document["workloads"] for note in one["notes"]]
