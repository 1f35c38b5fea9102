"""The statistics that every comparison rests on: spread, paired ratios with an interval, rank agreement.

A ratio compares two heaps on runs of the same round, so that what disturbs a round (another program, a clock
that changes speed) disturbs both. Its estimate is the geometric mean of the paired ratios; its interval is Student's t
on their logarithms. A bootstrap, which assumes less, cannot reach past the extremes of what it resamples: of few
rounds, or at the high level that several comparisons need, it is too narrow.

NumPy and SciPy take half a second to import, which `strata run` must not wait for: they are imported where used.
"""

from collections.abc import Sequence
from dataclasses import dataclass

FEWEST_PAIRS = 3  # below this an interval says nothing


@dataclass(frozen=True)
class Spread:
    """How the runs of one heap lie."""

    median: float
    low: float
    high: float
    lower_quartile: float
    upper_quartile: float
    runs: int


@dataclass(frozen=True)
class Ratio:
    """One heap over another: estimate, and the interval that holds it; no interval from fewer than three pairs."""

    estimate: float
    low: float | None
    high: float | None
    pairs: int

    def below(self, limit: float) -> bool:
        """The whole interval lies under `limit`."""
        return self.high is not None and self.high < limit

    def above(self, limit: float) -> bool:
        """The whole interval lies over `limit`."""
        return self.low is not None and self.low > limit


def spread(values: Sequence[float]) -> Spread:
    import numpy as np

    q = [float(x) for x in np.quantile(np.asarray(values, dtype=float), [0.0, 0.25, 0.5, 0.75, 1.0])]
    return Spread(median=q[2], low=q[0], high=q[4], lower_quartile=q[1], upper_quartile=q[3], runs=len(values))


def paired_ratio(values: Sequence[float], baseline: Sequence[float], *, confidence: float = 0.95) -> Ratio:
    """Geometric mean of values[i] / baseline[i] with its interval."""
    if len(values) != len(baseline) or not values:
        raise ValueError("paired ratios need as many values as baselines, and at least one")
    import numpy as np
    from scipy import special

    if min(*values, *baseline) <= 0:
        raise ValueError("ratios need positive values")
    logs = np.log(np.asarray(values, dtype=float) / np.asarray(baseline, dtype=float))
    n = len(logs)
    mean = float(logs.mean())
    if n < FEWEST_PAIRS:
        return Ratio(float(np.exp(mean)), None, None, n)
    reach = float(special.stdtrit(n - 1, (1 + confidence) / 2) * logs.std(ddof=1) / np.sqrt(n))
    low, estimate, high = (float(np.exp(mean + side * reach)) for side in (-1, 0, 1))
    return Ratio(estimate, low, high, n)


def mean_ratio(pairs: Sequence[tuple[Sequence[float], Sequence[float]]], *, confidence: float = 0.95) -> Ratio:
    """Geometric mean over workloads, each given as its values and its baseline's in round order.

    Every round gives one geometric mean over all workloads, and the interval is made of these: what disturbed several
    workloads of a round is not taken for several independent disturbances. The interval is about
    these workloads, not about others that could have been chosen. Rounds that some workload lacks are left out.
    """
    import numpy as np

    rounds = min((len(values) for values, _ in pairs), default=0)
    if rounds == 0:
        raise ValueError("a geometric mean needs a complete round of at least one workload")
    logs = [
        np.log(np.asarray(values[:rounds], dtype=float) / np.asarray(base[:rounds], dtype=float))
        for values, base in pairs
    ]
    means = [float(mean) for mean in np.exp(np.mean(logs, axis=0))]
    return paired_ratio(means, [1.0] * rounds, confidence=confidence)


def joint_confidence(comparisons: int, confidence: float = 0.95) -> float:
    """The level for each of several intervals so that all hold together (Bonferroni).

    Without it the luckiest of ten equal heaps would look like a winner in almost half of all tunings.
    """
    return 1 - (1 - confidence) / max(1, comparisons)


def rank_agreement(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rho of two rankings; None if there are too few heaps, or all are equal."""
    if len(first) < 4:
        return None
    if len(set(first)) == 1 or len(set(second)) == 1:
        return None
    from scipy import stats

    return float(stats.spearmanr(first, second).statistic)
