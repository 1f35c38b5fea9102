"""The harness: order, pairing, failures, interruption."""

import itertools
import time

import pytest

from strata.experiment import Arm, ArmFailed, Sample, run_rounds


def arm(name: str, value: float = 1.0) -> Arm:
    return Arm(name, lambda: {"seconds": value})


def test_every_round_runs_every_arm_once_in_a_changing_order() -> None:
    names = ["a", "b", "c", "d"]
    done = run_rounds([arm(name) for name in names], rounds=8, baseline="a", seed=1)
    assert done.rounds == 8
    assert all(sorted(order) == names for order in done.orders)
    assert len({tuple(order) for order in done.orders}) > 3


def test_the_seed_decides_the_order() -> None:
    orders = [run_rounds([arm("a"), arm("b"), arm("c")], rounds=6, baseline="a", seed=s).orders for s in (5, 5, 6)]
    assert orders[0] == orders[1] != orders[2]


def test_ratio_pairs_runs_of_the_same_round() -> None:
    speed = itertools.chain([1.0, 2.0, 4.0])
    current = {"speed": 0.0}

    def base() -> Sample:
        return {"seconds": current["speed"]}

    def next_round(_arm: str, number: int) -> None:
        if current.get("round") != number:
            current.update(speed=next(speed), round=number)

    arms = [Arm("base", base), Arm("half", lambda: {"seconds": current["speed"] / 2})]
    done = run_rounds(arms, rounds=3, baseline="base", seed=0, progress=next_round)
    ratio = done.ratio("half", "base", "seconds")
    assert ratio.estimate == pytest.approx(0.5)
    assert ratio.high == pytest.approx(0.5)


def test_a_failing_arm_is_out_with_its_reason_and_the_others_go_on() -> None:
    calls = itertools.count()

    def fails_later() -> Sample:
        if next(calls) == 1:
            raise ArmFailed("crashed")
        return {"seconds": 1.0}

    done = run_rounds([arm("base"), Arm("weak", fails_later)], rounds=4, baseline="base", seed=0)
    assert done.failures == {"weak": "crashed"}
    assert done.arms == ["base"]
    assert len(done.values("base", "seconds")) == 4


def test_a_failing_baseline_ends_it() -> None:
    def fails() -> Sample:
        raise ArmFailed("no")

    with pytest.raises(ArmFailed):
        run_rounds([Arm("base", fails), arm("other")], rounds=2, baseline="base", seed=0)


def test_a_passed_deadline_allows_one_round() -> None:
    done = run_rounds([arm("a"), arm("b")], rounds=50, baseline="a", seed=0, deadline=time.monotonic() - 1)
    assert done.rounds == 1


def test_an_interruption_keeps_whole_rounds_only() -> None:
    calls = itertools.count()

    def interrupted() -> Sample:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return {"seconds": 1.0}

    done = run_rounds([arm("a"), Arm("b", interrupted)], rounds=9, baseline="a", seed=0)
    assert done.interrupted
    assert done.rounds == 2
    assert [len(done.values(name, "seconds")) for name in ("a", "b")] == [2, 2]
