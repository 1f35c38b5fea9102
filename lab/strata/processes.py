"""Child processes of a measurement: waiting for one, and what runs beside it, such as the load of a server.

What runs beside a program is started just before each run and ended with it. It gets no heap preloaded, so that only
the program is measured. One that ends with a failure while the program runs, or shortly after, has failed the run;
one that is still running then has done its part and is stopped.
"""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from strata.experiment import ArmFailed
from strata.tools import shell_words

PARTING_SECONDS = 10.0  # that a load may take to end after its server, or a server after its load failed
WATCH_SECONDS = 0.05  # how often a running program's load is looked after


def last_line(path: Path) -> str:
    """The last words of a log, at most a line."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4096))
        lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1][:200] if lines else ""


class Beside:
    """One running command. Its standard output is thrown away."""

    def __init__(self, command: Sequence[str], words: Path) -> None:
        self._command, self._words = command, words
        with words.open("wb") as stderr:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                process_group=0,
            )

    @property
    def failure(self) -> str | None:
        """Why it failed, if it has."""
        status = self._process.poll()
        if status is None or status == 0:
            return None
        ending = f"signal {-status}" if status < 0 else f"exit status {status}"
        words = last_line(self._words)
        return f"what runs beside it ({shell_words(self._command)}) failed with {ending}{': ' if words else ''}{words}"

    def part(self) -> str | None:
        """After the program's end: why it failed, if it did."""
        try:
            self._process.wait(PARTING_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        return self.failure

    def stop(self) -> None:
        """Ends the whole process group, also what a command left behind that has ended itself."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def beside(command: Sequence[str] | None) -> Iterator[Beside | None]:
    """Runs the command until the block ends; None: nothing runs."""
    if command is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="strata-beside-") as scratch:
        running = Beside(command, Path(scratch) / "err")
        try:
            yield running
        finally:
            running.stop()


def wait(
    command: Sequence[str | Path],
    stdin: IO[bytes] | int,
    stdout: IO[bytes] | int,
    stderr: IO[bytes] | int,
    limit: float | None,
    environment: dict[str, str] | None = None,
    load: Beside | None = None,
) -> int:
    """Runs a command in a process group of its own, which dies whole when it hangs, its load fails or we are
    interrupted."""
    process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, process_group=0, env=environment)
    try:
        return process.wait(limit) if load is None else _wait_with(process, load, limit)
    except subprocess.TimeoutExpired:
        raise ArmFailed(f"still running after {limit:.0f} s, so it was stopped") from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_with(process: subprocess.Popen[bytes], load: Beside, limit: float | None) -> int:
    """The same, while a load runs beside it: once that has failed, the program would wait for ever."""
    over = None if limit is None else time.monotonic() + limit
    while load.failure is None:
        try:
            return process.wait(WATCH_SECONDS)
        except subprocess.TimeoutExpired:
            if over is not None and time.monotonic() > over:
                raise
    try:
        return process.wait(PARTING_SECONDS)
    except subprocess.TimeoutExpired:
        raise ArmFailed(load.failure) from None
