"""HEAP on a command line: one of ours, an installed peer, a recipe, any malloc library, or the environment as it is."""

import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from strata import peers, recipes
from strata.catalogue import catalogue
from strata.compiler import compile_recipe
from strata.errors import UserError
from strata.naming import nearest
from strata.recipes import Recipe
from strata.tools import library as built_library

CURRENT_NAMES = ("current", "default")
Kind = Literal["current", "ours", "peer", "library"]


@dataclass(frozen=True)
class Heap:
    """A malloc that a program can be run under."""

    name: str
    kind: Kind
    library: Path | None  # what is preloaded; None: the environment as it is
    recipe: Recipe | None = None
    version: str | None = None


CURRENT = Heap("current", "current", None)


def parse(text: str) -> Heap:
    """A heap whose library is there and can be preloaded, or an error line."""
    if text in CURRENT_NAMES:
        return CURRENT
    recipe = recipe_of(text)
    if recipe is not None:
        return ours(recipe)
    if is_library(text):
        return _from_library(Path(text))
    name, _, settings = text.partition(":")
    for peer in peers.installed():
        if peer.name == name:
            if settings:
                raise UserError(f"{text}: {name} is not ours, so it takes no tunables here: use --heap {name}")
            return of_peer(peer)
    names = [entry.name for entry in catalogue().heaps] + [peer.name for peer in peers.installed()]
    raise UserError(f"no heap {name!r}: {nearest(name, [*names, *CURRENT_NAMES])}; see strata list")


def is_library(text: str) -> bool:
    return "/" in text or ".so" in text


def recipe_of(text: str) -> Recipe | None:
    """The recipe of one of our heaps, in a file or as NAME[:KEY=VALUE]...; None for what is not ours."""
    if text.endswith(".toml"):
        return recipes.read(catalogue(), Path(text))
    if is_library(text):
        return None
    name, *settings = text.split(":")
    tunables: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not key or not equals or not value:
            raise UserError(f"{text}: {setting!r} is not KEY=VALUE: write NAME:KEY=VALUE, e.g. kingsley:chunk=65536")
        tunables[key] = value
    return recipes.make(catalogue(), name, tunables) if name in catalogue() else None


def ours(recipe: Recipe) -> Heap:
    """A heap of the catalogue: the ready drop-in if nothing is changed, else one compiled for these tunables."""
    ready = built_library(recipe.entry.library)
    use_ready = not recipe.tunables and ready.exists()
    return Heap(recipe.name, "ours", checked(ready if use_ready else compile_recipe(recipe)), recipe)


def compiled(recipe: Recipe) -> Heap:
    """The same, always compiled from its recipe: what is measured is what is handed over."""
    return Heap(recipe.name, "ours", checked(compile_recipe(recipe)), recipe)


def of_peer(peer: peers.Peer) -> Heap:
    return Heap(peer.name, "peer", checked(peer.library), version=peer.version)


def _from_library(path: Path) -> Heap:
    full = path.absolute()
    if not full.exists():
        raise UserError(f"{path}: no such library")
    try:
        content = full.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    if content[:4] != b"\x7fELF":
        raise UserError(f"{path}: not a shared library: HEAP is a name (see strata list), a recipe.toml or a library")
    if b"malloc\0" not in content:
        raise UserError(f"{path}: has no malloc in it: HEAP must be a malloc library")
    return Heap(path.name, "library", checked(full))


def splits(library: Path) -> bool:
    """LD_PRELOAD would take this path for several, or for a variable of the linker."""
    return any(character in str(library) for character in " :;$")


@cache
def checked(library: Path) -> Path:
    """The library, once the dynamic linker was seen to preload it: it skips one that it cannot, with a mere warning."""
    if splits(library):
        raise UserError(f"{library}: LD_PRELOAD cannot name a path with a space, ':', ';' or '$': move or link it")
    probe = subprocess.run(
        ["/bin/true"], env={"LD_PRELOAD": str(library)}, capture_output=True, text=True, errors="replace", check=False
    )
    if probe.returncode != 0:
        raise UserError(f"{library}: even /bin/true fails with it preloaded (exit status {probe.returncode})")
    if "cannot be preloaded" in probe.stderr:
        reason = probe.stderr.strip().rpartition("from LD_PRELOAD ")[2] or "the dynamic linker refuses it"
        raise UserError(f"{library}: cannot be preloaded: {reason}")
    return library


def environment(heap: Heap) -> dict[str, str]:
    """Our environment with the heap preloaded before whatever is preloaded already."""
    result = dict(os.environ)
    if heap.library is not None:
        result["LD_PRELOAD"] = ":".join(filter(None, [str(heap.library), os.environ.get("LD_PRELOAD")]))
    return result
