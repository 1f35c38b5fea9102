"""Statistics against answers known beforehand."""

import numpy as np
import pytest

from strata.statistics import joint_confidence, mean_ratio, paired_ratio, rank_agreement, spread


def test_spread_of_known_numbers() -> None:
    found = spread([5.0, 1.0, 3.0, 2.0, 4.0])
    assert (found.median, found.low, found.high, found.runs) == (3.0, 1.0, 5.0, 5)
    assert (found.lower_quartile, found.upper_quartile) == (2.0, 4.0)


def test_ratio_is_the_geometric_mean_of_pairs_not_the_ratio_of_means() -> None:
    found = paired_ratio([2.0, 1.0, 1.0], [1.0, 2.0, 1.0])
    assert found.estimate == pytest.approx(1.0)


def test_equal_ratios_have_an_interval_of_no_width() -> None:
    found = paired_ratio([0.9, 1.8, 3.6], [1.0, 2.0, 4.0])
    assert found.low is not None
    assert found.high is not None
    assert (found.estimate, found.low, found.high) == pytest.approx((0.9, 0.9, 0.9))


@pytest.mark.parametrize("pairs", [1, 2])
def test_too_few_pairs_have_no_interval(pairs: int) -> None:
    found = paired_ratio([1.0] * pairs, [2.0] * pairs)
    assert (found.low, found.high, found.pairs) == (None, None, pairs)
    assert not found.below(1.0)


def test_ratio_rejects_unpaired_values() -> None:
    with pytest.raises(ValueError, match="as many"):
        paired_ratio([1.0], [1.0, 2.0])


def test_drift_that_both_share_cancels_out() -> None:
    drift = np.linspace(1.0, 3.0, 9)
    found = paired_ratio(list(0.95 * drift), list(drift))
    assert found.high is not None
    assert found.high == pytest.approx(0.95)


@pytest.mark.parametrize(("pairs", "confidence"), [(3, 0.95), (5, 0.95), (20, 0.95), (4, 0.99)])
def test_interval_holds_the_truth_as_often_as_it_says(pairs: int, confidence: float) -> None:
    generator = np.random.default_rng(7)
    held = 0
    for _ in range(1000):
        noise = np.exp(generator.normal(0, 0.1, size=pairs))
        found = paired_ratio(list(0.9 * noise), [1.0] * pairs, confidence=confidence)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.9 <= found.high
    assert held / 1000 == pytest.approx(confidence, abs=0.02)


def test_a_higher_level_widens_the_interval() -> None:
    values, base = [1.0, 1.2, 0.9, 1.1, 1.3, 0.95], [1.0] * 6
    narrow, wide = paired_ratio(values, base), paired_ratio(values, base, confidence=joint_confidence(8))
    assert narrow.high is not None
    assert wide.high is not None
    assert wide.high > narrow.high


def test_joint_confidence() -> None:
    assert joint_confidence(1) == pytest.approx(0.95)
    assert joint_confidence(5) == pytest.approx(0.99)


def test_rank_agreement() -> None:
    assert rank_agreement([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1.0)
    assert rank_agreement([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)
    assert rank_agreement([1, 2, 3], [1, 2, 3]) is None
    assert rank_agreement([1, 1, 1, 1], [1, 2, 3, 4]) is None


def test_ratio_rejects_what_has_no_logarithm() -> None:
    with pytest.raises(ValueError, match="positive"):
        paired_ratio([1.0, 0.0], [1.0, 1.0])


def test_mean_ratio_over_workloads() -> None:
    found = mean_ratio([([0.5] * 4, [1.0] * 4), ([4.0] * 4, [2.0] * 4), ([3.0] * 4, [1.0] * 4)])
    assert (found.estimate, found.low, found.high) == pytest.approx((3 ** (1 / 3),) * 3)


def test_mean_ratio_uses_the_rounds_that_all_have() -> None:
    found = mean_ratio([([1.0, 1.0, 1.0, 9.0], [1.0] * 4), ([4.0] * 3, [1.0] * 3)])
    assert found.estimate == pytest.approx(2.0)
    assert found.pairs == 3
    with pytest.raises(ValueError, match="complete round"):
        mean_ratio([([1.0], [1.0]), ([], [])])


def test_a_disturbance_that_workloads_of_a_round_share_is_one_not_several() -> None:
    noisy = ([1.0, 1.2, 0.9, 1.1, 1.3, 0.95], [1.0] * 6)
    one, four = mean_ratio([noisy]), mean_ratio([noisy] * 4)
    assert (four.low, four.high) == pytest.approx((one.low, one.high))


@pytest.mark.parametrize("rounds", [6, 15])
def test_interval_of_a_mean_holds_the_truth_as_often_as_it_says(rounds: int) -> None:
    generator = np.random.default_rng(11)
    truths, held = [0.8, 1.0, 1.3], 0
    mean = float(np.exp(np.mean(np.log(truths))))
    for _ in range(300):
        noise = np.exp(generator.normal(0, 0.1, size=(3, rounds)))
        pairs = [(list(truth * row), [1.0] * rounds) for truth, row in zip(truths, noise, strict=True)]
        found = mean_ratio(pairs)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= mean <= found.high
    assert 0.90 <= held / 300 <= 0.99
