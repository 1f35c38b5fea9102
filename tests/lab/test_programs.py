"""What two runs of a program promise, and what breaks the promise."""

from dataclasses import replace

import pytest

from strata.errors import UserError
from strata.experiment import ArmFailed
from strata.naming import bytes_text, integer, seconds_text, short_version
from strata.programs import ProgramRun, expect

RUN = ProgramRun(
    exit_status=0,
    signal=None,
    seconds=1.0,
    cpu_seconds=0.9,
    peak_resident_bytes=1000,
    average_resident_bytes=900,
    output="abc",
    last_words="",
)


def test_alike_runs_are_what_every_heap_must_do() -> None:
    found = expect(RUN, replace(RUN, seconds=1.5))
    found.check(RUN)
    assert found.limit == 25.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"signal": 11, "exit_status": 139, "last_words": "free(): invalid"}, r"SIGSEGV.*free\(\): invalid"),
        ({"exit_status": 1}, "exit status 1 instead of 0"),
        ({"output": "xyz"}, "something else to standard output"),
    ],
)
def test_a_heap_under_which_it_goes_otherwise_is_out(change: dict[str, object], words: str) -> None:
    with pytest.raises(ArmFailed, match=words):
        expect(RUN, RUN).check(replace(RUN, **change))  # type: ignore[arg-type]


def test_output_that_differs_anyway_is_not_compared() -> None:
    found = expect(RUN, replace(RUN, output="time of day"))
    assert found.output is None
    found.check(replace(RUN, output="another time"))


def test_a_constant_failure_is_accepted_and_expected() -> None:
    failing = replace(RUN, exit_status=3)
    expect(failing, failing).check(failing)
    with pytest.raises(ArmFailed):
        expect(failing, failing).check(RUN)


def test_runs_that_end_differently_are_refused() -> None:
    with pytest.raises(UserError, match="exit status 0 and 1"):
        expect(RUN, replace(RUN, exit_status=1))
    with pytest.raises(UserError, match="SIGABRT"):
        expect(replace(RUN, signal=6), RUN)


def test_numbers_as_people_write_them() -> None:
    assert [bytes_text(n) for n in (512, 1536, 10 << 20, 3 << 40)] == ["512 B", "1.5 KiB", "10 MiB", "3,072 GiB"]
    assert [seconds_text(s) for s in (0.0123, 1.5, 75)] == ["12.3 ms", "1.5 s", "1 min 15 s"]
    assert [integer(t) for t in ("64K", "64KiB", "0x10", "7", "x", "")] == [65536, 65536, 16, 7, None, None]
    assert [short_version(v) for v in ("5.3.0-1", "2.0.9+ds-2", "1:2.3", None)] == ["5.3.0", "2.0.9", "2.3", ""]


def test_a_program_that_computes_alone_is_judged_by_cpu_time() -> None:
    assert expect(RUN, RUN, alone=True).clock == "cpu"
    assert RUN.sample("cpu")["time"] == 0.9


def test_threads_and_waiting_are_judged_by_wall_time() -> None:
    assert expect(RUN, RUN).clock == "wall"
    waiting = replace(RUN, cpu_seconds=0.1)
    assert expect(waiting, waiting, alone=True).clock == "wall"
    assert RUN.sample("wall")["time"] == 1.0
