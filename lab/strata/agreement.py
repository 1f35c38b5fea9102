"""How far the replay's order of heaps is the program's.

A pair of heaps counts only if the program decides it: the intervals of their ratios are disjoint. Such a pair agrees
when the replay's intervals are disjoint the same way, is tied when they overlap, and is against when they are
disjoint the other way. So noise on either side never makes a disagreement. Beside that, Spearman's rho of all
estimates, noise included.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from strata.statistics import Ratio, rank_agreement


@dataclass(frozen=True)
class Pair:
    """Two heaps, the one that the program prefers first, with their ratios to the same baseline."""

    better: str
    worse: str
    program: tuple[Ratio, Ratio]
    replay: tuple[Ratio, Ratio]


@dataclass(frozen=True)
class Agreement:
    """Counts of pairs of heaps; rho is None with fewer than four heaps."""

    rho: float | None
    agree: int
    tied: int
    against: tuple[Pair, ...]
    undecided: int

    @property
    def decided(self) -> int:
        return self.agree + self.tied + len(self.against)


def order(first: Ratio, second: Ratio) -> int:
    """-1: first is surely less; 1: surely more; 0: their intervals overlap, or one has none."""
    if None in (first.low, first.high, second.low, second.high):
        return 0
    assert first.low is not None and first.high is not None and second.low is not None and second.high is not None
    return (first.low > second.high) - (first.high < second.low)


def agreement(program: Mapping[str, Ratio], replay: Mapping[str, Ratio]) -> Agreement:
    """Over the heaps that both have; the baseline takes part as any other, with a ratio of 1 and no width."""
    names = [name for name in program if name in replay]
    agree = tied = undecided = 0
    against = []
    for one, other in combinations(names, 2):
        decided = order(program[one], program[other])
        if decided == 0:
            undecided += 1
            continue
        better, worse = (one, other) if decided < 0 else (other, one)
        told = order(replay[better], replay[worse])
        agree += told < 0
        tied += told == 0
        if told > 0:
            against.append(Pair(better, worse, (program[better], program[worse]), (replay[better], replay[worse])))
    rho = rank_agreement([program[name].estimate for name in names], [replay[name].estimate for name in names])
    return Agreement(rho, agree, tied, tuple(against), undecided)
