"""HEAP on the command line."""

import os
from pathlib import Path

import pytest

from strata import heaps, peers
from strata.catalogue import Catalogue
from strata.errors import UserError
from strata.peers import Known, Peer, soname_of


@pytest.fixture(autouse=True)
def _machine(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one peer, and our two heaps ready-built."""
    peer = Peer("jemalloc", "jemalloc", Path("/lib/libjemalloc.so.2"), "5.3")
    monkeypatch.setattr(heaps, "catalogue", lambda: catalogue)
    monkeypatch.setattr(peers, "installed", lambda: (peer,))
    monkeypatch.setattr(heaps, "compile_recipe", lambda recipe: Path(f"/cache/{recipe.name}.so"))
    monkeypatch.setattr(heaps, "checked", lambda library: library)


@pytest.mark.parametrize("name", ["current", "default"])
def test_the_environment_as_it_is(name: str) -> None:
    assert heaps.parse(name) is heaps.CURRENT
    assert heaps.CURRENT.library is None


def test_ours_with_tunables() -> None:
    heap = heaps.parse("tuned:spare=3:chunk=8K")
    assert (heap.name, heap.kind) == ("tuned:chunk=8192:spare=3", "ours")
    assert heap.library == Path("/cache/tuned:chunk=8192:spare=3.so")


def test_a_peer() -> None:
    heap = heaps.parse("jemalloc")
    assert (heap.kind, heap.library, heap.version) == ("peer", Path("/lib/libjemalloc.so.2"), "5.3")


def test_a_recipe_file(tmp_path: Path) -> None:
    file = tmp_path / "r.toml"
    file.write_text('heap = "tuned"\n[tunables]\nspare = 1\n')
    assert heaps.parse(str(file)).name == "tuned:spare=1"


def test_a_malloc_library(tmp_path: Path) -> None:
    library = tmp_path / "libmine.so"
    library.write_bytes(b"\x7fELF....\0malloc\0free\0")
    heap = heaps.parse(str(library))
    assert (heap.kind, heap.name, heap.library) == ("library", "libmine.so", library)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("jemaloc", "did you mean jemalloc?"),
        ("tuned:chunk", "is not KEY=VALUE"),
        ("tuned:chunk=", "is not KEY=VALUE"),
        ("tuned:chunk=3", "powers of two"),
        ("tuned:chnk=4096", "did you mean chunk?"),
        ("jemalloc:x=1", "takes no tunables"),
        ("/no/such/lib.so", "no such library"),
        ("/etc/passwd", "not a shared library"),
        ("none.toml", "No such file"),
    ],
)
def test_errors_name_the_culprit_and_the_mend(text: str, word: str) -> None:
    with pytest.raises(UserError) as raised:
        heaps.parse(text)
    assert word in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_library_without_malloc(tmp_path: Path) -> None:
    library = tmp_path / "libother.so"
    library.write_bytes(b"\x7fELF....\0printf\0")
    with pytest.raises(UserError, match="no malloc"):
        heaps.parse(str(library))


def test_what_is_preloaded_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/lib/a.so:/lib/b.so")
    assert heaps.environment(heaps.parse("jemalloc"))["LD_PRELOAD"] == "/lib/libjemalloc.so.2:/lib/a.so:/lib/b.so"
    assert heaps.environment(heaps.CURRENT) == dict(os.environ)


@pytest.mark.parametrize(
    ("stem", "file", "fits"),
    [
        ("libjemalloc", "libjemalloc.so.2", True),
        ("libjemalloc", "libjemalloc.so", True),
        ("libjemalloc", "libjemalloc_pic.a", False),
        ("libtcmalloc", "libtcmalloc_minimal.so.4", False),
        ("libtcmalloc_minimal", "libtcmalloc_minimal_debug.so.4", False),
        ("libc", "libc.so.6", True),
        ("libc", "libcrypt.so.1", False),
    ],
)
def test_sonames(stem: str, file: str, fits: bool) -> None:
    assert soname_of(Known("x", stem, "x"), file) is fits
