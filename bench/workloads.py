"""The programs that recording and replaying are measured on, and how every benchmark here finds the lab's harness."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lab"))
SCRIPTS = ROOT / "bench" / "recording"

# Every object of the interpreter from malloc, not from its own arenas; no other program here reads this.
os.environ["PYTHONMALLOC"] = "malloc"


@dataclass(frozen=True)
class Workload:
    name: str
    command: tuple[str, ...]


def scripted() -> list[Workload]:
    """Real interpreters on scripts that allocate millions of times; what is not installed is left out, and told."""
    wanted = {
        "perl": ("perl", str(SCRIPTS / "hashes.pl")),
        "gawk": ("gawk", "-f", str(SCRIPTS / "fields.awk")),
        "python3": ("/usr/bin/python3", str(SCRIPTS / "objects.py")),
    }
    found = []
    for name, command in wanted.items():
        if shutil.which(command[0]):
            found.append(Workload(name, command))
        else:
            sys.stderr.write(f"{name} is not installed: left out\n")
    return found


def compiled(name: str, folder: Path, *arguments: str) -> Workload:
    """A C program of bench/recording."""
    target = folder / name
    source = SCRIPTS / f"{name}.c"
    subprocess.run(["cc", "-O2", "-pthread", str(source), "-o", str(target)], check=True)
    return Workload(name, (str(target), *arguments))
