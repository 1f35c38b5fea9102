"""The C++ tools of the lab: where they are, and calling them for JSON."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from strata.errors import UserError

ROOT = Path(__file__).resolve().parents[2]


def build_folder() -> Path:
    """The build that the tools and drop-ins come from: STRATA_BUILD, else the checkout's release build."""
    return Path(os.environ.get("STRATA_BUILD") or ROOT / "build" / "release").absolute()


def tool(name: str) -> Path:
    path = build_folder() / "bin" / name
    if not os.access(path, os.X_OK):
        raise UserError(
            f"{name} is not in {path.parent}: build it (cmake --preset release && cmake --build --preset release) "
            "or point STRATA_BUILD at a build"
        )
    return path


def library(name: str) -> Path:
    return build_folder() / "lib" / name


def tool_json(name: str, *arguments: str | Path, environment: dict[str, str] | None = None) -> Any:
    """Runs a tool that prints JSON; its own error line becomes ours."""
    done = subprocess.run(
        [tool(name), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode != 0:
        raise UserError(failure_line(name, done.returncode, done.stderr))
    return json.loads(done.stdout)


def failure_line(name: str, status: int, stderr: str) -> str:
    """The last thing a tool said, without the prefix that we put before every error ourselves."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    if lines:
        return lines[-1].removeprefix("strata: ")
    return f"{name} was killed by signal {-status}" if status < 0 else f"{name} failed with exit status {status}"


def shell_words(words: Sequence[str]) -> str:
    """A command as one could type it again."""
    import shlex

    return shlex.join(words)
