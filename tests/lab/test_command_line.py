"""The command as a user meets it, without the C++ tools: help, and errors of one line."""

from pathlib import Path

import pytest
from conftest import Strata

COMMANDS = ("tune", "compare", "run", "record", "info", "list", "build")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(strata: Strata, command: str) -> None:
    done = strata(command, "--help")
    assert done.returncode == 0
    assert f"strata {command}" in done.stdout
    assert "Example:" in done.stdout


def test_help_is_plain_when_piped(strata: Strata) -> None:
    done = strata("--help")
    assert "\x1b" not in done.stdout
    assert all(command in done.stdout for command in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "status", "word"),
    [
        (["nonsense"], 2, "nonsense"),
        (["run"], 2, "write it after --"),
        (["run", "--"], 2, "write it after --"),
        (["run", "perl", "x.pl"], 2, "write -- before a program"),
        (["run", "--", "no-such-program"], 127, "no such program"),
        (["run", "--", "./data.txt"], 126, "may not be executed"),
        (["tune"], 2, "write it after --"),
        (["tune", "none.trace"], 1, "no such trace"),
        (["tune", "data.txt", "--", "true"], 2, "give one of the two"),
        (["tune", "--objective", "beauty", "--", "true"], 2, "time, memory, balanced"),
        (["tune", "--budget", "soon", "--", "true"], 2, "budget"),
        (["compare", "--runs", "0", "--", "true"], 2, "runs"),
    ],
)
def test_errors_are_one_line(strata: Strata, tmp_path: Path, arguments: list[str], status: int, word: str) -> None:
    (tmp_path / "data.txt").write_text("data")
    done = strata(*arguments, STRATA_BUILD=str(tmp_path))
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith("strata: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert word in done.stderr
    assert done.stdout == ""


def test_missing_tools_say_how_to_build_them(strata: Strata, tmp_path: Path) -> None:
    done = strata("list", STRATA_BUILD=str(tmp_path))
    assert done.returncode == 1
    assert "strata-catalogue is not in" in done.stderr
    assert "STRATA_BUILD" in done.stderr
