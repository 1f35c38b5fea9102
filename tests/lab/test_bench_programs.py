"""The benchmark of all workloads: its means, what it does about failures, its traces, and a small run of the whole."""

import itertools
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from comparison import document, rendering, trace_cache
from comparison.measuring import measure, remaining
from comparison.metrics import FOOTPRINT
from comparison.sheets import remarks, sheets
from comparison.trial import BASELINE, Trial
from programs import app, compare
from workloads import Case, Workload

from strata import heaps, programs
from strata.cli import call
from strata.experiment import Arm, ArmFailed, Rounds, Sample
from strata.heaps import Heap
from strata.programs import Expectation, Program, expect
from strata.replays import NULL_NAME
from strata.terminal import Steps
from strata.traces import Trace

HEAPS = [Heap("good", "library", None), Heap("weak", "library", None)]
STREAM = {"id": 0, "pid": 1, "program": "/usr/bin/x", "threads": 1, "events": 1_000_000, "peak_live_bytes": 1}


def sampled(time: float, fails_in: int | None = None) -> Callable[[], Sample]:
    """A run or replay as both parts name their numbers; 2 % noise, the same in every arm."""
    calls = itertools.count()

    def measure() -> Sample:
        number = next(calls)
        if number == fails_in:
            raise ArmFailed("crashed")
        value = time * (1 + 0.02 * math.sin(number))
        resident = {"peak_resident_bytes": 1e6 * time, "average_resident_bytes": 1e6 * time}
        return {"time": value, "cpu_seconds": value, "nanoseconds_per_event": 20 * value, **resident}

    return measure


def footprint(time: float) -> Callable[[], Sample]:
    measure = sampled(time)
    return lambda: {**measure(), FOOTPRINT.sample: 5e6}


def arms(measures: dict[str, Callable[[], Sample]]) -> list[Arm]:
    return [Arm(name, measure) for name, measure in measures.items()]


def fake(name: str, times: dict[str, float], *, weak_fails_in: int | None = None) -> Trial:
    """A workload of which every run and replay is made up."""
    case = Case(("/usr/bin/x",))
    runs = {BASELINE: sampled(1.0), "good": sampled(times["good"]), "weak": sampled(times["weak"], weak_fails_in)}
    replayed = {BASELINE: sampled(1.0), "good": footprint(times["replayed"]), "weak": sampled(1.0)}
    return Trial(
        workload=Workload(name, "made up", case, case, ()),
        program=case.program,
        expectation=Expectation(0, "hash", 1.0, "cpu"),
        trace=Trace(Path("x.trace"), {"streams": [STREAM], "warnings": []}),
        recorded_now=True,
        runs=Rounds(arms(runs), baseline=BASELINE, seed=1),
        replays=Rounds(arms(replayed | {NULL_NAME: sampled(0.2)}), baseline=BASELINE, seed=2),
        seconds=1.0,
        notes=["a remark"],
    )


def measured(trials: list[Trial], rounds: int = 4) -> dict[str, Any]:
    assert measure(trials, rounds, Steps(None))
    found = document.make(trials, {"absent": "not set up"}, HEAPS, case="tune", rounds=rounds, seed=1)
    return found | {"notes": ["x takes no part"]}


@pytest.fixture
def two() -> dict[str, Any]:
    """`weak` fails on b in the second round; on b the replay takes `good` for slower than it is."""
    a = fake("a", {"good": 0.5, "weak": 2.0, "replayed": 0.8})
    b = fake("b", {"good": 0.8, "weak": 2.0, "replayed": 1.25}, weak_fails_in=1)
    return measured([a, b])


def test_means_over_workloads(two: dict[str, Any]) -> None:
    good = two["geomeans"]["program_time"]["good"]
    assert good["ratio"]["estimate"] == pytest.approx(math.sqrt(0.5 * 0.8))
    assert good["workloads"] == 2
    assert two["geomeans"]["program_time"][BASELINE]["ratio"]["estimate"] == pytest.approx(1)
    assert two["geomeans"]["replay_time"]["good"]["ratio"]["estimate"] == pytest.approx(math.sqrt(0.8 * 1.25))


def test_a_failed_heap_is_out_of_its_row_and_told(two: dict[str, Any]) -> None:
    weak = two["geomeans"]["program_time"]["weak"]
    assert weak["ratio"]["estimate"] == pytest.approx(2.0)
    assert weak["without"] == ["b"]
    assert "weak" not in two["workloads"][1]["metrics"]["program_time"]
    shown = sheets(two, spreads=True)
    row = next(row for row in shown[0].rows if row[0].main == "b")
    assert [cell.main for cell in row][-1] == "out"
    means = next(sheet for sheet in shown if sheet.title.startswith("Geometric"))
    assert means.what.endswith("compared with the others: weak (program) without b.")
    assert "b under weak is out (program): crashed" in remarks(two)
    assert remarks(two)[0] == "x takes no part"
    assert "absent is left out altogether: not set up" in remarks(two)
    assert "a: a remark" in remarks(two)


def test_the_overall_agreement_is_of_heaps_that_failed_nowhere(two: dict[str, Any]) -> None:
    found = two["agreement"]["time"]
    assert (found["decided"], found["agree"], found["tied"]) == (1, 0, 1)
    assert two["workloads"][0]["agreement"]["time"]["agree"] == 2


def test_opposite_ranks_are_named_with_both_ratios(two: dict[str, Any]) -> None:
    pair = two["workloads"][1]["agreement"]["time"]["against"][0]
    assert (pair["better"], pair["worse"]) == ("good", BASELINE)
    assert pair["program"][0]["estimate"] == pytest.approx(0.8)
    assert pair["replay"][0]["estimate"] == pytest.approx(1.25)
    opposite = next(sheet for sheet in sheets(two, spreads=False) if sheet.title.startswith("Where"))
    assert [cell.main for cell in opposite.rows[0]] == ["b", "time", "good < glibc", "0.800", "1.000", "1.250", "1.000"]


def test_the_footprint_is_told_of_heaps_that_tell_it_only(two: dict[str, Any]) -> None:
    sheet = next(sheet for sheet in sheets(two, spreads=False) if sheet.title == FOOTPRINT.title)
    assert [cell.main for cell in sheet.columns] == ["workload", "good"]
    assert two["references"]["footprint"] == "good"


def test_the_share_of_malloc_is_without_the_engine(two: dict[str, Any]) -> None:
    assert two["workloads"][0]["malloc_share"] == pytest.approx(16e-9 * 1e6 / 1.0, rel=0.05)


def test_a_workload_that_fails_under_glibc_is_out_and_the_others_go_on() -> None:
    good = fake("good", {"good": 0.5, "weak": 2.0, "replayed": 0.8})
    bad = fake("bad", {"good": 0.5, "weak": 2.0, "replayed": 0.8})
    bad.runs = Rounds([Arm(BASELINE, sampled(1.0, fails_in=2))], baseline=BASELINE, seed=1)
    found = measured([bad, good])
    assert [one["name"] for one in found["workloads"]] == ["good"]
    assert "crashed" in found["left_out"]["bad"]


def test_two_rounds_decide_nothing() -> None:
    found = measured([fake("a", {"good": 0.5, "weak": 2.0, "replayed": 0.8})], rounds=2)
    assert found["workloads"][0]["agreement"]["time"]["decided"] == 0


def test_an_interruption_keeps_the_rounds_before_it() -> None:
    calls = itertools.count()
    trial = fake("a", {"good": 0.5, "weak": 2.0, "replayed": 0.8})
    sample = sampled(1.0)

    def interrupted() -> Sample:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return sample()

    trial.runs = Rounds([Arm(BASELINE, interrupted)], baseline=BASELINE, seed=1)
    assert not measure([trial], 9, Steps(None))
    assert trial.runs.measured.rounds == 2


def test_remaining_time() -> None:
    trials = [fake(name, {"good": 1, "weak": 1, "replayed": 1}) for name in "abc"]
    for trial, seconds in zip(trials, (10.0, 20.0, 30.0), strict=True):
        trial.seconds = seconds
    assert remaining(trials, 1, 2) == "2 min 50 s"


def test_markdown_has_every_table_and_no_stray_markup(two: dict[str, Any]) -> None:
    two["workloads"][0]["notes"].append("a | b")
    text = rendering.markdown(two, sheets(two, spreads=True))
    assert text.count("\n## ") == len(sheets(two, spreads=True)) + 1
    assert "| 0.500 <sub>0.500-0.500</sub> |" in text
    assert r"a: a \| b" in text
    rows = [line for line in text.splitlines() if line.startswith("| a |")]
    assert len(rows) >= 7


def command(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def beside(program: str, load: str) -> Program:
    return Program(command(program), None, command(load))


@pytest.mark.tools
@pytest.mark.parametrize("load", ["pass", "import time; time.sleep(60)"])
def test_a_load_ends_with_its_server(load: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strata.processes.PARTING_SECONDS", 0.1)
    assert programs.run(beside("print(1)", load), heaps.CURRENT).exit_status == 0


@pytest.mark.tools
@pytest.mark.parametrize("program", ["import time; time.sleep(60)", "print(1)"])
def test_a_load_that_fails_fails_the_run(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load = "import sys, time; time.sleep(0.2); sys.exit('no answer')"
    if "sleep" in program:
        monkeypatch.setattr("strata.processes.PARTING_SECONDS", 0.1)
    with pytest.raises(ArmFailed, match=r"beside it .* failed with exit status 1: no answer"):
        programs.run(beside(program, load), heaps.CURRENT)


@pytest.mark.tools
def test_a_server_that_crashes_is_the_one_to_blame() -> None:
    crashes, load = "import os, time; time.sleep(0.3); os.abort()", "import sys, time; time.sleep(0.4); sys.exit(1)"
    assert programs.run(beside(crashes, load), heaps.CURRENT).signal == 6


PERL = "my %h; $h{$_ % 997} .= 'x' x ($_ % 50) for 1 .. 30000; print length(join '', values %h), qq{\\n};"


@pytest.fixture
def small(tmp_path: Path) -> list[Workload]:
    """Two real programs that take a moment: one reads a script, one its standard input."""
    script, text = tmp_path / "work.pl", tmp_path / "text"
    script.write_text(PERL)
    text.write_text("a b c\n" * 5000)
    first = Case(("/usr/bin/perl", str(script)))
    second = Case(("/usr/bin/perl", "-ne", "push @l, [split]; END { print scalar @l }"), text)
    return [
        Workload("hash", "appends", first, first, ()),
        Workload("split", "splits", second, second, (), threads=True),
    ]


@pytest.mark.tools
def test_a_trace_is_recorded_once_and_again_when_its_input_changed(small: list[Workload], tmp_path: Path) -> None:
    program, folder = small[0].tune.program, tmp_path / "traces"
    expectation = expect(*(programs.run(program, heaps.CURRENT) for _ in range(2)))
    first, recorded = trace_cache.kept("hash-tune", program, expectation, folder)
    assert recorded
    assert trace_cache.kept("hash-tune", program, expectation, folder) == (first, False)
    Path(program.command[1]).write_text(PERL.replace("30000", "100"))
    second, recorded = trace_cache.kept("hash-tune", program, expectation, folder)
    assert recorded
    assert list(folder.iterdir()) == [second] != [first]


@pytest.mark.tools
def test_the_whole_on_small_programs(small: list[Workload], tmp_path: Path) -> None:
    under = [heaps.parse("kingsley")]
    found = compare(small, under, rounds=3, held_out=False, seed=1, folder=tmp_path / "traces", notes=[])
    json.dumps(found, allow_nan=False)
    assert [one["clock"] for one in found["workloads"]] == ["cpu", "wall"]
    for one in found["workloads"]:
        assert one["output_compared"]
        assert one["failed"] == {"program": {}, "replay": {}}
        for metric in ("program_time", "replay_time", "program_peak", "replay_peak"):
            assert one["metrics"][metric]["kingsley"]["ratio"]["low"] is not None
            assert len(one["metrics"][metric]["glibc"]["values"]) == 3
        assert list(one["metrics"]["footprint"]) == ["kingsley"]
        assert one["metrics"]["replay_time"][NULL_NAME]["median"] < one["metrics"]["replay_time"]["glibc"]["median"]
    shown = sheets(found, spreads=False)
    assert [row[0].main for row in shown[0].rows] == ["hash", "split*"]
    assert found["geomeans"]["footprint"]["kingsley"]["workloads"] == 2


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(app, ["--workload", "no-such-program", "--heap", "current"], "bench/programs.py") == 1
    line = capsys.readouterr().err
    assert line.startswith("strata: no-such-program: no such workload")
    assert line.count("\n") == 1


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(app, typer.Typer)
    assert call(app, ["--help"], "bench/programs.py") == 0
    assert "Example:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "environment", "word"),
    [
        (["--json", "no-such-folder/x.json"], {}, "its folder is not there"),
        (["--markdown", "no-such-folder/x.md"], {}, "its folder is not there"),
        ([], {"LD_PRELOAD": "libx.so"}, "LD_PRELOAD is set"),
        ([], {"MALLOC_ARENA_MAX": "1"}, "unset it"),
    ],
)
def test_what_would_spoil_hours_is_said_before_them(
    arguments: list[str],
    environment: dict[str, str],
    word: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert call(app, arguments, "bench/programs.py") == 1
    assert word in capsys.readouterr().err
