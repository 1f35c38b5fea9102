"""From measured ratios to a recommendation in plain words.

A heap wins when it gained on the program itself: the whole interval of its ratio lies under 1, and the estimate
gains at least the practical threshold. Of several winners the best estimate is recommended; without one, keep what
you have.
"""

from dataclasses import dataclass
from typing import Literal

from strata.naming import counted
from strata.statistics import Ratio

THRESHOLD = 0.01  # a gain that nobody would notice is no reason to change an allocator
COSTLY_MEMORY = 1.25  # said as a warning beside a gain in time

Objective = Literal["time", "memory", "balanced"]
Kind = Literal["ours", "peer", "library", "keep", "unconfirmed"]
PROGRAM_METRIC: dict[Objective, str] = {"time": "time", "memory": "peak_resident_bytes", "balanced": "balanced"}
REPLAY_METRIC: dict[Objective, str] = PROGRAM_METRIC | {"time": "nanoseconds_per_event"}


@dataclass(frozen=True)
class Contender:
    """A heap as it did on the program (or, from a trace alone, in the replay), against the current heap."""

    name: str
    kind: Literal["ours", "peer", "library"]
    time: Ratio
    memory: Ratio
    balanced: Ratio
    clock: Literal["cpu", "wall"] = "wall"  # what `time` is
    other_clock: Ratio | None = None  # the time by the other clock; not in a replay

    def ratio(self, objective: Objective) -> Ratio:
        return {"time": self.time, "memory": self.memory, "balanced": self.balanced}[objective]

    def gains(self, objective: Objective) -> bool:
        ratio = self.ratio(objective)
        return ratio.below(1.0) and ratio.estimate <= 1 - THRESHOLD


@dataclass(frozen=True)
class Verdict:
    kind: Kind
    heap: str | None  # what is recommended; None: keep the current one
    confirmed: bool  # measured on the program itself, with an interval
    sentences: tuple[str, ...]


def change(ratio: float, less: str, more: str) -> str:
    """0.9 -> '10.0% less'."""
    percent = abs(1 - ratio) * 100
    return f"{percent:.1f}% {less if ratio < 1 else more}"


def gain(contender: Contender, objective: Objective) -> str:
    name, other = ("CPU time", "wall time") if contender.clock == "cpu" else ("time", "CPU time")
    time = change(contender.time.estimate, f"less {name}", f"more {name}")
    if contender.other_clock is not None:
        time += f" ({other}: {change(contender.other_clock.estimate, 'less', 'more')})"
    memory = change(contender.memory.estimate, "less peak memory", "more peak memory")
    return f"{memory} and {time}" if objective == "memory" else f"{time} and {memory}"


def interval_text(ratio: Ratio) -> str:
    if ratio.low is None or ratio.high is None:
        return f"from {counted(ratio.pairs, 'paired run')} only, so without an interval"
    return f"ratio {ratio.estimate:.3f}, interval {ratio.low:.3f} to {ratio.high:.3f}, {ratio.pairs} paired runs"


def judge(contenders: list[Contender], objective: Objective, *, on_program: bool, disqualified: int = 0) -> Verdict:
    """The recommendation. `on_program` is false when all we have is a replay of a trace."""
    if not contenders:
        reason = "every other heap was disqualified" if disqualified else "no other heap could be measured"
        return Verdict("keep", None, on_program, (f"Keep what you have: {reason}.",))
    ranked = sorted(contenders, key=lambda contender: contender.ratio(objective).estimate)
    winners = [contender for contender in ranked if contender.gains(objective)]
    if not on_program:
        return _from_replay(ranked[0], winners, objective)
    if winners:
        return _winner(winners, objective)
    if all(contender.ratio(objective).low is None for contender in ranked):
        return _too_few(ranked[0], objective)
    return _keep(ranked[0], objective)


def _winner(winners: list[Contender], objective: Objective) -> Verdict:
    best = winners[0]
    whose = "Strata's own composition" if best.kind == "ours" else "an allocator that is installed here"
    sentences = [
        f"Use {best.name}, {whose}: {gain(best, objective)} than what you have "
        f"({interval_text(best.ratio(objective))})."
    ]
    if objective == "time" and best.memory.estimate > COSTLY_MEMORY:
        sentences.append(
            "If memory is what you are short of, look at --objective memory or balanced before you take it."
        )
    equals = [w.name for w in winners[1:] if _not_told_apart(w.ratio(objective), best.ratio(objective))]
    if equals:
        verb = "does" if len(equals) == 1 else "do"
        sentences.append(f"{' and '.join(equals)} {verb} as well within the precision of this measurement.")
    return Verdict(best.kind, best.name, True, tuple(sentences))


def _not_told_apart(ratio: Ratio, best: Ratio) -> bool:
    return ratio.low is not None and best.high is not None and ratio.low <= best.high


def _keep(best: Contender, objective: Objective) -> Verdict:
    ratio = best.ratio(objective)
    if ratio.estimate >= 1:
        why = f"no heap was better; the closest, {best.name}, took {gain(best, objective)}"
    elif ratio.below(1.0):
        why = f"the best, {best.name}, gains under {THRESHOLD:.0%}, which is not worth a change"
    else:
        why = f"the best, {best.name}, cannot be told from what you have"
    return Verdict("keep", None, True, (f"Keep what you have: {why} ({interval_text(ratio)}).",))


def _too_few(best: Contender, objective: Objective) -> Verdict:
    lead = best.ratio(objective).estimate <= 1 - THRESHOLD
    what = f"{best.name} looks better: {gain(best, objective)}" if lead else "nothing looks better than what you have"
    return Verdict(
        "unconfirmed",
        best.name if lead else None,
        False,
        (
            f"Not settled: {what}, {interval_text(best.ratio(objective))}.",
            "Give a larger --budget, or --runs 5, to settle it.",
        ),
    )


def _from_replay(best: Contender, winners: list[Contender], objective: Objective) -> Verdict:
    advice = "Tune the program itself (strata tune -- PROGRAM ARGS...) before you rely on it."
    if not winners:
        return Verdict(
            "unconfirmed",
            None,
            False,
            ("In the replay no heap beats the current one; not confirmed on the program.", advice),
        )
    best = winners[0]
    return Verdict(
        "unconfirmed",
        best.name,
        False,
        (
            f"In the replay {best.name} does best: {gain(best, objective)} in malloc and free "
            f"({interval_text(best.ratio(objective))}). Not confirmed on the program.",
            advice,
        ),
    )
