"""The trace of a workload, recorded once and kept, because recording all of them takes minutes.

A trace is kept under a key made of the content of everything that it is known to depend on: the command and every
file that it names (the program itself, its inputs), what runs beside it, standard input, the fixed environment, and
the recorder.
A workload is recorded again when any of these changed, and the older trace of that input goes.
"""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from workloads import FIXED

from strata.errors import UserError
from strata.programs import Expectation, Program, digest
from strata.recordings import record
from strata.tools import ROOT, library, tool

FOLDER = ROOT / "build" / "workloads" / "traces"
KEY_LENGTH = 16


def key(program: Program) -> str:
    """Hexadecimal; equal for equal commands on equal files."""
    return hashlib.sha256("\0".join(_parts(program)).encode()).hexdigest()[:KEY_LENGTH]


def _parts(program: Program) -> Iterator[str]:
    for words in (program.command, program.beside or ()):
        yield f"{len(words)}"
        for word in words:
            found = shutil.which(word) if word == words[0] else word
            yield word
            yield digest(Path(found)) if found and Path(found).is_file() else ""
    yield digest(program.stdin) if program.stdin else ""
    yield repr(sorted(FIXED.items()))
    yield digest(library("libstrata-recorder.so"))
    yield digest(tool("strata-record"))


def kept(name: str, program: Program, expectation: Expectation, folder: Path = FOLDER) -> tuple[Path, bool]:
    """The trace of this program under a name, and whether it had to be recorded now."""
    folder.mkdir(parents=True, exist_ok=True)
    trace = folder / f"{name}-{key(program)}.trace"
    if trace.exists():
        return trace, False
    for stale in folder.glob(f"{name}-{'?' * KEY_LENGTH}.trace"):
        stale.unlink()
    partial = trace.with_suffix(".new")
    done = record(program, partial)
    if done.signal is not None or done.exit_status != expectation.exit_status:
        how = f"signal {done.signal}" if done.signal is not None else f"exit status {done.exit_status}"
        raise UserError(f"under the recorder it ended with {how}, not with exit status {expectation.exit_status}")
    if not done.complete:
        raise UserError(f"its recording is incomplete: {'; '.join(done.warnings) or 'it does not say why'}")
    return partial.rename(trace), True
