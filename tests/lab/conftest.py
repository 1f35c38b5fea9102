"""What the tests of the lab share: a catalogue that is not the real one, a result to report on, and the real tools."""

import copy
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sample_result import RESULT

from strata.catalogue import Catalogue, parse
from strata.tools import ROOT, build_folder

TOOLS = ("strata-record", "strata-trace", "strata-replay", "strata-catalogue", "strata-measure")


def find_tools() -> Path | None:
    """A build that has all tools: STRATA_BUILD, else the builds that ./strata and ./test make."""
    for build in (build_folder(), ROOT / "build" / "test", ROOT / "build" / "release"):
        if all(os.access(build / "bin" / tool, os.X_OK) for tool in TOOLS):
            return build
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_tools() is None:
        for item in items:
            if item.get_closest_marker("tools"):
                item.add_marker(pytest.mark.skip(reason="the lab's C++ tools are not built: set STRATA_BUILD"))


@pytest.fixture(autouse=True, scope="session")
def _build() -> None:
    build = find_tools()
    if build is not None:
        os.environ["STRATA_BUILD"] = str(build)


@pytest.fixture
def catalogue() -> Catalogue:
    """Two heaps that do not exist, so that no test leans on the names of ours."""
    chunk = {"name": "chunk", "default": 4096, "low": 1024, "high": 1048576, "step": "power of two", "what": "bytes"}
    spare = {"name": "spare", "default": 2, "low": 0, "high": 8, "step": "any", "what": "blocks kept"}
    heap = {"header": "strata/heap/x.hpp", "type": "strata::X", "library": "libstrata-x.so", "summary": "a test"}
    none: dict[str, Any] = {"tunables_type": "", "tunables": []}
    tuned = {"tunables_type": "strata::XTunables", "tunables": [chunk, spare]}
    return parse({"heaps": [{"name": "tuned", **heap, **tuned}, {"name": "plain", **heap, **none}]})


@pytest.fixture
def result() -> dict[str, Any]:
    """A result.json of a tuning, to change at will."""
    return copy.deepcopy(RESULT)


Strata = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def strata(tmp_path: Path) -> Strata:
    """Runs the command as a user does, in an empty folder."""

    def run(*arguments: str, stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "strata", *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT / "lab")} | environment,
            input=stdin if stdin is not None else "",
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    return run
