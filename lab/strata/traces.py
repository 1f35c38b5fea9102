"""What a trace says of a program: its streams (one a process), sizes, lifetimes, and the curve of live memory."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strata.errors import UserError
from strata.naming import bytes_text, count_text
from strata.tools import tool_json

QUIET_RESIDENT = 64 << 20  # resident memory that malloc should account for before we wonder where it comes from


@dataclass(frozen=True)
class Stream:
    """One process of a recording, as `strata-trace info` tells it."""

    data: dict[str, Any]

    def number(self, key: str) -> int:
        return int(self.data[key] or 0)

    @property
    def id(self) -> int:
        return self.number("id")

    @property
    def events(self) -> int:
        return self.number("events")

    @property
    def allocations(self) -> int:
        return sum(self.number(key) for key in ("mallocs", "callocs", "reallocs", "aligned"))

    @property
    def program(self) -> str:
        return str(self.data["program"])

    @property
    def command(self) -> list[str]:
        return [str(word) for word in self.data["command"]]

    @property
    def title(self) -> str:
        return f"{Path(self.program).name} (pid {self.data['pid']})"

    @property
    def peak_live(self) -> int:
        return self.number("peak_live_bytes")

    @property
    def notes(self) -> list[str]:
        """What a reader must know before trusting a replay of this stream."""
        found = []
        threads, resident = self.number("threads"), self.number("peak_resident_bytes")
        if threads > 1:
            found.append(
                f"{self.title} has {threads} threads, which the replay runs in order on one: what threads do to each "
                "other shows on the program only"
            )
        if resident > QUIET_RESIDENT and self.peak_live * 5 < resident:
            found.append(
                f"{self.title} had {bytes_text(resident)} resident but at most {bytes_text(self.peak_live)} "
                "from malloc: the rest it gets past malloc (own allocator, mmap, static data), where no heap changes it"
            )
        return found


@dataclass(frozen=True)
class Trace:
    path: Path
    data: dict[str, Any]

    @property
    def streams(self) -> list[Stream]:
        return [Stream(stream) for stream in self.data["streams"]]

    @property
    def warnings(self) -> list[str]:
        return [str(warning) for warning in self.data["warnings"]]

    @property
    def processes(self) -> int:
        """A process that calls exec is one process, though a stream for each program."""
        return len({stream.number("pid") for stream in self.streams})

    @property
    def processes_text(self) -> str:
        return f"{self.processes} process{'es' if self.processes != 1 else ''}"

    @property
    def sequential(self) -> bool:
        """One process with one thread: nothing that was recorded ran beside anything else."""
        return self.processes == 1 and all(stream.number("threads") == 1 for stream in self.streams)

    @property
    def busiest(self) -> Stream:
        """The process that allocates most."""
        if not self.streams or max(stream.events for stream in self.streams) == 0:
            raise UserError(f"{self.path}: no allocation was recorded in it: there is nothing to tune")
        return max(self.streams, key=lambda stream: stream.events)

    def choice(self) -> str:
        """Which process was picked, and why, in a sentence."""
        stream, total = self.busiest, sum(s.events for s in self.streams)
        what = f"{stream.title}: {count_text(stream.events)} events"
        if len(self.streams) == 1:
            return what
        return f"{what}, {stream.events / total:.0%} of those of {self.processes_text}"


def read(path: Path, *, curve_points: int | None = None) -> Trace:
    curve = ["--curve", str(curve_points)] if curve_points else []
    return Trace(path, tool_json("strata-trace", "info", *curve, path))


def is_trace(text: str) -> bool:
    """Whether a word on the command line means a file rather than a program."""
    return Path(text).is_file()
