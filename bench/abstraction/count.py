"""What layers cost: instructions per malloc + free pair of 64 bytes, KingsleyHeap beside Kingsley written by hand.

Counted by callgrind, as the difference between two numbers of pairs, the empty loop subtracted. Run it from the
root after `./strata list` and a build of the benchmarks:

    python3 bench/abstraction/count.py --build build/test [LIBRARY...]

LIBRARY is any further malloc library to count; "glibc" is the program's own.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PATTERNS = ("lifo", "window", "drain")
FEW, MANY = 20_000, 120_000


def instructions(pairs: Path, library: str, pattern: str, count: int) -> int:
    """The instructions of one whole run of `pairs`."""
    environment = {**os.environ, "LD_PRELOAD": "" if library == "glibc" else library}
    with tempfile.TemporaryDirectory() as folder:
        out = f"--callgrind-out-file={folder}/out"
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", out, str(pairs), pattern, str(count)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    if "cannot be preloaded" in run.stderr:
        raise SystemExit(f"strata: {library}: the dynamic linker could not preload it")
    total = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or total is None:
        raise SystemExit(f"strata: {library}: valgrind failed: {run.stderr.strip().splitlines()[-1]}")
    return int(total[1])


def per_pair(pairs: Path, library: str, pattern: str) -> float:
    """Instructions a pair, with the loop around it."""
    few = instructions(pairs, library, pattern, FEW)
    return (instructions(pairs, library, pattern, MANY) - few) / (MANY - FEW)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build/test"), help="folder of the build")
    parser.add_argument("--limit", type=float, help="fail if layers cost more than this many percent")
    parser.add_argument("library", nargs="*", help="further malloc libraries, or glibc")
    arguments = parser.parse_args()
    pairs = arguments.build / "bin" / "pairs"
    hand = str((arguments.build / "lib" / "libmonolithic-kingsley.so").resolve())
    layers = str((arguments.build / "lib" / "libstrata-kingsley.so").resolve())

    loop = per_pair(pairs, "glibc", "empty")
    print(f"{'instructions a pair, loop subtracted':40}" + "".join(f"{p:>9}" for p in PATTERNS))
    counted = {}
    for library in (hand, layers, *arguments.library):
        counted[library] = [per_pair(pairs, library, pattern) - loop for pattern in PATTERNS]
        print(f"{Path(library).name:40}" + "".join(f"{n:9.1f}" for n in counted[library]))
    cost = [100 * (ours / theirs - 1) for ours, theirs in zip(counted[layers], counted[hand], strict=True)]
    print(f"{'layers cost (%)':40}" + "".join(f"{n:9.1f}" for n in cost))
    if arguments.limit is not None and max(cost) > arguments.limit:
        print(f"strata: layers cost {max(cost):.1f} %, more than {arguments.limit} %", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
