"""The package of workloads: what its catalogue promises, what is missing, making inputs, and what a check refuses."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from workloads import FIXED, catalogue, choice, model, packages, set_up, workloads
from workloads.check import check
from workloads.model import MADE, OURS, Case, Workload, case, made

from strata.errors import UserError
from strata.tools import ROOT

TRUE = case("/bin/true")


def workload(tune: Case = TRUE, **changes: object) -> Workload:
    return replace(Workload("one", "a test", tune, tune, packages=("coreutils",)), **changes)  # type: ignore[arg-type]


def words(one: Workload) -> list[str]:
    """All that its commands name."""
    found = [word for made_one in one.inputs for word in made_one.command]
    for _, of in one.cases:
        found += [*of.command, *(of.beside or ()), *([str(of.stdin)] if of.stdin else [])]
    return found


@pytest.mark.parametrize("one", catalogue.ALL, ids=lambda one: one.name)
def test_a_workload_says_all_that_it_needs(one: Workload) -> None:
    assert one.packages and one.what
    assert one.tune != one.held_out
    assert all(Path(of.name).parts[0] == one.name for of in one.inputs), "inputs depend on the workload's packages"
    for _, of in one.cases:
        assert Path(of.command[0]).is_absolute()
        assert of.program.command == of.command and of.program.stdin == of.stdin and of.program.beside == of.beside
    named = {Path(word) for word in words(one)}
    for path in named:
        assert not path.is_relative_to(OURS) or path.exists()
    assert {path for path in named if path.is_relative_to(MADE) and path.suffix} == {of.path for of in one.inputs}


def test_names_differ_and_no_input_of_ours_is_left_over() -> None:
    assert len({one.name for one in catalogue.ALL}) == len(catalogue.ALL) >= 14
    named = {Path(word) for one in catalogue.ALL for word in words(one)}
    assert {path for path in OURS.iterdir() if path.is_file()} <= named


def test_what_output_would_depend_on_is_fixed() -> None:
    assert FIXED.items() <= os.environ.items()
    assert "PYTHONPATH" not in os.environ


def test_workloads_are_chosen_by_name() -> None:
    assert [one.name for one in choice.named(["perl", "bc", "perl"])] == ["perl", "bc"]
    assert choice.named() == catalogue.ALL
    with pytest.raises(UserError, match="pearl: no such workload: did you mean perl"):
        choice.named(["pearl"])


def test_what_is_not_set_up_is_named_with_the_command_that_does(monkeypatch: pytest.MonkeyPatch) -> None:
    there, bare = workload(), workload(name="bare", packages=("coreutils", "no-such-package"))
    unmade = workload(name="unmade", inputs=(made("never/made", "true"),))
    monkeypatch.setattr(choice, "ALL", [there, bare, unmade])
    assert workloads(["one"]) == [there]
    with pytest.raises(UserError, match=r"not set up here: bare, unmade: run .*bench/workloads bare unmade"):
        workloads()


def test_missing_packages_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert packages.missing_packages(["no-such-package", "dpkg", "no-such-package"]) == ["no-such-package"]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(UserError, match=r"as root: apt-get install .*no-such-package"):
        set_up.set_up([workload(packages=("no-such-package",))])
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(UserError, match="programs of Debian 12"):
        packages.missing_packages(["dpkg"])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (model, set_up):
        monkeypatch.setattr(module, "MADE", tmp_path)
    return tmp_path


def test_an_input_is_made_once_and_again_when_its_making_changes(cache: Path) -> None:
    def make(text: str) -> str:
        log = f'echo made >> log; printf "{text}"'
        set_up.set_up([workload(inputs=(made("folder/input", "sh", "-c", log),))])
        return (cache / "folder" / "input").read_text()

    assert make("first") == "first"
    assert make("first") == "first"
    assert (cache / "log").read_text() == "made\n"
    assert make("second") == "second"
    assert (cache / "log").read_text() == "made\nmade\n"


def test_an_input_that_cannot_be_made_leaves_none(cache: Path) -> None:
    failing = made("input", "sh", "-c", "echo half; echo no such manual >&2; exit 3")
    with pytest.raises(UserError, match="input: could not be made: no such manual"):
        set_up.set_up([workload(inputs=(failing,))])
    assert not (cache / "input").exists()


def shell(script: str) -> Case:
    return case("/bin/sh", "-c", script)


@pytest.mark.tools
@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (shell("date +%N"), "two runs wrote different things"),
        (shell("echo broken >&2; exit 3"), "ended with exit status 3: broken"),
        (shell("kill -SEGV $$"), "signal 11"),
        (case("/bin/sh", "-c", "exit 0", beside=("sh", "-c", "echo no port >&2; exit 1")), "no port"),
    ],
)
def test_a_case_that_cannot_be_measured_is_refused_with_the_reason(bad: Case, why: str) -> None:
    with pytest.raises(UserError, match=rf"one \(tune\): .*{why}"):
        check(workload(), "tune", bad)


@pytest.mark.tools
def test_a_program_that_cannot_be_preloaded_is_refused(tmp_path: Path) -> None:
    source, program = tmp_path / "one.c", tmp_path / "one"
    source.write_text("int main(void) { return 0; }\n")
    if subprocess.run(["cc", "-static", source, "-o", program], capture_output=True, check=False).returncode != 0:
        pytest.skip("no static libc here")
    with pytest.raises(UserError, match="static"):
        check(workload(), "tune", case(program))


@pytest.mark.tools
def test_a_check_tells_what_the_program_allocates() -> None:
    found = check(workload(), "held_out", case("/usr/bin/perl", "-e", "my @a = map { 'x' x $_ } 1 .. 3000; print 1"))
    assert found.workload == "one" and found.input == "held_out"
    assert found.events > 3000 and found.peak_live_bytes > 3000 * 3000 / 2
    assert found.threads == found.processes == 1
    assert found.replay_nanoseconds_per_event > 0


def test_the_command_says_in_one_line_what_is_wrong() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "workloads", "pearl"], cwd="/", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "strata: pearl: no such workload: did you mean perl?\n"
