"""Makes the inputs that workloads derive from what packages ship, once: again only when the making has changed.

Each is written whole or not at all, beside a note of the command and the package versions that it came from.
"""

import subprocess
from pathlib import Path

from strata.errors import UserError
from strata.terminal import steps
from strata.tools import failure_line
from workloads.model import MADE, OURS, Made, Workload
from workloads.packages import install, missing_packages


def set_up(chosen: list[Workload]) -> None:
    """Packages and inputs of these."""
    install(missing_packages(package for workload in chosen for package in workload.packages))
    for workload in chosen:
        origin = _versions(workload.packages)
        stale = [one for one in workload.inputs if not _current(one, origin)]
        if not stale:
            continue
        with steps() as progress, progress.step(f"making the inputs of {workload.name}", len(stale)) as step:
            for one in stale:
                _make(one, origin)
                step.at(one.name)


def _versions(packages: tuple[str, ...]) -> str:
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages], capture_output=True, text=True, check=True
    )
    return shown.stdout


def _note(one: Made) -> Path:
    return one.path.with_name(one.path.name + ".made-of")


def _recipe(one: Made, origin: str) -> str:
    """All that the input depends on: the command, our own files in it, and what the packages are."""
    ours = [Path(word) for word in one.command if Path(word).is_relative_to(OURS)]
    return "\n".join([*one.command, *(path.read_text(encoding="utf-8") for path in ours), origin])


def _current(one: Made, origin: str) -> bool:
    note = _note(one)
    return one.path.exists() and note.exists() and note.read_text(encoding="utf-8") == _recipe(one, origin)


def _make(one: Made, origin: str) -> None:
    partial = one.path.with_name(one.path.name + ".part")
    partial.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("wb") as output:
        done = subprocess.run(
            one.command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, cwd=MADE, check=False
        )
    if done.returncode != 0:
        words = failure_line(one.command[0], done.returncode, done.stderr.decode(errors="replace"))
        raise UserError(f"{one.path}: could not be made: {words}")
    partial.replace(one.path)
    _note(one).write_text(_recipe(one, origin), encoding="utf-8")
