"""Recipes: names, sources, TOML there and back, and what is said of a wrong one."""

from pathlib import Path

import pytest

from strata import recipes
from strata.catalogue import Catalogue
from strata.errors import UserError


def test_name_and_source_of_a_recipe(catalogue: Catalogue) -> None:
    recipe = recipes.make(catalogue, "tuned", {"spare": 3, "chunk": "16K"})
    assert recipe.name == "tuned:chunk=16384:spare=3"
    assert "STRATA_DROP_IN(strata::X<strata::XTunables{.chunk = 16384, .spare = 3}>)" in recipe.source
    assert '#include "preload/drop_in.hpp"\n#include <strata/heap/x.hpp>\n' in recipe.source


def test_a_default_is_the_same_as_nothing(catalogue: Catalogue) -> None:
    plain = recipes.make(catalogue, "tuned", {})
    assert recipes.make(catalogue, "tuned", {"chunk": 4096}) == plain
    assert plain.name == "tuned"


def test_a_heap_without_tunables(catalogue: Catalogue) -> None:
    assert "STRATA_DROP_IN(strata::X)" in recipes.make(catalogue, "plain", {}).source


@pytest.mark.parametrize("tunables", [{}, {"chunk": 65536}, {"chunk": 1024, "spare": 0}])
def test_toml_there_and_back(catalogue: Catalogue, tmp_path: Path, tunables: dict[str, object]) -> None:
    recipe = recipes.make(catalogue, "tuned", tunables)
    file = tmp_path / "recipe.toml"
    file.write_text(recipe.toml())
    assert recipes.read(catalogue, file) == recipe


@pytest.mark.parametrize(
    ("heap", "tunables", "words"),
    [
        ("tunde", {}, ["no heap 'tunde'", "did you mean tuned?"]),
        ("tuned", {"chunck": 4096}, ["no tunable 'chunck'", "did you mean chunk?"]),
        ("plain", {"chunk": 4096}, ["plain has no tunable 'chunk'", "there are none"]),
        ("tuned", {"chunk": 5000}, ["chunk=5000", "1024 to 1048576, powers of two"]),
        ("tuned", {"chunk": 512}, ["chunk=512", "1024 to 1048576"]),
        ("tuned", {"spare": 9}, ["spare=9", "0 to 8"]),
        ("tuned", {"spare": "many"}, ["spare=many", "0 to 8"]),
        ("tuned", {"spare": True}, ["spare=True", "0 to 8"]),
    ],
)
def test_a_wrong_recipe_says_what_is_right(
    catalogue: Catalogue, heap: str, tunables: dict[str, object], words: list[str]
) -> None:
    with pytest.raises(UserError) as raised:
        recipes.make(catalogue, heap, tunables)
    assert all(word in str(raised.value) for word in words), str(raised.value)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("heap = ", "not a recipe"),
        ("[tunables]\nchunk = 4096\n", "needs heap"),
        ('heap = "tuned"\ncolour = 1\n', "unknown key 'colour'"),
        ('heap = "tuned"\ntunables = 3\n', "must be a table"),
        ('heap = "tuned"\nformat = 9\n', "format 9"),
        ('heap = "tuned"\n[tunables]\nchunk = 7\n', "chunk=7"),
    ],
)
def test_a_wrong_file_names_itself(catalogue: Catalogue, tmp_path: Path, text: str, word: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(UserError) as raised:
        recipes.read(catalogue, file)
    assert str(file) in str(raised.value)
    assert word in str(raised.value)


def test_a_missing_file(catalogue: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file"):
        recipes.read(catalogue, tmp_path / "none.toml")
