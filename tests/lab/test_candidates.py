"""The grid that stands in for a search, and the order in which it asks."""

from strata.candidates import GridSearch, grid_values
from strata.catalogue import Catalogue
from strata.recipes import make


def test_grid_values_lie_inside_and_leave_the_default_out(catalogue: Catalogue) -> None:
    for tunable in catalogue.heap("tuned").tunables:
        values = grid_values(tunable)
        assert values
        assert tunable.default not in values
        assert all(tunable.low < value < tunable.high for value in values)
        if tunable.power_of_two:
            assert all(value & (value - 1) == 0 for value in values)


def test_the_grid_first_asks_for_the_default_and_one_change_at_a_time(catalogue: Catalogue) -> None:
    asked = GridSearch(catalogue, "tuned").ask({})
    assert asked[0] == make(catalogue, "tuned", {})
    assert all(len(recipe.tunables) == 1 for recipe in asked[1:])
    assert len(asked) == len(set(asked)) == 1 + sum(len(grid_values(t)) for t in catalogue.heap("tuned").tunables)


def test_then_for_the_best_of_each_together_and_then_it_ends(catalogue: Catalogue) -> None:
    search = GridSearch(catalogue, "tuned")
    first = search.ask({})
    best = {("chunk", grid_values(catalogue.heap("tuned").tunables[0])[-1]), ("spare", 4)}
    scores = {recipe: 0.5 if set(recipe.tunables) & best else 1.0 for recipe in first}
    (combined,) = search.ask(scores)
    assert set(combined.tunables) == best
    assert search.ask(scores | {combined: 0.4}) == []


def test_nothing_to_combine_ends_it_at_once(catalogue: Catalogue) -> None:
    search = GridSearch(catalogue, "tuned")
    first = search.ask({})
    scores = {recipe: 1.0 if recipe.tunables else 0.9 for recipe in first}
    assert search.ask(scores) == []
