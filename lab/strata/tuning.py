"""The loop of `strata tune`: record, search and replay, confirm on the program, judge.

Every stage leaves what it learnt in a Tuning, so that Ctrl-C in a later one loses nothing of the earlier.
The budget is for measuring; compiling a candidate for the first time is not charged to it.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

from strata import heaps, machine, peers, programs, recordings, replays, traces
from strata.candidates import GridSearch, Search, rivals
from strata.catalogue import catalogue
from strata.compiler import find_compiler
from strata.errors import UserError
from strata.experiment import Arm, ArmFailed, Measurements, Sample, run_rounds
from strata.heaps import CURRENT, Heap
from strata.naming import counted, seconds_text
from strata.programs import Expectation, Program
from strata.recipes import Recipe, make
from strata.terminal import Step, Steps
from strata.traces import Stream, Trace
from strata.verdict import PROGRAM_METRIC, REPLAY_METRIC, Objective

REPLAY_SHARE = 0.35  # of the budget that is left after recording; the program itself gets the rest
SCREEN_SHARE = 0.4  # of that: the search over recipes, before the rounds that count
SCREEN_ROUNDS = 2
REPLAY_ROUNDS = 9
MOST_ROUNDS = 31
FEW_ROUNDS = 5  # with fewer the report says so
SETTLING_ROUNDS = 7  # rather fewer heaps on the program than fewer rounds than this
KEPT_VARIANTS = 2  # recipes of one heap that go on from the search, beside its default
CURVE_POINTS = 600


@dataclass(frozen=True)
class Options:
    budget: float = 120.0
    objective: Objective = "time"
    seed: int = 1
    runs: int | None = None


@dataclass
class Tuning:
    """All that is known so far."""

    options: Options
    program: Program | None
    trace_path: Path
    steps: Steps
    started: float = field(default_factory=time.monotonic)
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False
    recording: recordings.Recording | None = None
    expectation: Expectation | None = None
    baseline_runs: list[programs.ProgramRun] = field(default_factory=list)
    trace: Trace | None = None
    stream: Stream | None = None
    brought: peers.Peer | None = None  # the allocator that the program is linked to, if not libc's
    heaps: dict[str, Heap] = field(default_factory=dict)  # every heap by name, in the order they came
    screened: dict[Recipe, float] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)  # disqualified, and why
    replayer: replays.Replayer | None = None
    replayed: Measurements | None = None
    confirmed: Measurements | None = None
    pilot: float = 0.0  # seconds that one replay takes
    prepared: float = 0.0  # seconds until heaps were tried
    uncharged: float = 0.0  # seconds that do not count against the budget

    @property
    def left(self) -> float:
        """Seconds of the budget that are left."""
        return self.options.budget + self.uncharged - (time.monotonic() - self.started)

    @property
    def current_in_replay(self) -> Heap:
        """What the program uses now, as the replay must preload it."""
        return Heap(CURRENT.name, "current", self.brought.library if self.brought else None)

    def run(self) -> None:
        """All stages in order. Ctrl-C during a measurement ends it there and keeps what is there."""
        self.notes += machine.busy()
        if self.program is not None:
            self._record(self.program)
        self._read_trace()
        if self.program is not None:
            self._run_baseline(self.program)
        self.prepared = time.monotonic() - self.started
        try:
            candidates = self._search()
            self._replay(candidates)
            if self.program is not None and not self.interrupted and self.expectation is not None:
                self._confirm(self.program, self.expectation)
        except KeyboardInterrupt:
            self.interrupted = True

    def _record(self, program: Program) -> None:
        with self.steps.step(f"recording {program.name}"):
            self.recording = recordings.record(program, self.trace_path)
        if self.recording.signal is not None:
            raise UserError(
                f"{program.name} was killed by signal {self.recording.signal} while it was recorded; what it allocated "
                f"until then is in {self.trace_path}: run it without Strata first"
            )
        self.notes += self.recording.warnings

    def _read_trace(self) -> None:
        self.trace = traces.read(self.trace_path, curve_points=CURVE_POINTS)
        self.stream = self.trace.busiest
        self.notes += [warning for warning in self.trace.warnings if warning not in self.notes]
        self.notes += self.stream.notes
        self.brought = peers.allocator_in_use(self.stream.program) if Path(self.stream.program).exists() else None
        with self.steps.step(f"chose {self.trace.choice()}"):
            pass

    def _run_baseline(self, program: Program) -> None:
        with self.steps.step(f"running {program.name} as it is, twice", total=2) as step:
            for number in range(2):
                step.at("", advance=number)
                self.baseline_runs.append(programs.run(program, CURRENT))
        alone = self.trace is not None and self.trace.sequential
        self.expectation = programs.expect(*self.baseline_runs, alone=alone)
        if self.expectation.output is None:
            self.notes.append(
                "the output of two runs under the current heap differs already, so it is not comparable across heaps"
            )
        if self.recording is not None and self.recording.exit_status != self.expectation.exit_status:
            self.notes.append(
                f"under the recorder the program ended with exit status {self.recording.exit_status}, not with "
                f"{self.expectation.exit_status}: what was recorded may not be what it does"
            )
        if self.expectation.exit_status != 0:
            self.notes.append(
                f"the program ends with exit status {self.expectation.exit_status}, and must under every heap"
            )

    def _search(self) -> list[Heap]:
        """Our candidates: the default of every heap and the best recipes of its search."""
        assert self.stream is not None
        self.replayer = replays.Replayer(self.trace_path, self.stream.id)
        first = time.monotonic()
        self.replayer.replay(self.current_in_replay)
        self.pilot = time.monotonic() - first
        self.replayer.limit = 20 * self.pilot + 10
        share = REPLAY_SHARE if self.program is not None else 1.0
        allowance = SCREEN_SHARE * share * max(0.0, self.left)
        defaults = [make(catalogue(), entry.name, {}) for entry in catalogue().heaps if entry.reuses]
        before = self.left
        if find_compiler() is not None:
            self._try(defaults, rounds=1, allowance=allowance)
        allowance -= before - self.left
        found: list[Recipe] = []
        # The most promising heap first: what time there is goes to it.
        for default in sorted(defaults, key=lambda recipe: self.screened.get(recipe, float("inf"))):
            entry = default.entry
            found.append(default)
            if entry.tunables and find_compiler() is not None:
                allowance = self._screen(GridSearch(catalogue(), entry.name), entry.name, allowance)
                mine = [recipe for recipe in self.screened if recipe.entry == entry and recipe != default]
                better = [r for r in mine if self.screened[r] < self.screened.get(default, float("inf"))]
                found += sorted(better, key=self.screened.__getitem__)[:KEPT_VARIANTS]
        if find_compiler() is None:
            self.notes.append("no C++ compiler was found, so only the ready drop-ins took part, with default tunables")
        return list(self._built(found).values())

    def _screen(self, search: Search, name: str, allowance: float) -> float:
        """What the search proposes, or as much of it as there is time for; only the best go on. The seconds left."""
        while batch := search.ask(self.screened):
            room = max(0, int(allowance / self.pilot))
            if room < len(batch):
                self.notes.append(
                    f"the budget had room to try {room} of {counted(len(batch), 'recipe')} of {name}: "
                    "a larger --budget has for all"
                )
                batch = batch[:: -(-len(batch) // room)] if room > 0 else []
            if not batch:
                break
            before = self.left
            self._try(batch, rounds=SCREEN_ROUNDS, allowance=allowance)
            allowance -= before - self.left
        return allowance

    def _try(self, recipes: list[Recipe], *, rounds: int, allowance: float) -> None:
        """Quick replays of recipes beside the current heap, for a first score."""
        current, metric = self.current_in_replay, REPLAY_METRIC[self.options.objective]
        built = self._built(recipes)
        with self.steps.step(f"trying {counted(len(built), 'recipe')}", total=rounds * (len(built) + 1)) as step:
            measured = run_rounds(
                [self._replay_arm(heap) for heap in (current, *built.values())],
                rounds=rounds,
                baseline=current.name,
                seed=self.options.seed,
                deadline=time.monotonic() + allowance,
                progress=_show(step),
            )
        if measured.interrupted:
            raise KeyboardInterrupt
        self.dropped |= measured.failures
        for recipe, heap in built.items():
            if heap.name in measured.arms:
                self.screened[recipe] = measured.ratio(heap.name, current.name, metric).estimate

    def _built(self, recipes: list[Recipe]) -> dict[Recipe, Heap]:
        """The heaps of recipes, compiled outside the budget; a recipe that does not build is out."""
        began = time.monotonic()
        build = heaps.compiled if find_compiler() else heaps.ours

        def attempt(recipe: Recipe) -> Heap | str:
            try:
                return build(recipe)
            except UserError as error:
                return str(error)

        with (
            self.steps.step(f"building {counted(len(recipes), 'drop-in')}"),
            ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool,
        ):
            done = dict(zip(recipes, pool.map(attempt, recipes), strict=True))
        self.uncharged += time.monotonic() - began
        self.dropped |= {recipe.name: reason for recipe, reason in done.items() if isinstance(reason, str)}
        return {recipe: heap for recipe, heap in done.items() if isinstance(heap, Heap)}

    def _replay_arm(self, heap: Heap) -> Arm:
        assert self.replayer is not None
        replayer = self.replayer
        return Arm(heap.name, lambda: replayer.replay(heap))

    def _replay(self, candidates: list[Heap]) -> None:
        """The rounds that count: current, null, peers, and our best."""
        found = [self.current_in_replay, replays.null_heap(), *self._peers(), *candidates]
        arms = [heap for heap in found if heap.name not in self.dropped]
        self.heaps |= {heap.name: heap for heap in found if heap.name != replays.NULL_NAME}
        share = REPLAY_SHARE * (1 - SCREEN_SHARE) if self.program is not None else 1.0
        with self.steps.step(f"replaying under {len(arms)} heaps", total=len(arms) * REPLAY_ROUNDS) as step:
            self.replayed = run_rounds(
                [self._replay_arm(heap) for heap in arms],
                rounds=REPLAY_ROUNDS,
                baseline=CURRENT.name,
                seed=self.options.seed + 1,
                deadline=time.monotonic() + share * max(0.0, self.left),
                progress=_show(step),
            )
        self.interrupted |= self.replayed.interrupted
        self.dropped |= self.replayed.failures

    def _peers(self) -> list[Heap]:
        usable = []
        for peer in rivals(self.brought):
            try:
                usable.append(heaps.of_peer(peer))
            except UserError as error:
                self.notes.append(f"{peer.name} takes no part: {error}")
        return usable

    def finalists(self, places: int) -> list[Heap]:
        """The best of the replay by the objective, our best and the best peer always among them."""
        assert self.replayed is not None
        replayed, metric = self.replayed, REPLAY_METRIC[self.options.objective]
        able = [heap for name, heap in self.heaps.items() if name in replayed.arms and name != CURRENT.name]
        able.sort(key=lambda heap: replayed.ratio(heap.name, CURRENT.name, metric).estimate)
        first = [next((heap for heap in able if heap.kind == kind), None) for kind in ("ours", "peer")]
        chosen = [heap for heap in first if heap is not None]
        chosen.sort(key=able.index)
        chosen += [heap for heap in able if heap not in chosen]
        return sorted(chosen[: max(1, places)], key=able.index)

    def _confirm(self, program: Program, expectation: Expectation) -> None:
        """Paired, interleaved, shuffled runs of the program itself."""
        seconds = expectation.seconds
        places = int(self.left / (seconds * SETTLING_ROUNDS)) - 1 if self.options.runs is None else len(self.heaps)
        chosen = self.finalists(places)
        arms = [CURRENT, *chosen]
        rounds = self.options.runs or MOST_ROUNDS
        planned = min(rounds, max(1, int(self.left / (seconds * len(arms)))))
        text = f"running {program.name} under {len(arms)} heaps"
        began = time.monotonic()
        with self.steps.step(text, total=len(arms) * (self.options.runs or planned)) as step:
            self.confirmed = run_rounds(
                [Arm(heap.name, self._program_run(program, heap, expectation)) for heap in arms],
                rounds=rounds,
                baseline=CURRENT.name,
                seed=self.options.seed + 2,
                deadline=None if self.options.runs else time.monotonic() + max(0.0, self.left),
                progress=_show(step),
            )
        self.interrupted |= self.confirmed.interrupted
        self.dropped |= self.confirmed.failures
        if self.options.runs is None and self.confirmed.rounds < FEW_ROUNDS and not self.interrupted:
            done = self.confirmed.rounds
            each = (time.monotonic() - began) / (done * len(arms))
            wanted = each * len(self.heaps) * SETTLING_ROUNDS / (1 - REPLAY_SHARE) + self.prepared
            better = 10 * ceil(wanted / 10)
            self.notes.append(
                f"one run takes about {seconds_text(seconds)}, so the budget of {seconds_text(self.options.budget)} "
                f"allowed {counted(done, 'round')} of {len(arms)} heaps on the program: "
                f"--budget {better} allows about {SETTLING_ROUNDS} of all"
            )

    def _program_run(self, program: Program, heap: Heap, expectation: Expectation) -> Callable[[], Sample]:
        def measure() -> Sample:
            try:
                return programs.measured(program, heap, expectation)
            except ArmFailed as failed:
                if heap is CURRENT:
                    raise UserError(f"under the current heap a later run {failed}: its runs are not alike") from failed
                raise

        return measure

    def best(self, kind: str | None = None) -> Heap | None:
        """The best heap (of a kind) by the objective: on the program if it ran there, else in the replay."""
        objective = self.options.objective
        for measured, metric in (
            (self.confirmed, PROGRAM_METRIC[objective]),
            (self.replayed, REPLAY_METRIC[objective]),
        ):
            if measured is None or CURRENT.name not in measured.arms:
                continue
            able = [
                heap
                for name, heap in self.heaps.items()
                if name in measured.arms
                and name != CURRENT.name
                and name not in self.dropped
                and kind in (None, heap.kind)
            ]
            if able:
                return min(able, key=lambda heap: measured.ratio(heap.name, CURRENT.name, metric).estimate)
        return None


def _show(step: Step) -> Callable[[str, int], None]:
    return lambda arm, number: step.at(f"round {number + 1}: {arm}")
