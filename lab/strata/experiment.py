"""The one measurement harness: named arms, run in rounds, every round in a new order.

Whoever runs right after a certain other arm can be a quarter faster or slower, so a fixed order is a bias that no
number of rounds averages away. Each round runs every arm once, shuffled by a seed; comparisons are made within
rounds only. An arm that fails is out from then on, with its reason; a baseline that fails ends the experiment.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from strata.statistics import Ratio, Spread, paired_ratio, spread

Sample = Mapping[str, float]


class ArmFailed(Exception):  # noqa: N818 - it is a finding about an arm, not an error of ours
    """This arm cannot be measured; the message says why."""


@dataclass(frozen=True)
class Arm:
    """A name and a way to measure it once."""

    name: str
    measure: Callable[[], Sample]


@dataclass
class Measurements:
    """Every sample of complete rounds, arm by arm in round order; arms that failed, and why."""

    samples: dict[str, list[Sample]]
    failures: dict[str, str] = field(default_factory=dict)
    orders: list[list[str]] = field(default_factory=list)
    interrupted: bool = False

    @property
    def rounds(self) -> int:
        return len(self.orders)

    @property
    def arms(self) -> list[str]:
        """Those that took part in every round."""
        return [name for name in self.samples if name not in self.failures and self.samples[name]]

    def values(self, arm: str, metric: str) -> list[float]:
        return [float(sample[metric]) for sample in self.samples[arm] if metric in sample]

    def spread(self, arm: str, metric: str) -> Spread:
        return spread(self.values(arm, metric))

    def ratio(self, arm: str, baseline: str, metric: str, *, confidence: float = 0.95) -> Ratio:
        return paired_ratio(self.values(arm, metric), self.values(baseline, metric), confidence=confidence)


class Rounds:
    """Arms that are measured against each other, one round at a time; what is known so far is `measured`."""

    def __init__(self, arms: Sequence[Arm], *, baseline: str, seed: int | str) -> None:
        self._order = random.Random(seed)
        self._arms = {arm.name: arm for arm in arms}
        self._baseline = baseline
        self.measured = Measurements(samples={arm.name: [] for arm in arms})

    def once(self, progress: Callable[[str, int], None] = lambda _arm, _round: None) -> None:
        """One round of every arm that has not failed. Raises ArmFailed if the baseline fails; an interrupted round
        leaves nothing."""
        result = self.measured
        names = [name for name in self._arms if name not in result.failures]
        self._order.shuffle(names)
        complete: dict[str, Sample] = {}
        for name in names:
            progress(name, result.rounds)
            try:
                complete[name] = self._arms[name].measure()
            except ArmFailed as failed:
                result.failures[name] = str(failed)
                if name == self._baseline:
                    raise
        for name, sample in complete.items():
            result.samples[name].append(sample)
        result.orders.append(names)


def run_rounds(
    arms: Sequence[Arm],
    *,
    rounds: int,
    baseline: str,
    seed: int,
    deadline: float | None = None,
    progress: Callable[[str, int], None] = lambda _arm, _round: None,
) -> Measurements:
    """Measures every arm once a round. Stops early, between rounds, when the next would pass `deadline` (monotonic
    seconds), but makes one round in any case. Ctrl-C ends it too: the complete rounds are kept and marked."""
    stepped = Rounds(arms, baseline=baseline, seed=seed)
    slowest = 0.0
    try:
        for number in range(rounds):
            started = time.monotonic()
            if number > 0 and deadline is not None and started + slowest > deadline:
                break
            stepped.once(progress)
            slowest = max(slowest, time.monotonic() - started)
    except KeyboardInterrupt:
        stepped.measured.interrupted = True
    return stepped.measured
