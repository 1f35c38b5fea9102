#!/usr/bin/env python3
"""Every header of the library compiles alone, without exceptions and without run-time type information.

Usage: headers.py INCLUDE_FOLDER COMPILER...
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLAGS = [
    *["-std=c++20", "-fsyntax-only", "-fno-exceptions", "-fno-rtti"],
    *["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"],
]


def diagnosis(compiler: str, include: Path, header: Path) -> str | None:
    """What the compiler says about a file that includes the header and nothing else; None if that is well."""
    source = f"#include <{header.relative_to(include)}>\n" * 2
    command = [compiler, *FLAGS, f"-I{include}", "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return None if result.returncode == 0 else f"{header} does not compile alone with {compiler}:\n{result.stderr}"


def main() -> int:
    """Checks every header with every compiler."""
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    include = Path(sys.argv[1])
    jobs = [(compiler, header) for compiler in sys.argv[2:] for header in sorted(include.rglob("*.hpp"))]
    if not jobs:
        print(f"{include}: no headers here", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(max_workers=2) as pool:
        wrong = [said for said in pool.map(lambda job: diagnosis(job[0], include, job[1]), jobs) if said is not None]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
