"""A recipe names a heap of the catalogue and fixes its tunables: what a search proposes and a `.so` is built from."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from strata.catalogue import Catalogue, HeapEntry
from strata.errors import UserError

FORMAT = 1


@dataclass(frozen=True)
class Recipe:
    """A heap and the tunables that differ from its defaults, in the catalogue's order, so that equals are equal."""

    entry: HeapEntry
    tunables: tuple[tuple[str, int], ...]

    @property
    def name(self) -> str:
        """As on the command line: kingsley:chunk=16384."""
        return ":".join([self.entry.name, *(f"{key}={value}" for key, value in self.tunables)])

    @property
    def type(self) -> str:
        """The heap as a C++ type."""
        if not self.entry.tunables_type:
            return self.entry.type
        constants = ", ".join(f".{key} = {value}" for key, value in self.tunables)
        return f"{self.entry.type}<{self.entry.tunables_type}{{{constants}}}>"

    @property
    def source(self) -> str:
        """The one translation unit of this drop-in."""
        return f'#include "preload/drop_in.hpp"\n#include <{self.entry.header}>\n\nSTRATA_DROP_IN({self.type})\n'

    @property
    def tree_source(self) -> str:
        """The one translation unit of a program that prints what the heap is made of."""
        include = f'#include "preload/composition/program.hpp"\n#include <{self.entry.header}>'
        return f"{include}\n\nSTRATA_COMPOSITION({self.type})\n"

    def toml(self) -> str:
        lines = [
            "# A Strata recipe: one heap of the catalogue with its tunables fixed as constants.",
            "# Build it with:  strata build recipe.toml -o libNAME.so",
            f"format = {FORMAT}",
            f'heap = "{self.entry.name}"',
            "",
            "[tunables]",
        ]
        chosen = dict(self.tunables)
        for tunable in self.entry.tunables:
            value = chosen.get(tunable.name)
            if value is None:
                lines.append(f"# {tunable.name} = {tunable.default}  # the default; {tunable.what}")
            else:
                lines.append(f"{tunable.name} = {value}  # default {tunable.default}; {tunable.what}")
        return "\n".join(lines) + "\n"


def make(catalogue: Catalogue, heap: str, tunables: Mapping[str, object]) -> Recipe:
    """A checked recipe; names the nearest valid name or the range where something is wrong."""
    entry = catalogue.heap(heap)
    given = {key: entry.tunable(key).check(heap, value) for key, value in tunables.items()}
    kept = tuple((t.name, given[t.name]) for t in entry.tunables if t.name in given and given[t.name] != t.default)
    return Recipe(entry, kept)


def read(catalogue: Catalogue, path: Path) -> Recipe:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not a recipe: {error}") from error
    if document.get("format", FORMAT) != FORMAT:
        raise UserError(f"{path}: recipe format {document['format']} is not known here: this Strata reads {FORMAT}")
    unknown = sorted(set(document) - {"format", "heap", "tunables"})
    if unknown:
        raise UserError(f"{path}: unknown key {unknown[0]!r}: a recipe has heap and [tunables]")
    heap, tunables = document.get("heap"), document.get("tunables", {})
    if not isinstance(heap, str):
        raise UserError(f'{path}: a recipe needs heap = "NAME"; see strata list')
    if not isinstance(tunables, dict):
        raise UserError(f"{path}: tunables must be a table: [tunables]")
    try:
        return make(catalogue, heap, tunables)
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
