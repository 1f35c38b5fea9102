"""`strata list --tree HEAP` with the real tools."""

import json
import platform
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Strata

from strata.tools import ROOT

pytestmark = pytest.mark.tools

PICTURES = sorted((ROOT / "docs" / "images").glob("*.svg"))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the pictures were made with pages of 4 KiB")
@pytest.mark.parametrize("committed", PICTURES, ids=lambda path: path.stem)
def test_the_pictures_in_docs_are_what_the_command_makes(strata: Strata, tmp_path: Path, committed: Path) -> None:
    done = strata("list", "--tree", committed.stem, "--svg", "now.svg")
    assert done.returncode == 0, done.stderr
    again = f"make it again: ./strata list --tree {committed.stem} --svg {committed.relative_to(ROOT)}"
    assert (tmp_path / "now.svg").read_text() == committed.read_text(), again


def test_there_are_pictures_of_what_docs_explain() -> None:
    assert {"kingsley", "coalescing_kingsley", "lea"} <= {picture.stem for picture in PICTURES}


def test_a_tree_for_every_heap_of_the_catalogue(strata: Strata) -> None:
    heaps = json.loads(strata("list", "--json", "-").stdout)["heaps"]
    assert heaps
    for heap in heaps:
        done = strata("list", "--tree", heap["name"], "--json", "-")
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert document["tree"]["layer"] == "AnsiWrapper"
        assert f"{heap['name']}: {heap['summary']}" in done.stderr
        for request in document["requests"]:
            assert request["bytes"] <= request["usable"] <= request["taken"] - request["in_front"], request


def test_tunables_and_recipes_are_compiled(strata: Strata, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('heap = "kingsley"\n[tunables]\nsteps = 4\nchunk = 16384\n')
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    documents = []
    for heap in ("r.toml", "kingsley:chunk=16K:steps=4"):
        done = strata("list", "--tree", heap, "--json", "-", "--svg", "x.svg", **cache)
        assert done.returncode == 0, done.stderr
        documents.append(json.loads(done.stdout))
    assert documents[0] == documents[1]
    assert documents[0]["heap"] == "kingsley:chunk=16384:steps=4"
    assert '"bytes": 16384' in json.dumps(documents[0])
    assert len(list((tmp_path / "cache" / "strata").iterdir())) == 1, "the second is taken from the cache"
    ElementTree.parse(tmp_path / "x.svg")


@pytest.mark.parametrize(
    ("arguments", "status", "word"),
    [
        (["--tree", "glibc"], 1, "glibc: we can see into our own heaps only"),
        (["--tree", "current"], 1, "known: "),
        (["--tree", "/lib/x86_64-linux-gnu/libc.so.6"], 1, "we can see into our own heaps only"),
        (["--tree", "kingsly"], 1, "did you mean kingsley?"),
        (["--tree", "kingsley:steps=3"], 1, "powers of two"),
        (["--tree", "none.toml"], 1, "No such file"),
        (["--tree", "kingsley", "--svg", "none/x.svg"], 1, "No such file"),
        (["--svg", "x.svg"], 2, "strata list --tree HEAP --svg x.svg"),
    ],
)
def test_errors_are_one_line(strata: Strata, arguments: list[str], status: int, word: str) -> None:
    done = strata("list", *arguments)
    assert done.returncode == status
    assert word in done.stderr
    assert done.stderr.startswith("strata: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stdout == ""


def test_without_a_compiler_ready_heaps_are_shown_still(strata: Strata, tmp_path: Path) -> None:
    bare = {"PATH": str(tmp_path), "CXX": ""}
    assert strata("list", "--tree", "lea", **bare).returncode == 0
    done = strata("list", "--tree", "lea:quick=128", **bare)
    assert done.returncode == 1
    assert "install g++" in done.stderr
