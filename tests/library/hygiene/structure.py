#!/usr/bin/env python3
"""The house rules that a script can check.

Usage: structure.py REPOSITORY

A folder of the library includes only folders that the design lists above it; a header is guarded by #pragma once; no
source has more than 400 lines, and none keeps code under "#if 0".
"""

import re
import subprocess
import sys
from pathlib import Path

# The design's order: a folder may include itself and what stands before it.
FOLDERS = [
    *["contract", "platform", "policy", "event", "source", "layer"],
    *["combine", "heap", "special", "offload", "adapt"],
]
MOST_LINES = 400
SOURCES = {".hpp", ".cpp", ".h", ".c", ".py", ".sh", ".cmake"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
DISABLED = re.compile(r"^\s*#\s*if\s+0\b", re.MULTILINE)


def tracked_files(repository: Path) -> list[Path]:
    """The files under version control; in an unpacked archive, all that are not hidden or built."""
    listed = subprocess.run(
        ["git", "-C", str(repository), "ls-files", "-z"], capture_output=True, text=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        files = [repository / name for name in listed.stdout.split("\0") if name]
    else:
        files = [
            path
            for path in repository.rglob("*")
            if not any(part.startswith(".") or part == "build" for part in path.relative_to(repository).parts)
        ]
    return [path for path in files if path.suffix in SOURCES and path.is_file()]


def wrong_includes(header: Path, library: Path) -> list[str]:
    """The includes of a library header that its folder may not have."""
    folder = header.relative_to(library).parts[0]
    if folder not in FOLDERS:
        return [f"{header}: the folder {folder} is not in the design's order: add it to {Path(__file__).name}"]
    wrong = []
    for name in INCLUDE.findall(header.read_text()):
        if not name.startswith("strata/"):
            if "/" in name and not name.startswith(("sys/", "linux/", "asm/")):
                wrong.append(f"{header}: includes {name}, but the library needs the compiler and the OS alone")
            continue
        other = name.split("/")[1]
        if other not in FOLDERS or FOLDERS.index(other) > FOLDERS.index(folder):
            wrong.append(f"{header}: {folder}/ may not include {name}: {other}/ stands below it")
    return wrong


def complaints(repository: Path) -> list[str]:
    """Everything that is wrong, a line each."""
    library = repository / "include" / "strata"
    headers = sorted(library.rglob("*.hpp"))
    wrong = [] if headers else [f"{library}: no headers here"]
    for header in headers:
        wrong += wrong_includes(header, library)
        if "#pragma once" not in header.read_text():
            wrong.append(f"{header}: lacks #pragma once")
        if not header.read_text().startswith("/// "):
            wrong.append(f"{header}: does not open with what it is")
    for path in tracked_files(repository):
        text = path.read_text(errors="replace")
        lines = text.count("\n")
        if lines > MOST_LINES:
            wrong.append(f"{path}: {lines} lines, {MOST_LINES} at most: give each of its jobs a file")
        if path.suffix != ".py" and DISABLED.search(text):
            wrong.append(f"{path}: has code under #if 0: delete it")
    return wrong


def main() -> int:
    """Checks a checkout."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    wrong = complaints(Path(sys.argv[1]))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
