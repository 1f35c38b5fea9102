"""Checks one case of a workload: it can be preloaded, does the same twice, and what it allocates can be replayed."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from strata import peers, programs, recordings, replays, traces
from strata.errors import UserError
from strata.experiment import ArmFailed
from strata.heaps import CURRENT
from strata.programs import ProgramRun
from strata.tools import shell_words
from workloads.model import Case, Workload

LIMIT_SECONDS = 60.0  # of one run


@dataclass(frozen=True)
class Checked:
    """What a case does; figures of one process are those of the one that allocates most."""

    workload: str
    input: str
    command: str
    seconds: float
    cpu_seconds: float
    peak_resident_bytes: int
    processes: int
    threads: int
    events: int
    peak_live_bytes: int
    peak_live_objects: int
    replay_nanoseconds_per_event: float
    trace_bytes: int


def check(workload: Workload, kind: str, case: Case) -> Checked:
    """Raises UserError with what is wrong, in a line."""
    try:
        brought = peers.allocator_in_use(case.command[0])
        if brought is not None:
            raise UserError(f"is linked to {brought.name}: without a preload it does not run under glibc's malloc")
        first, second = _run(case), _run(case)
        _same(first, second)
        with tempfile.TemporaryDirectory(prefix="strata-workload-") as scratch:
            trace = Path(scratch) / "checked.trace"
            info = _recorded(case, trace)
            busiest = info.busiest
            replayed = replays.Replayer(trace, busiest.id, touch=True).replay(CURRENT)
            trace_bytes = trace.stat().st_size
    except (UserError, ArmFailed) as error:
        raise UserError(f"{workload.name} ({kind}): {error}: {shell_words(case.command)}") from error
    return Checked(
        workload=workload.name,
        input=kind,
        command=case.program.text,
        seconds=min(first.seconds, second.seconds),
        cpu_seconds=min(first.cpu_seconds, second.cpu_seconds),
        peak_resident_bytes=first.peak_resident_bytes,
        processes=info.processes,
        threads=busiest.number("threads"),
        events=sum(stream.events for stream in info.streams),
        peak_live_bytes=busiest.peak_live,
        peak_live_objects=busiest.number("peak_live_objects"),
        replay_nanoseconds_per_event=replayed["nanoseconds_per_event"],
        trace_bytes=trace_bytes,
    )


def _run(case: Case) -> ProgramRun:
    return programs.run(case.program, CURRENT, limit=LIMIT_SECONDS)


def _same(first: ProgramRun, second: ProgramRun) -> None:
    for run in (first, second):
        if run.signal is not None or run.exit_status != 0:
            raise UserError(f"ended with {run.ending}: {run.last_words or 'it says nothing'}")
    if first.output != second.output:
        raise UserError("two runs wrote different things to standard output")


def _recorded(case: Case, trace: Path) -> traces.Trace:
    """Its trace. A program that cannot be preloaded is refused by the recorder itself."""
    recording = recordings.record(case.program, trace)
    if recording.exit_status != 0 or recording.signal is not None:
        raise UserError(f"ended with exit status {recording.exit_status} under the recorder")
    if not recording.complete:
        raise UserError(f"the recording is not complete: {'; '.join(recording.warnings)}")
    return traces.read(trace)
