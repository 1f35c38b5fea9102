"""What layers cost: instructions a malloc + free pair, our heaps beside the same allocators written by hand in C.

Counted by callgrind, as the difference between two numbers of pairs, the empty loop subtracted (pairs.c has the
patterns). Run it from the root after `./strata list` and a build of the benchmarks:

    python3 bench/abstraction/count.py --build build/test [LIBRARY...]

LIBRARY is any further malloc library to count; "glibc" is the program's own. LeaHeap without a lock must not take
more than 75 instructions for a pair of 64 bytes: as many as dlmalloc 2.7.2.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

PATTERNS = ("lifo", "window", "drain")
FEW, MANY = 20_000, 120_000
# Kingsley's allocator does the same whatever the size; Lea's keeps 64 bytes in quick lists, and coalesces and splits
# the others.
SIZES = {"kingsley": (64,), "lea": (64, 200, 1000)}
MOST_UNLOCKED = 75


@dataclass(frozen=True)
class Run:
    """One pattern of pairs of one size through one malloc library."""

    pairs: Path
    library: str
    pattern: str
    size: int

    def per_pair(self) -> float:
        """Instructions a pair, with the loop around it."""
        return (self._instructions(MANY) - self._instructions(FEW)) / (MANY - FEW)

    def _instructions(self, count: int) -> int:
        """The instructions of one whole run of `pairs`."""
        environment = {**os.environ, "LD_PRELOAD": "" if self.library == "glibc" else self.library}
        with tempfile.TemporaryDirectory() as folder:
            out = f"--callgrind-out-file={folder}/out"
            run = subprocess.run(
                ["valgrind", "--tool=callgrind", out, str(self.pairs), self.pattern, str(self.size), str(count)],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
        if "cannot be preloaded" in run.stderr:
            raise SystemExit(f"strata: {self.library}: the dynamic linker could not preload it")
        total = re.search(r"Collected : (\d+)", run.stderr)
        if run.returncode != 0 or total is None:
            raise SystemExit(f"strata: {self.library}: valgrind failed: {run.stderr.strip().splitlines()[-1]}")
        return int(total[1])


def row(name: str, figures: Iterable[float]) -> None:
    print(f"{name:40}" + "".join(f"{n:9.1f}" for n in figures), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build/test"), help="folder of the build")
    parser.add_argument("--limit", type=float, help="fail if layers cost more than this many percent")
    parser.add_argument("library", nargs="*", help="further malloc libraries, or glibc")
    arguments = parser.parse_args()
    pairs = arguments.build / "bin" / "pairs"

    def built(name: str) -> str:
        return str((arguments.build / "lib" / f"lib{name}.so").resolve())

    with ThreadPoolExecutor(os.cpu_count()) as pool:

        def counted(library: str, size: int) -> list[float]:
            runs = [Run(pairs, library, pattern, size) for pattern in PATTERNS]
            return [n - loop for n in pool.map(Run.per_pair, runs)]

        loop = Run(pairs, "glibc", "empty", 64).per_pair()
        failures = []
        print(f"{'instructions a pair, loop subtracted':40}" + "".join(f"{p:>9}" for p in PATTERNS))
        for heap, size in ((heap, size) for heap, sizes in SIZES.items() for size in sizes):
            hand = counted(built(f"monolithic-{heap}"), size)
            layers = counted(built(f"strata-{heap}"), size)
            cost = [100 * (ours / theirs - 1) for ours, theirs in zip(layers, hand, strict=True)]
            row(f"{heap}, {size} bytes: by hand", hand)
            row(f"{heap}, {size} bytes: layers", layers)
            row(f"{heap}, {size} bytes: layers cost (%)", cost)
            if arguments.limit is not None and max(cost) > arguments.limit:
                pattern = PATTERNS[cost.index(max(cost))]
                failures.append(
                    f"{heap}, {size} bytes, {pattern}: layers cost {max(cost):.1f} %, more than {arguments.limit:g} %"
                )
        unlocked = counted(built("unlocked-lea"), 64)
        row("lea, 64 bytes: layers, without a lock", unlocked)
        if max(unlocked) > MOST_UNLOCKED:
            failures.append(
                f"lea, 64 bytes, without a lock: {max(unlocked):.1f} instructions a pair, more than {MOST_UNLOCKED}"
            )
        for library, size in product(arguments.library, SIZES["lea"]):
            row(f"{Path(library).name}, {size} bytes", counted(library, size))
    for failure in failures:
        print(f"strata: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
