"""Which heaps go on to the program, and what is handed over."""

from pathlib import Path

import pytest

from strata.catalogue import Catalogue
from strata.experiment import Measurements, Sample
from strata.heaps import CURRENT, Heap
from strata.recipes import make
from strata.terminal import Steps
from strata.tuning import Options, Tuning
from strata.verdict import Objective


def replayed(nanoseconds: dict[str, float]) -> Measurements:
    def sample(value: float) -> Sample:
        return {"nanoseconds_per_event": value, "peak_resident_bytes": 1e6 / value, "balanced": value}

    samples = {name: [sample(value)] * 3 for name, value in nanoseconds.items()}
    return Measurements(samples=samples, orders=[list(samples)] * 3)


@pytest.fixture
def tuning(catalogue: Catalogue) -> Tuning:
    found = Tuning(Options(), None, Path("x.trace"), Steps(None))
    ours = [make(catalogue, "tuned", {}), make(catalogue, "tuned", {"chunk": 8192})]
    heaps = [CURRENT, *(Heap(recipe.name, "ours", Path("/x"), recipe) for recipe in ours)]
    heaps += [Heap(name, "peer", Path("/x")) for name in ("p", "q", "r")]
    found.heaps = {heap.name: heap for heap in heaps}
    found.replayed = replayed({"current": 10, "tuned": 9, "tuned:chunk=8192": 8, "p": 5, "q": 6, "r": 7})
    return found


def names(heaps: list[Heap]) -> list[str]:
    return [heap.name for heap in heaps]


def test_the_best_go_on_and_ours_is_among_them(tuning: Tuning) -> None:
    assert names(tuning.finalists(2)) == ["p", "tuned:chunk=8192"]
    assert names(tuning.finalists(3)) == ["p", "q", "tuned:chunk=8192"]
    assert names(tuning.finalists(99)) == ["p", "q", "r", "tuned:chunk=8192", "tuned"]


def test_no_time_still_tries_the_best(tuning: Tuning) -> None:
    assert names(tuning.finalists(-3)) == ["p"]


@pytest.mark.parametrize(("objective", "best"), [("time", "p"), ("memory", "tuned")])
def test_the_objective_ranks(tuning: Tuning, objective: Objective, best: str) -> None:
    tuning.options = Options(objective=objective)
    assert names(tuning.finalists(1)) == [best]


def test_what_is_handed_over_was_best_on_the_program_and_not_thrown_out(tuning: Tuning) -> None:
    def best() -> str | None:
        heap = tuning.best("ours")
        return heap.name if heap else None

    assert best() == "tuned:chunk=8192"
    run: dict[str, list[Sample]] = {
        name: [{"time": seconds}] * 3 for name, seconds in (("current", 1.0), ("tuned", 0.8), ("tuned:chunk=8192", 0.9))
    }
    tuning.confirmed = Measurements(samples=run, orders=[list(run)] * 3)
    assert best() == "tuned"
    tuning.dropped["tuned"] = "crashed"
    assert best() == "tuned:chunk=8192"
    tuning.dropped["tuned:chunk=8192"] = "crashed"
    assert best() is None
