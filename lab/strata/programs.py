"""Runs the program itself under a heap: what it cost, how it ended, and a hash of what it wrote."""

import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Literal

from strata.errors import UserError
from strata.experiment import ArmFailed, Sample
from strata.heaps import Heap
from strata.processes import beside, last_line, wait
from strata.terminal import say
from strata.tools import shell_words, tool

PAGE = 4096  # least that a ratio of memory is made from
Clock = Literal["cpu", "wall"]  # which time a heap is judged by
COMPUTES = 0.5  # of its wall time on a CPU: a program that mostly waits gains nothing from less CPU time
CLOCK_TICK = 1e-6  # what a program too short for the clock of CPU time is taken to have used
GRACE_SECONDS = 10.0  # a run may take this much longer than ten times the longest it took before


@dataclass(frozen=True)
class Program:
    """A command, the file that every run reads as its standard input, and a command that runs beside every run (the
    load of a server); None: nothing to read, nothing beside it."""

    command: tuple[str, ...]
    stdin: Path | None = None
    beside: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        return Path(self.command[0]).name

    @property
    def text(self) -> str:
        words = shell_words(self.command)
        return f"{words} < {shell_words([str(self.stdin)])}" if self.stdin else words


@dataclass(frozen=True)
class ProgramRun:
    """One run of a program."""

    exit_status: int
    signal: int | None
    seconds: float
    cpu_seconds: float
    peak_resident_bytes: int
    average_resident_bytes: int
    output: str  # hash of standard output
    last_words: str  # last line of standard error

    @property
    def ending(self) -> str:
        """How it ended, for people."""
        if self.signal is None:
            return f"exit status {self.exit_status}"
        return f"signal {self.signal} ({signal.Signals(self.signal).name})"

    def sample(self, clock: Clock) -> Sample:
        """`time` is what heaps are judged by: CPU time or wall time."""
        cpu = max(self.cpu_seconds, CLOCK_TICK)
        time = cpu if clock == "cpu" else self.seconds
        return {
            "time": time,
            "seconds": self.seconds,
            "cpu_seconds": cpu,
            "peak_resident_bytes": float(max(self.peak_resident_bytes, PAGE)),
            "average_resident_bytes": float(max(self.average_resident_bytes, PAGE)),
            "balanced": sqrt(time * max(self.peak_resident_bytes, PAGE)),
        }


def require(command: Sequence[str]) -> None:
    """The program is there and may be executed."""
    name = command[0]
    if shutil.which(name) is None:
        there = Path(name).exists()
        if "/" in name and there:
            raise UserError(f"{name}: may not be executed: chmod +x it, or name its interpreter first", 126)
        hint = "; write ./ before it if it lies here" if there else ""
        raise UserError(f"{name}: no such program{hint}", 127)


def capture_stdin(target: Path) -> Path | None:
    """Keeps what is piped in, so that every run reads the same; None for a terminal or nothing."""
    stream = sys.stdin
    if stream is None or stream.closed or stream.isatty():
        return None
    patience = threading.Timer(2, say, ["strata: reading standard input to its end, to give it to every run"])
    patience.start()
    try:
        with target.open("wb") as file:
            shutil.copyfileobj(stream.buffer, file)
    finally:
        patience.cancel()
    if target.stat().st_size == 0:
        target.unlink()
        return None
    return target


def run(program: Program, heap: Heap, *, limit: float | None = None) -> ProgramRun:
    """One run to its end. Raises ArmFailed if it takes longer than `limit` seconds, or what runs beside it fails."""
    with tempfile.TemporaryDirectory(prefix="strata-run-") as scratch:
        report, out, err = (Path(scratch) / name for name in ("report", "out", "err"))
        command: list[str | Path] = [tool("strata-measure"), "--report", report]
        if heap.library is not None:
            command += ["--preload", heap.library]
        with (
            (program.stdin or Path(os.devnull)).open("rb") as stdin,
            out.open("wb") as stdout,
            err.open("wb") as stderr,
            beside(program.beside) as load,
        ):
            status = wait([*command, "--", *program.command], stdin, stdout, stderr, limit, load=load)
            failure = load.part() if load else None
        if not report.exists():
            raise UserError(f"{program.text}: {last_line(err) or f'strata-measure ended with {status}'}", 125)
        result = json.loads(report.read_text())
        if failure is not None and result["signal"] is None:
            raise ArmFailed(failure)
        return ProgramRun(
            exit_status=result["exit_status"],
            signal=result["signal"],
            seconds=result["seconds"],
            cpu_seconds=result["user_seconds"] + result["system_seconds"],
            peak_resident_bytes=result["peak_resident_bytes"],
            average_resident_bytes=result["average_resident_bytes"],
            output=digest(out),
            last_words=last_line(err),
        )


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class Expectation:
    """How the program ends and what it writes under the current heap; every heap must do the same."""

    exit_status: int
    output: str | None  # None: differs between two runs under the current heap, so it cannot be compared
    seconds: float
    clock: Clock = "wall"

    @property
    def limit(self) -> float:
        return 10 * self.seconds + GRACE_SECONDS

    def check(self, run: ProgramRun) -> None:
        """Raises ArmFailed with the reason if this run went another way."""
        if run.signal is not None:
            words = f": {run.last_words}" if run.last_words else ""
            raise ArmFailed(f"crashed with {run.ending}{words}")
        if run.exit_status != self.exit_status:
            raise ArmFailed(f"exit status {run.exit_status} instead of {self.exit_status}")
        if self.output is not None and run.output != self.output:
            raise ArmFailed("wrote something else to standard output")


def expect(first: ProgramRun, second: ProgramRun, *, alone: bool = False) -> Expectation:
    """From two runs under the current heap, which must end alike.

    A program that computes in one thread of one process (`alone`) is judged by its CPU time: the wall time differs
    from it by what other programs took meanwhile, which is noise. With several threads or processes, or much
    waiting, wall time is what counts.
    """
    for run_ in (first, second):
        if run_.signal is not None:
            raise UserError(
                f"the program itself dies under the current heap by {run_.ending}, so heaps cannot be compared: "
                f"{run_.last_words or 'it says nothing'}"
            )
    if first.exit_status != second.exit_status:
        raise UserError(
            f"two runs of the same command ended with exit status {first.exit_status} and {second.exit_status}: "
            "give tune a program whose runs are alike"
        )
    output = first.output if first.output == second.output else None
    computes = max(run_.cpu_seconds / max(run_.seconds, CLOCK_TICK) for run_ in (first, second)) >= COMPUTES
    clock: Clock = "cpu" if alone and computes else "wall"
    return Expectation(first.exit_status, output, max(first.seconds, second.seconds), clock)


def measured(program: Program, heap: Heap, expectation: Expectation) -> Sample:
    """One run as a sample of an experiment."""
    done = run(program, heap, limit=expectation.limit)
    expectation.check(done)
    return done.sample(expectation.clock)
