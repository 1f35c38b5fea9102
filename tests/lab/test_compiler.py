"""What a compiled recipe is filed under, and how it is put into place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from strata import compiler
from strata.catalogue import Catalogue
from strata.compiler import Build, Compiler, deliver, drop_in_of, key, tree_of
from strata.errors import UserError
from strata.recipes import Recipe, make

GCC = Compiler("/usr/bin/g++", "g++ (Debian 12.2.0) 12.2.0")
CLANG = Compiler("/usr/bin/clang++-19", "Debian clang version 19.1")


def test_the_key_tells_all_that_matters_apart(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    def key_of(by: Compiler, build_of: Callable[[Recipe, Compiler], Build] = drop_in_of, **tunables: object) -> str:
        return key(build_of(make(catalogue, "tuned", tunables), by), by)

    keys = [key_of(GCC), key_of(CLANG), key_of(GCC, spare=1), key_of(GCC, tree_of)]
    monkeypatch.setattr(compiler, "headers_digest", lambda: "a header was changed")
    keys.append(key_of(GCC))
    assert len(set(keys)) == 5
    assert keys[-1] == key_of(GCC, spare=2)


def test_headers_of_drop_ins_are_part_of_it() -> None:
    names = [path.name for path in compiler.header_files()]
    assert "drop_in.hpp" in names
    assert "kingsley_heap.hpp" in names


def test_flags_that_only_one_compiler_has() -> None:
    assert "-fno-gnu-unique" in GCC.flags
    assert "-fno-gnu-unique" not in CLANG.flags
    assert "-nostdlib++" in CLANG.link_flags
    assert "-nostdlib++" not in GCC.link_flags


def test_a_library_in_use_is_replaced_not_overwritten(tmp_path: Path) -> None:
    source, target = tmp_path / "new.so", tmp_path / "old.so"
    source.write_bytes(b"new")
    target.write_bytes(b"old")
    with target.open("rb") as loaded:
        deliver(source, target)
        assert loaded.read() == b"old"
    assert target.read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.so", "old.so"]


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    source = tmp_path / "new.so"
    source.write_bytes(b"new")
    with pytest.raises(UserError, match="No such file"):
        deliver(source, tmp_path / "none" / "x.so")
