"""Replays one stream of a trace under a heap: a process of strata-replay with that heap preloaded."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from strata.errors import UserError
from strata.experiment import ArmFailed, Sample
from strata.heaps import Heap, environment
from strata.processes import last_line, wait
from strata.programs import CLOCK_TICK, PAGE
from strata.tools import failure_line, library, tool

NULL_NAME = "null"  # the arm that only costs what the engine costs


def null_heap() -> Heap:
    """A small ring of mapped memory: what remains is the engine itself."""
    path = library("libstrata-null.so")
    if not path.exists():
        raise UserError(f"libstrata-null.so is not in {path.parent}: build it (cmake --build --preset release)")
    return Heap(NULL_NAME, "library", path)


@dataclass
class Replayer:
    """Replays one stream; keeps the last full answer of every heap, for curves."""

    trace: Path
    stream: int
    touch: bool = True
    limit: float | None = None

    def __post_init__(self) -> None:
        self.answers: dict[str, dict[str, Any]] = {}

    def replay(self, heap: Heap) -> Sample:
        command: list[str | Path] = [tool("strata-replay"), "--stream", str(self.stream)]
        if not self.touch:
            command.append("--no-touch")
        with tempfile.TemporaryDirectory(prefix="strata-replay-") as scratch:
            answer, err = Path(scratch) / "answer.json", Path(scratch) / "err"
            with err.open("wb") as stderr:
                status = wait(
                    [*command, "--json", answer, self.trace],
                    subprocess.DEVNULL,
                    subprocess.DEVNULL,
                    stderr,
                    self.limit,
                    environment(heap),
                )
            if status < 0:
                raise ArmFailed(f"crashed in the replay with signal {-status}")
            if status != 0:
                raise ArmFailed(failure_line("strata-replay", status, last_line(err)))
            result: dict[str, Any] = json.loads(answer.read_text())
        self._accept(heap, result)
        return sample(result)

    def _accept(self, heap: Heap, result: dict[str, Any]) -> None:
        used = result.get("heap_library")
        if heap.library is not None and used and Path(used).resolve() != heap.library.resolve():
            raise ArmFailed(f"the replay's malloc came from {used}, not from {heap.library}")
        if result.get("failed_allocations"):
            raise ArmFailed(f"{result['failed_allocations']} allocations failed in the replay")
        self.answers[heap.name] = result


def sample(answer: dict[str, Any]) -> Sample:
    """The metrics of an experiment: under the names that a program's run has, with the time in malloc alone."""
    nanoseconds = max(float(answer["nanoseconds_per_event"]), CLOCK_TICK)
    peak = max(float(answer["peak_resident_bytes"]), PAGE)
    return {
        "nanoseconds_per_event": nanoseconds,
        "peak_resident_bytes": peak,
        "average_resident_bytes": max(float(answer["average_resident_bytes"]), PAGE),
        "balanced": sqrt(nanoseconds * peak),
    }
