"""One workload under all heaps: what it must do, its trace, and a round of runs and of replays at a time."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workloads import Case, Workload

from comparison.metrics import FOOTPRINT, Part
from comparison.trace_cache import FOLDER, kept
from strata import peers, programs, replays, traces
from strata.errors import UserError
from strata.experiment import Arm, ArmFailed, Measurements, Rounds, Sample
from strata.heaps import CURRENT, Heap, of_peer
from strata.programs import Expectation, Program
from strata.replays import NULL_NAME, Replayer
from strata.terminal import say
from strata.traces import Trace

BASELINE = "glibc"


@dataclass
class Trial:
    """A workload ready to be measured, and what was measured of it so far."""

    workload: Workload
    program: Program
    expectation: Expectation
    trace: Trace
    recorded_now: bool
    runs: Rounds
    replays: Rounds
    seconds: float  # that a round takes, as far as is known
    notes: list[str]
    failed: str | None = None  # why the workload is out from some round on

    def measured(self, part: Part) -> Measurements:
        return (self.runs if part == "program" else self.replays).measured

    def round(self, progress: Callable[[str], None]) -> None:
        """The program once under every heap, then one replay under every heap, each in a new order."""
        began = time.monotonic()
        try:
            self.runs.once(lambda heap, _: progress(f"program under {heap}"))
            self.replays.once(lambda heap, _: progress(f"replay under {heap}"))
        except ArmFailed as failed:
            self.failed = f"it fails under {BASELINE} itself: {failed}"
        except (UserError, OSError) as error:
            self.failed = f"it can no longer be run: {error}"
        self.seconds = time.monotonic() - began


def prepare(
    workload: Workload, case: Case, case_name: str, heaps: Sequence[Heap], seed: int, folder: Path = FOLDER
) -> Trial:
    """Runs it twice as it is, records it if need be, and replays it once. What cannot be measured is a UserError.

    The workload says which clock it is judged by: what `expect` would find out for itself depends on how busy the
    machine is, and then one run of the benchmark would judge a program by another clock than the next.
    """
    program = case.program
    for command in filter(None, (program.command, program.beside)):
        programs.require(command)
    try:
        first, second = (programs.run(program, CURRENT) for _ in range(2))
        expectation = replace(programs.expect(first, second), clock="wall" if workload.threads else "cpu")
        path, recorded_now = kept(f"{workload.name}-{case_name}", program, expectation, folder)
        trace = traces.read(path)
        replayer = Replayer(path, trace.busiest.id)
        began = time.monotonic()
        replayer.replay(CURRENT)
    except ArmFailed as failed:
        raise UserError(str(failed)) from failed
    pilot = time.monotonic() - began
    replayer.limit = 20 * pilot + 10
    in_program, brought = _baseline(trace)
    in_replay = Heap(BASELINE, "current", None)
    return Trial(
        workload=workload,
        program=program,
        expectation=expectation,
        trace=trace,
        recorded_now=recorded_now,
        runs=Rounds(
            [Arm(heap.name, _run(program, heap, expectation)) for heap in (in_program, *heaps)],
            baseline=BASELINE,
            seed=f"{seed} {workload.name} program",
        ),
        replays=Rounds(
            [Arm(heap.name, _replay(replayer, heap)) for heap in (in_replay, replays.null_heap(), *heaps)],
            baseline=BASELINE,
            seed=f"{seed} {workload.name} replay",
        ),
        seconds=expectation.seconds * (len(heaps) + 1) + pilot * (len(heaps) + 2),
        notes=_notes(trace, expectation, brought),
    )


def _baseline(trace: Trace) -> tuple[Heap, peers.Peer | None]:
    """glibc for the program: as it is, or preloaded where the program brings another allocator (told second)."""
    brought = peers.allocator_in_use(trace.busiest.program)
    if brought is None:
        return Heap(BASELINE, "current", None), None
    glibc = next((peer for peer in peers.installed() if peer.name == BASELINE), None)
    if glibc is None:
        raise UserError(f"it brings {brought.name}, and glibc's library was not found to preload in its place")
    return of_peer(glibc), brought


def _run(program: Program, heap: Heap, expectation: Expectation) -> Callable[[], Sample]:
    return lambda: programs.measured(program, heap, expectation)


def _replay(replayer: Replayer, heap: Heap) -> Callable[[], Sample]:
    def measure() -> Sample:
        sample = dict(replayer.replay(heap))
        footprint = replayer.answers[heap.name][FOOTPRINT.sample]
        if footprint and heap.name != NULL_NAME:
            sample[FOOTPRINT.sample] = float(footprint)
        return sample

    return measure


def _notes(trace: Trace, expectation: Expectation, brought: peers.Peer | None) -> list[str]:
    """What a reader must know before trusting a row."""
    found = [*trace.warnings, *trace.busiest.notes]
    if len(trace.streams) > 1:
        found.append(f"replayed is only {trace.choice()}")
    if expectation.output is None:
        found.append(f"its output differs between two runs under {BASELINE}, so it is not compared")
    if expectation.exit_status != 0:
        found.append(f"it ends with exit status {expectation.exit_status}, and must under every heap")
    if brought is not None:
        found.append(f"it brings {brought.name}, in whose place {BASELINE} is preloaded as any other heap")
    return found


def prepare_all(
    workloads: Sequence[Workload], held_out: bool, heaps: Sequence[Heap], seed: int, folder: Path = FOLDER
) -> tuple[list[Trial], dict[str, str]]:
    """Every workload that can be measured; those that cannot, and why."""
    trials, left_out = [], {}
    for number, workload in enumerate(workloads, start=1):
        at = f"{workload.name} ({number}/{len(workloads)})"
        say(f"strata: preparing {at}")
        case, name = (workload.held_out, "held-out") if held_out else (workload.tune, "tune")
        try:
            trials.append(prepare(workload, case, name, heaps, seed, folder))
            if trials[-1].recorded_now:
                say(f"strata: recorded {at}")
        except UserError as error:
            left_out[workload.name] = str(error)
            say(f"strata: {workload.name} is left out: {error}")
    return trials, left_out
