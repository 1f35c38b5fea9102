"""The command with the real tools, on programs that take a moment."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Strata

from strata.tools import ROOT

pytestmark = pytest.mark.tools

SCRIPT = """
my %h;
for my $i (1 .. 20000) {
    my $s = "key" . ($i * 7919 % 5003);
    $h{$s} .= "v$i" x ($i % 5);
    push @{$l{$i % 100}}, [$i, $s];
    delete $h{"key" . ($i % 500)} if $i % 3 == 0;
}
print scalar(keys %h), "\\n";
"""
READS = 'my $n = 0; while (<STDIN>) { push @l, [split //]; $n += length } print "$n\\n"; exit($n == 0 ? 9 : 0);'
QUICK = ("--budget", "6", "--runs", "2")


@pytest.fixture
def script(tmp_path: Path) -> str:
    (tmp_path / "work.pl").write_text(SCRIPT)
    return "work.pl"


def result_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "result.json").read_text())
    return found


def test_list_tells_ours_and_glibc(strata: Strata) -> None:
    done = strata("list", "--json", "-")
    document = json.loads(done.stdout)
    assert "kingsley" in [heap["name"] for heap in document["heaps"]]
    assert "glibc" in [peer["name"] for peer in document["peers"]]
    assert "kingsley" in done.stderr


@pytest.mark.parametrize("heap", ["current", "kingsley"])
def test_run_leaves_everything_alone(strata: Strata, heap: str) -> None:
    code = "import sys; print(sys.stdin.read().upper(), end=''); print('e', file=sys.stderr); sys.exit(7)"
    done = strata("run", "--heap", heap, "--", "python3", "-c", code, stdin="hello")
    assert (done.stdout, done.stderr, done.returncode) == ("HELLO", "e\n", 7)


def test_run_uses_the_heap(strata: Strata) -> None:
    done = strata("run", "--heap", "kingsley", "--", "cat", "/proc/self/maps")
    assert "libstrata-kingsley.so" in done.stdout


def test_options_after_the_dashes_are_the_programs(strata: Strata) -> None:
    done = strata("run", "--heap", "current", "--", "echo", "--heap", "--", "x")
    assert done.stdout == "--heap -- x\n"


def test_record_hands_everything_on(strata: Strata, tmp_path: Path) -> None:
    done = strata("record", "-o", "t.trace", "--", "perl", "-e", "print STDERR 'e'; print <STDIN>; exit 5", stdin="in")
    assert (done.stdout, done.stderr, done.returncode) == ("in", "e", 5)
    assert (tmp_path / "t.trace").stat().st_size > 0


def test_info_shows_and_writes_what_the_trace_says(strata: Strata, script: str, tmp_path: Path) -> None:
    assert strata("record", "--", "perl", script).returncode == 0
    done = strata("info", "perl.trace", "--json", "i.json")
    assert done.returncode == 0
    assert "Sizes asked for" in done.stdout
    assert "\x1b" not in done.stdout
    assert json.loads((tmp_path / "i.json").read_text())["streams"][0]["events"] > 20000


def test_build_makes_a_library_that_runs_a_program(strata: Strata, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('heap = "kingsley"\n[tunables]\nsteps = 2\n')
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert strata("build", "r.toml", "-o", "libr.so", **cache).returncode == 0
    library = tmp_path / "libr.so"
    done = subprocess.run(["cat", "/proc/self/maps"], env={"LD_PRELOAD": str(library)}, capture_output=True, text=True)
    assert str(library) in done.stdout
    assert done.stderr == ""
    entries = list((tmp_path / "cache" / "strata").iterdir())
    before = (entries[0] / "libstrata-kingsley.so").stat().st_mtime_ns
    assert strata("build", "r.toml", "-o", "libr.so", **cache).returncode == 0
    assert [entry.name for entry in (tmp_path / "cache" / "strata").iterdir()] == [entries[0].name]
    assert (entries[0] / "libstrata-kingsley.so").stat().st_mtime_ns == before


def test_build_of_a_recipe_that_is_not_there(strata: Strata) -> None:
    done = strata("build", "none.toml")
    assert (done.returncode, done.stderr) == (1, "strata: none.toml: No such file or directory\n")


def test_build_without_a_compiler_says_what_to_install(strata: Strata, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('heap = "kingsley"\n[tunables]\nsteps = 2\n')
    done = strata("build", "r.toml", PATH=str(tmp_path), CXX="")
    assert done.returncode == 1
    assert "install g++" in done.stderr


def test_compare_a_program(strata: Strata, script: str) -> None:
    done = strata("compare", "--heap", "kingsley", "--runs", "2", "--json", "-", "--", "perl", script)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [row["heap"] for row in document["heaps"]] == ["current", "kingsley"]
    assert all(row["measured"]["seconds"]["runs"] == 2 for row in document["heaps"])


def test_compare_a_trace_tells_the_null_share(strata: Strata, script: str) -> None:
    assert strata("record", "--", "perl", script).returncode == 0
    done = strata("compare", "perl.trace", "--heap", "kingsley", "--runs", "2", "--json", "-")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    null = document["null"]["nanoseconds_per_event"]["median"]
    assert 0 < null < document["heaps"][0]["measured"]["nanoseconds_per_event"]["median"]


def test_compare_names_a_heap_under_which_the_program_fails(strata: Strata) -> None:
    done = strata("compare", "--heap", "kingsley", "--runs", "1", "--json", "-", "--", "sh", "-c", "echo $LD_PRELOAD")
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert document["heaps"][1]["failed"] == "wrote something else to standard output"


def test_tune_end_to_end(strata: Strata, script: str, tmp_path: Path) -> None:
    done = strata("tune", *QUICK, "--", "perl", script)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "perl.strata"
    names = {"libstrata-perl.so", "recipe.toml", "report.html", "result.json", "deploy.md", "program.trace"}
    assert names <= {path.name for path in folder.iterdir()}
    result = result_of(folder)
    rows = {row["heap"]: row for row in result["heaps"]}
    assert rows["current"]["program"]["seconds"]["runs"] == 2
    assert any(row["kind"] == "ours" and row["program"] for row in result["heaps"])
    assert result["null"]["nanoseconds_per_event"] > 0
    assert result["verdict"]["sentences"]
    assert "At stake" in done.stdout
    assert "\x1b" not in done.stdout
    plain = subprocess.run(["perl", script], cwd=tmp_path, capture_output=True, check=True).stdout
    preload = os.environ | {"LD_PRELOAD": str(folder / "libstrata-perl.so")}
    assert subprocess.run(["perl", script], cwd=tmp_path, env=preload, capture_output=True).stdout == plain
    rebuilt = strata("build", str(folder / "recipe.toml"), "-o", "again.so")
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert (tmp_path / "again.so").read_bytes() == (folder / "libstrata-perl.so").read_bytes()


def test_tune_gives_every_run_the_same_input(strata: Strata, tmp_path: Path) -> None:
    text = "some words\n" * 3000
    done = strata("tune", *QUICK, "-o", "out", "--", "perl", "-e", READS, stdin=text)
    assert done.returncode == 0, done.stderr
    result = result_of(tmp_path / "out")
    assert result["program"]["exit_status"] == 0
    assert result["program"]["output_comparable"]
    assert (tmp_path / "out" / "stdin").read_text() == text
    assert not result["disqualified"]


def test_tune_accepts_a_constant_failure(strata: Strata, tmp_path: Path) -> None:
    done = strata("tune", *QUICK, "-o", "out", "--", "perl", "-e", READS)
    assert done.returncode == 0, done.stderr
    assert result_of(tmp_path / "out")["program"]["exit_status"] == 9


def test_tune_does_not_compare_output_that_differs_anyway(strata: Strata, tmp_path: Path) -> None:
    done = strata("tune", *QUICK, "-o", "out", "--", "perl", "-e", "print $$, rand")
    assert done.returncode == 0, done.stderr
    result = result_of(tmp_path / "out")
    assert result["program"]["output_comparable"] is False
    assert "not comparable" in done.stdout


def test_tune_throws_out_heaps_that_change_the_output(strata: Strata, tmp_path: Path) -> None:
    done = strata("tune", *QUICK, "-o", "out", "--", "sh", "-c", 'echo "[$LD_PRELOAD]"')
    assert done.returncode == 0, done.stderr
    result = result_of(tmp_path / "out")
    assert set(result["disqualified"].values()) == {"wrote something else to standard output"}
    assert result["verdict"]["heap"] is None


def test_tune_a_trace_alone_confirms_nothing(strata: Strata, script: str, tmp_path: Path) -> None:
    assert strata("record", "-o", "a.trace", "--", "perl", script).returncode == 0
    done = strata("tune", "--budget", "6", "a.trace", "--json", "-")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["verdict"]["confirmed"] is False
    assert "ot confirmed on the program" in " ".join(result["verdict"]["sentences"])
    assert (tmp_path / "a.strata" / "report.html").exists()
    assert (tmp_path / "a.trace").exists()


@pytest.mark.parametrize(
    ("command", "status", "word"),
    [
        (["no-such-program"], 127, "no such program"),
        (["perl", "-e", "kill 9, $$"], 1, "signal 9"),
        (["/sbin/ldconfig", "-p"], 126, "static"),
    ],
)
def test_tune_refuses_what_it_cannot_measure(
    strata: Strata, tmp_path: Path, command: list[str], status: int, word: str
) -> None:
    done = strata("tune", *QUICK, "-o", "out", "--", *command)
    assert done.returncode == status, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("strata: ")
    assert word in last
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "report.html").exists()


def test_tune_leaves_a_foreign_folder_alone(strata: Strata, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    done = strata("tune", *QUICK, "-o", "out", "--", "true")
    assert done.returncode == 1
    assert "choose another with -o" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_tune_interrupted_keeps_what_was_measured(script: str, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "strata", "tune", "--runs", "100000", "--", "perl", script],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "lab")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "running perl under" in line:
            break
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Interrupted" in out
    assert "Traceback" not in err
    result = result_of(tmp_path / "perl.strata")
    assert result["interrupted"] is True
    assert result["rounds"]["replay"] > 0
    assert (tmp_path / "perl.strata" / "report.html").exists()


def test_tune_of_a_program_that_does_almost_nothing(strata: Strata, tmp_path: Path) -> None:
    done = strata("tune", "--budget", "3", "-o", "my out", "--", "ls", "/")
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    result = result_of(tmp_path / "my out")
    assert result["at_stake"]["share_of_cpu"] is not None
