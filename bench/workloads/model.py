"""What a workload is: a real program of Debian 12 on a real input, and on another one that nothing is tuned on.

Needs nothing set up. Guarantees: a command names absolute paths, so that it runs the same from any folder.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from strata.programs import Program
from strata.tools import ROOT

OURS = ROOT / "bench" / "workloads" / "inputs"  # scripts and small inputs of our own
MADE = ROOT / "build" / "workloads"  # what the set-up makes of files that Debian's packages ship


@dataclass(frozen=True)
class Made:
    """An input that the set-up makes: what a command writes to its standard output."""

    name: str
    command: tuple[str, ...]

    @property
    def path(self) -> Path:
        return MADE / self.name


def made(name: str, *command: str | Path | Made) -> Made:
    return Made(name, _words(command))


@dataclass(frozen=True)
class Case:
    """One command that is measured, and what it reads."""

    command: tuple[str, ...]
    stdin: Path | None = None
    beside: tuple[str, ...] | None = None  # runs along without any preload: the load of a server

    @property
    def program(self) -> Program:
        return Program(self.command, self.stdin, self.beside)


def case(*command: str | Path | Made, stdin: Path | Made | None = None, beside: tuple[str, ...] | None = None) -> Case:
    return Case(_words(command), stdin.path if isinstance(stdin, Made) else stdin, beside)


@dataclass(frozen=True)
class Workload:
    """A program and its two inputs. `threads`: more than one thread allocates, or it is a server that waits."""

    name: str
    what: str
    tune: Case
    held_out: Case
    packages: tuple[str, ...]
    inputs: tuple[Made, ...] = ()
    threads: bool = False

    @property
    def cases(self) -> Iterator[tuple[str, Case]]:
        yield "tune", self.tune
        yield "held_out", self.held_out


def _words(command: tuple[str | Path | Made, ...]) -> tuple[str, ...]:
    return tuple(str(word.path if isinstance(word, Made) else word) for word in command)
