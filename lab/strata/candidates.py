"""What a tuning tries: recipes that a search proposes round by round, and the installed peers.

A search is asked for recipes and told how each did, until it proposes no more. The grid here is small on purpose:
one tunable at a time at a quarter, half and three quarters of its range (on a logarithmic scale for powers of two),
all others at their defaults; then one recipe that combines the best value of every tunable. That is 3n + 2 recipes
for a heap of n tunables.
"""

from collections.abc import Mapping
from typing import Protocol

from strata import peers
from strata.catalogue import Catalogue, HeapEntry, Tunable
from strata.recipes import Recipe, make

Scores = Mapping[Recipe, float]  # lower is better


class Search(Protocol):
    """Anything that proposes recipes: this grid, later a sampler."""

    def ask(self, told: Scores) -> list[Recipe]:
        """The recipes to measure next, given all scores so far; none: the search is over."""
        ...


def grid_values(tunable: Tunable) -> list[int]:
    """Three values inside the range, without the default."""
    quarters = (0.25, 0.5, 0.75)
    if tunable.power_of_two:
        low, high = max(tunable.low, 1).bit_length() - 1, tunable.high.bit_length() - 1
        values = [1 << round(low + q * (high - low)) for q in quarters]
    else:
        values = [round(tunable.low + q * (tunable.high - tunable.low)) for q in quarters]
    inside = {value for value in values if tunable.low <= value <= tunable.high}
    return sorted(inside - {tunable.default})


class GridSearch:
    """The grid of the module's head over one heap of the catalogue."""

    def __init__(self, catalogue: Catalogue, heap: str) -> None:
        self._catalogue, self._entry = catalogue, catalogue.heap(heap)
        self._asked = 0

    @property
    def entry(self) -> HeapEntry:
        return self._entry

    def ask(self, told: Scores) -> list[Recipe]:
        self._asked += 1
        if self._asked == 1:
            return [self._recipe({}), *self._one_at_a_time()]
        if self._asked == 2:
            combined = self._best_of_each(told)
            return [] if combined in told else [combined]
        return []

    def _recipe(self, tunables: Mapping[str, int]) -> Recipe:
        return make(self._catalogue, self._entry.name, tunables)

    def _one_at_a_time(self) -> list[Recipe]:
        return [self._recipe({t.name: value}) for t in self._entry.tunables for value in grid_values(t)]

    def _best_of_each(self, told: Scores) -> Recipe:
        default = self._recipe({})
        chosen: dict[str, int] = {}
        for tunable in self._entry.tunables:
            tried = [(default, tunable.default)]
            tried += [(self._recipe({tunable.name: v}), v) for v in grid_values(tunable)]
            scored = [(told[recipe], value) for recipe, value in tried if recipe in told]
            if scored:
                chosen[tunable.name] = min(scored)[1]
        return self._recipe(chosen)


def rivals(current: peers.Peer | None) -> list[peers.Peer]:
    """The installed peers that are not what the program uses already; without one of its own it uses glibc's malloc."""
    mine = current.name if current else "glibc"
    return [peer for peer in peers.installed() if peer.name != mine]
