"""Our heaps as `strata-catalogue` tells them: the single source of their names, tunables and ranges."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from strata.errors import UserError
from strata.naming import integer, nearest
from strata.tools import tool_json


@dataclass(frozen=True)
class Tunable:
    """One compile-time constant of a heap."""

    name: str
    default: int
    low: int
    high: int
    step: str
    what: str

    @property
    def power_of_two(self) -> bool:
        return self.step == "power of two"

    @property
    def range_text(self) -> str:
        return f"{self.low} to {self.high}" + (", powers of two" if self.power_of_two else "")

    def check(self, heap: str, value: object) -> int:
        """The value as an int, or an error line that gives the range."""
        number = integer(value) if isinstance(value, str) else value
        fits = (
            isinstance(number, int)
            and not isinstance(number, bool)
            and self.low <= number <= self.high
            and (not self.power_of_two or number & (number - 1) == 0)
        )
        if not fits:
            raise UserError(f"{heap}: {self.name}={value} is out of range: {self.range_text}")
        assert isinstance(number, int)
        return number


@dataclass(frozen=True)
class HeapEntry:
    """One heap of the catalogue, and what is needed to compile a specialised drop-in of it."""

    name: str
    header: str
    type: str
    library: str
    summary: str
    tunables_type: str
    tunables: tuple[Tunable, ...]
    reuses: bool = True  # freed memory is used again; a heap that does not is never recommended

    def tunable(self, name: str) -> Tunable:
        for tunable in self.tunables:
            if tunable.name == name:
                return tunable
        raise UserError(f"{self.name} has no tunable {name!r}: {nearest(name, [t.name for t in self.tunables])}")


@dataclass(frozen=True)
class Catalogue:
    heaps: tuple[HeapEntry, ...]

    def __contains__(self, name: str) -> bool:
        return any(entry.name == name for entry in self.heaps)

    def heap(self, name: str) -> HeapEntry:
        for entry in self.heaps:
            if entry.name == name:
                return entry
        raise UserError(f"no heap {name!r} in the catalogue: {nearest(name, [entry.name for entry in self.heaps])}")


def parse(document: Any) -> Catalogue:
    return Catalogue(
        tuple(
            HeapEntry(
                name=heap["name"],
                header=heap["header"],
                type=heap["type"],
                library=heap["library"],
                summary=heap["summary"],
                tunables_type=heap.get("tunables_type") or "",
                tunables=tuple(
                    Tunable(t["name"], t["default"], t["low"], t["high"], t["step"], t["what"])
                    for t in heap["tunables"]
                ),
                reuses=heap.get("reuses", True),
            )
            for heap in document["heaps"]
        )
    )


@cache
def catalogue() -> Catalogue:
    return parse(tool_json("strata-catalogue"))
