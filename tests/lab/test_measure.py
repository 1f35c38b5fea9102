"""One run of a program, measured: endings, memory that is not ours, a limit."""

from pathlib import Path

import pytest

from strata.errors import UserError
from strata.experiment import ArmFailed
from strata.heaps import CURRENT
from strata.programs import Program, run

pytestmark = pytest.mark.tools
MIB = 1 << 20


def shell(script: str) -> Program:
    return Program(("sh", "-c", script))


def test_a_small_program_is_small() -> None:
    """Started by Python itself it would seem to need what Python needs."""
    assert run(Program(("true",)), CURRENT).peak_resident_bytes < 6 * MIB


def test_memory_of_a_child_counts() -> None:
    done = run(shell("perl -e '$x = \"x\" x (48 << 20); select undef, undef, undef, 0.2'; true"), CURRENT)
    assert 48 * MIB < done.peak_resident_bytes < 120 * MIB
    assert done.average_resident_bytes > 10 * MIB


def test_endings() -> None:
    assert run(shell("exit 3"), CURRENT).exit_status == 3
    killed = run(shell("echo 'last words' >&2; kill -11 $$"), CURRENT)
    assert killed.signal == 11
    assert "SIGSEGV" in killed.ending
    assert killed.last_words == "last words"


def test_output_is_told_by_its_hash() -> None:
    first, again, other = (run(shell(f"echo {word}"), CURRENT).output for word in ("a", "a", "b"))
    assert first == again != other


def test_input_is_the_file(tmp_path: Path) -> None:
    text = tmp_path / "in"
    text.write_text("hello")
    assert run(Program(("cat",), text), CURRENT).output == run(shell("printf hello"), CURRENT).output
    assert run(Program(("cat",)), CURRENT).output == run(shell("true"), CURRENT).output


def test_a_run_that_hangs_is_stopped_with_all_it_started() -> None:
    with pytest.raises(ArmFailed, match="still running after 1 s"):
        run(shell("sleep 600 & sleep 600"), CURRENT, limit=1)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(UserError, match="No such file"):
        run(Program(("/no/such/program",)), CURRENT)
