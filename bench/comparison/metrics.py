"""What is compared: where each number comes from, how it is shown, what it means."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from strata.naming import bytes_text, seconds_text

Part = Literal["program", "replay"]


@dataclass(frozen=True)
class Metric:
    """`sample` is the name of the number in a run of the program or in a replay."""

    key: str
    part: Part
    sample: str
    title: str
    what: str
    show: Callable[[float], str]


PROGRAM_TIME = Metric(
    "program_time",
    "program",
    "time",
    "Program: time",
    "CPU time, user and system, of all of the program's processes; wall time where marked *, that is where several "
    "threads allocate or a server runs",
    seconds_text,
)
REPLAY_TIME = Metric(
    "replay_time",
    "replay",
    "nanoseconds_per_event",
    "Replay: nanoseconds an event",
    "The calls of the busiest process again, without the program's work, each object touched; the engine's own cost "
    "(the null heap) is part of every number and stands in the last column",
    lambda value: f"{value:.1f} ns" if value < 1000 else f"{value / 1000:,.1f} us",
)
FOOTPRINT = Metric(
    "footprint",
    "replay",
    "peak_heap_bytes",
    "Replay: peak footprint",
    "Bytes asked from the operating system, at most at once, as our heaps tell; other allocators do not tell, so they "
    "(glibc too) are left out",
    bytes_text,
)
PROGRAM_PEAK = Metric(
    "program_peak",
    "program",
    "peak_resident_bytes",
    "Program: peak resident memory",
    "Of the largest of the program's processes, code and stacks included",
    bytes_text,
)
PROGRAM_AVERAGE = Metric(
    "program_average",
    "program",
    "average_resident_bytes",
    "Program: average resident memory",
    "Over time, of all of the program's processes together, sampled every 10 ms",
    bytes_text,
)
REPLAY_PEAK = Metric(
    "replay_peak",
    "replay",
    "peak_resident_bytes",
    "Replay: peak resident memory",
    "Anonymous memory above what the engine holds itself",
    bytes_text,
)
REPLAY_AVERAGE = Metric(
    "replay_average",
    "replay",
    "average_resident_bytes",
    "Replay: average resident memory",
    "Anonymous memory above what the engine holds itself, over events",
    bytes_text,
)
PROGRAM_CPU = Metric(
    "program_cpu",
    "program",
    "cpu_seconds",
    "Program: CPU time",
    "Whatever clock the workload is judged by",
    seconds_text,
)
PROGRAM_WALL = Metric(
    "program_wall", "program", "seconds", "Program: wall time", "Whatever clock the workload is judged by", seconds_text
)
METRICS = (PROGRAM_TIME, REPLAY_TIME, FOOTPRINT, PROGRAM_PEAK, PROGRAM_AVERAGE, REPLAY_PEAK, REPLAY_AVERAGE)
COMPARED = {"time": (PROGRAM_TIME, REPLAY_TIME), "peak": (PROGRAM_PEAK, REPLAY_PEAK)}
TOLD = (*METRICS, PROGRAM_CPU, PROGRAM_WALL)  # all that --json has
