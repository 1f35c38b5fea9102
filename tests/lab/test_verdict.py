"""The verdict: a winner of ours, a peer, none, too little, nobody left."""

from typing import Literal

import pytest

from strata.statistics import Ratio
from strata.verdict import Contender, judge

Kind = Literal["ours", "peer", "library"]


def ratio(estimate: float, width: float | None = 0.005) -> Ratio:
    if width is None:
        return Ratio(estimate, None, None, 1)
    return Ratio(estimate, estimate - width, estimate + width, 12)


def contender(name: str, kind: Kind, time: Ratio, memory: Ratio | None = None) -> Contender:
    return Contender(name, kind, time, memory or ratio(1.0), time)


def test_our_winner() -> None:
    found = judge([contender("a", "ours", ratio(0.90)), contender("b", "peer", ratio(0.97))], "time", on_program=True)
    assert (found.kind, found.heap, found.confirmed) == ("ours", "a", True)
    assert "10.0% less time" in found.sentences[0]
    assert "Strata's own" in found.sentences[0]


def test_a_peer_may_win() -> None:
    found = judge([contender("a", "ours", ratio(0.97)), contender("b", "peer", ratio(0.90))], "time", on_program=True)
    assert (found.kind, found.heap) == ("peer", "b")
    assert "installed" in found.sentences[0]


def test_an_interval_that_holds_one_is_no_reason() -> None:
    found = judge([contender("a", "ours", ratio(0.97, 0.04))], "time", on_program=True)
    assert (found.kind, found.heap) == ("keep", None)
    assert found.sentences[0].startswith("Keep what you have: the best, a, cannot be told from what you have")


def test_a_gain_that_nobody_notices_is_no_reason() -> None:
    found = judge([contender("a", "ours", ratio(0.995, 0.001))], "time", on_program=True)
    assert found.kind == "keep"
    assert "under 1%" in found.sentences[0]


def test_nothing_better() -> None:
    found = judge([contender("a", "ours", ratio(1.2))], "time", on_program=True)
    assert found.kind == "keep"
    assert "no heap was better" in found.sentences[0]


def test_nobody_left() -> None:
    found = judge([], "time", on_program=True, disqualified=3)
    assert found.kind == "keep"
    assert "disqualified" in found.sentences[0]


def test_equals_of_the_winner_are_named() -> None:
    pair = [contender("a", "ours", ratio(0.900)), contender("b", "peer", ratio(0.902))]
    assert any("b does as well" in sentence for sentence in judge(pair, "time", on_program=True).sentences)


def test_time_that_is_paid_for_in_memory_is_said() -> None:
    found = judge([contender("a", "ours", ratio(0.9), ratio(1.6))], "time", on_program=True)
    assert "60.0% more peak memory" in found.sentences[0]
    assert any("--objective" in sentence for sentence in found.sentences)


@pytest.mark.parametrize(("objective", "heap"), [("time", "quick"), ("memory", "small")])
def test_the_objective_decides(objective: Literal["time", "memory"], heap: str) -> None:
    pair = [contender("quick", "ours", ratio(0.9), ratio(1.1)), contender("small", "peer", ratio(1.1), ratio(0.8))]
    assert judge(pair, objective, on_program=True).heap == heap


def test_too_few_runs_settle_nothing() -> None:
    found = judge([contender("a", "ours", ratio(0.8, None))], "time", on_program=True)
    assert (found.kind, found.heap, found.confirmed) == ("unconfirmed", "a", False)
    assert any("--budget" in sentence for sentence in found.sentences)


def test_a_trace_alone_confirms_nothing() -> None:
    found = judge([contender("a", "ours", ratio(0.5))], "time", on_program=False)
    assert (found.kind, found.heap, found.confirmed) == ("unconfirmed", "a", False)
    assert any("ot confirmed on the program" in sentence for sentence in found.sentences)


def test_the_other_clock_is_told_beside_the_one_that_judges() -> None:
    lean = Contender("a", "ours", ratio(0.8), ratio(1.0), ratio(0.8), other_clock=ratio(0.9))
    assert "20.0% less time (CPU time: 10.0% less)" in judge([lean], "time", on_program=True).sentences[0]
    alone = Contender("a", "ours", ratio(0.9), ratio(1.0), ratio(0.8), clock="cpu", other_clock=ratio(0.7))
    assert "10.0% less CPU time (wall time: 30.0% less)" in judge([alone], "time", on_program=True).sentences[0]
