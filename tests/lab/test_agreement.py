"""Agreement of two rankings on samples whose answer is known beforehand."""

import pytest

from strata.agreement import agreement, order
from strata.statistics import Ratio


def ratio(low: float, high: float) -> Ratio:
    return Ratio((low * high) ** 0.5, low, high, 5)


ONE = Ratio(1.0, 1.0, 1.0, 5)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (ratio(0.8, 0.9), ratio(0.95, 1.0), -1),
        (ratio(0.95, 1.0), ratio(0.8, 0.9), 1),
        (ratio(0.8, 0.96), ratio(0.95, 1.0), 0),
        (ONE, ONE, 0),
        (Ratio(0.5, None, None, 2), ONE, 0),
    ],
)
def test_order_is_decided_by_disjoint_intervals(first: Ratio, second: Ratio, expected: int) -> None:
    assert order(first, second) == expected


def test_pairs_that_agree_tie_and_contradict() -> None:
    program = {"base": ONE, "fast": ratio(0.7, 0.75), "mid": ratio(0.8, 0.85), "slow": ratio(1.2, 1.3)}
    replay = {"base": ONE, "fast": ratio(0.3, 0.4), "mid": ratio(0.9, 1.1), "slow": ratio(0.5, 0.6)}
    found = agreement(program, replay)
    assert found.decided == 6
    assert found.agree == 3  # fast against each of the others
    assert found.tied == 1  # base and mid
    against = {(pair.better, pair.worse) for pair in found.against}
    assert against == {("base", "slow"), ("mid", "slow")}
    pair = next(pair for pair in found.against if pair.better == "mid")
    assert pair.program == (program["mid"], program["slow"])
    assert pair.replay == (replay["mid"], replay["slow"])
    assert found.undecided == 0
    assert found.rho == pytest.approx(0.4)


def test_noise_on_the_program_decides_nothing() -> None:
    program = {"base": ONE, "a": ratio(0.9, 1.1), "b": ratio(0.95, 1.2)}
    found = agreement(program, {"base": ONE, "a": ratio(2.0, 2.1), "b": ratio(0.1, 0.2)})
    assert (found.decided, found.undecided, found.against) == (0, 3, ())


def test_only_heaps_that_both_have_count() -> None:
    found = agreement({"base": ONE, "a": ratio(0.5, 0.6), "b": ratio(0.8, 0.9)}, {"base": ONE, "a": ratio(0.5, 0.6)})
    assert (found.decided, found.agree, found.rho) == (1, 1, None)
