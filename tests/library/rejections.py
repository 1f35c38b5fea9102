#!/usr/bin/env python3
"""Compositions that must not compile, each with the sentence that its author is to read.

Usage: rejections.py INCLUDE_FOLDER COMPILER...

A sentence of a static_assert under source/, layer/, combine/ or heap/ that no case here provokes fails the test too.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PRELUDE = """
#include <strata/combine/hybrid_heap.hpp>
#include <strata/combine/sourced_heap.hpp>
#include <strata/combine/strict_seg_heap.hpp>
#include <strata/heap/bump_heap.hpp>
#include <strata/heap/coalescing_kingsley_heap.hpp>
#include <strata/heap/kingsley_heap.hpp>
#include <strata/heap/lea_heap.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/malloc_heap.hpp>
using namespace strata;
struct Plain {
  static constexpr std::size_t alignment = 16, alignment_offset = 0;
  void* malloc(std::size_t);
  void free(void*);
};
struct NoFree {
  static constexpr std::size_t alignment = 16, alignment_offset = 0;
  void* malloc(std::size_t);
};
struct At4 : Plain { static constexpr std::size_t alignment = 8, alignment_offset = 4; };
struct At8 : Plain { static constexpr std::size_t alignment_offset = 8; std::size_t usable_size(void*); };
struct HeadedAt8 : At8 { static std::size_t& header(void*); };
struct NoClasses {};
using Bin = FreelistHeap<NullHeap>;
using Sized = SizeHeap<MallocHeap>;
using Few = PowerOfTwoClasses<4>;
using FreeBin = AdaptHeap<DLList, NullHeap>;
using Tagged = CoalesceableHeap<4096, Plain>;
using Kept = SegHeap<Few, FreeBin, 0, Tagged>;
using Medium = CoalesceHeap<Kept>;
"""


@dataclass(frozen=True)
class Case:
    """A declaration, and what the compiler must say about it."""

    code: str
    says: str


SOUND = """
FreelistHeap<Plain> a; ChunkHeap<4096, Plain> b; SizeHeap<Plain> c; SizeHeap<At8> d; AlignedHeap<Sized> e;
LockedHeap<Mutex, Plain> f; UniqueHeap<Plain>* g; AnsiWrapper<Sized> h; StrictSegHeap<Few, Bin, Sized, Sized> i;
SourcedHeap<Plain, SizeHeap<UniqueHeap<Plain>>> j; KingsleyHeap<> k; BumpHeap<> l; SbrkHeap<> m;
AdaptHeap<DLList, Plain> n; Tagged o; Kept p; Medium q; ThresholdHeap<Few, Bin, 512, 4096, Medium> r;
SelectMmapHeap<4096, 0, MmapHeap, Medium> s; HybridHeap<64, Sized, Sized> t; LeaHeap<> u; CoalescingKingsleyHeap<> v;
"""

CASES = [
    Case("SbrkHeap<3 * page_size> x;", "SbrkHeap: Growth must be a power of two, and a page at least"),
    Case("FreelistHeap<NoFree> x;", "FreelistHeap needs malloc and free below it"),
    Case("ChunkHeap<4096, NoFree> x;", "ChunkHeap needs malloc and free below it"),
    Case("ChunkHeap<4096, At8> x;", "ChunkHeap needs blocks at multiples of 16 below it"),
    Case("ChunkHeap<4096, ChunkHeap<65536, Plain>> x;", "ChunkHeap needs blocks at multiples of 16 below it"),
    Case("ChunkHeap<4100, Plain> x;", "ChunkHeap: Chunk must be a multiple of 16, and hold more than a few blocks"),
    Case("ChunkHeap<128, Plain> x;", "ChunkHeap: Chunk must be a multiple of 16, and hold more than a few blocks"),
    Case("SizeHeap<NoFree> x;", "SizeHeap needs malloc and free below it"),
    Case("SizeHeap<At4> x;", "SizeHeap needs blocks at a multiple of 16, or 8 behind one, below it"),
    Case("AlignedHeap<MallocHeap> x;", "AlignedHeap needs a header in front of every block below it: add a SizeHeap"),
    Case("AlignedHeap<AlignedHeap<Sized>> x;", "AlignedHeap needs a header in front of every block below it"),
    Case("AlignedHeap<HeadedAt8> x;", "AlignedHeap needs blocks at multiples of 16 below it"),
    Case("LockedHeap<Mutex, NoFree> x;", "LockedHeap needs malloc and free below it"),
    Case("LockedHeap<Plain, Plain> x;", "lock.elided()"),
    Case("UniqueHeap<NoFree>* x; auto y = sizeof(*x);", "UniqueHeap needs a heap to refer to"),
    Case("AnsiWrapper<Plain> x;", "AnsiWrapper needs usable_size below it: add a SizeHeap"),
    Case("AnsiWrapper<ChunkHeap<4096, MallocHeap>> x;", "AnsiWrapper needs usable_size below it: add a SizeHeap"),
    Case("AnsiWrapper<At8> x;", "AnsiWrapper needs blocks at multiples of 16 below it"),
    Case("StrictSegHeap<Few, NoFree, Sized, Sized> x;", "StrictSegHeap needs bins with malloc and free"),
    Case(
        "StrictSegHeap<Few, Bin, Plain, Sized> x;",
        "StrictSegHeap needs a heap for small blocks that knows their size: add a SizeHeap",
    ),
    Case(
        "StrictSegHeap<Few, Bin, Sized, Plain> x;",
        "StrictSegHeap needs a heap for big blocks that knows their size: add a SizeHeap",
    ),
    Case("StrictSegHeap<Few, Bin, At8, Sized> x;", "StrictSegHeap needs small and big blocks of one phase"),
    Case("StrictSegHeap<NoClasses, Bin, Sized, Sized> x;", "C::count"),
    Case("SourcedHeap<NoFree, Sized> x;", "SourcedHeap needs a source, and a heap that refers to it"),
    Case("SourcedHeap<Plain, NoFree> x;", "SourcedHeap needs a source, and a heap that refers to it"),
    Case("AdaptHeap<DLList, NoFree> x;", "AdaptHeap needs malloc and free below it"),
    Case("AdaptHeap<NoClasses, Plain> x;", "Entry"),
    Case("CoalesceableHeap<4096, NoFree> x;", "CoalesceableHeap needs malloc and free below it"),
    Case("CoalesceableHeap<4096, At8> x;", "CoalesceableHeap needs blocks at multiples of 16 below it"),
    Case(
        "CoalesceableHeap<4100, Plain> x;",
        "CoalesceableHeap: Growth must be a multiple of 16, and hold more than a few blocks",
    ),
    Case(
        "CoalesceableHeap<128, Plain> x;",
        "CoalesceableHeap: Growth must be a multiple of 16, and hold more than a few blocks",
    ),
    Case("CoalesceHeap<Sized> x;", "CoalesceHeap needs boundary tags"),
    Case("CoalesceHeap<Tagged> x;", "CoalesceHeap needs boundary tags, take and remove below it: SegHeap over"),
    Case("CoalesceHeap<SegHeap<Few, FreeBin, 0, Sized>> x;", "CoalesceHeap needs boundary tags, take and remove below"),
    Case("CoalesceHeap<Medium> x;", "CoalesceHeap needs boundary tags, take and remove below it"),
    Case(
        "SegHeap<Few, Bin, 0, Sized> x;",
        "SegHeap needs bins from which a block can be removed: AdaptHeap<DLList, NullHeap>",
    ),
    Case(
        "SegHeap<Few, FreeBin, 0, Plain> x;",
        "SegHeap needs a heap below it that knows the size of its blocks: add a SizeHeap or CoalesceableHeap",
    ),
    Case("SegHeap<NoClasses, FreeBin, 0, Sized> x;", "C::count"),
    Case(
        "SegHeap<ClassesFrom<PowerOfTwoClasses<>, 64>, FreeBin, 0, Tagged> x;",
        "SegHeap: over boundary tags the smallest class must be at most 24 bytes, as the smallest block is",
    ),
    Case("ThresholdHeap<Few, NoFree, 512, 4096, Medium> x;", "ThresholdHeap needs bins with malloc and free"),
    Case(
        "ThresholdHeap<Few, Bin, 512, 4096, Plain> x;",
        "ThresholdHeap needs a medium heap below it that knows the size of its blocks: add a CoalesceHeap",
    ),
    Case(
        "HybridHeap<64, Plain, Sized> x;",
        "HybridHeap needs a heap for small objects that knows their size: add a SizeHeap",
    ),
    Case(
        "HybridHeap<64, Sized, Plain> x;",
        "HybridHeap needs a heap for large objects that knows their size: add a SizeHeap",
    ),
    Case("HybridHeap<64, At8, Sized> x;", "HybridHeap needs small and large blocks of one phase"),
    Case(
        "HybridHeap<60, Sized, Sized> x;",
        "HybridHeap: Limit must be a multiple of 8, as the sizes that SizeHeap records are",
    ),
    Case(
        "HybridHeap<0, Sized, Sized> x;",
        "HybridHeap: Limit must be a multiple of 8, as the sizes that SizeHeap records are",
    ),
    Case(
        "SelectMmapHeap<4096, 0, MmapHeap, Sized> x;",
        "SelectMmapHeap needs boundary tags below it: CoalesceHeap over CoalesceableHeap",
    ),
    Case(
        "SelectMmapHeap<4096, 0, Plain, Medium> x;",
        "SelectMmapHeap needs a source of mappings that knows their size: MmapHeap",
    ),
    Case("SelectMmapHeap<4096, 0, At8, Medium> x;", "SelectMmapHeap needs mappings at multiples of 16"),
    Case("CoalescingKingsleyHeap<{.scan = 3}> x;", "CoalescingKingsleyTunables: a value is out of its range"),
    Case("LeaHeap<{.steps = 3}> x;", "LeaTunables: a value is out of its range (see describe())"),
    Case("LeaHeap<{.quick = 1 << 20}> x;", "LeaTunables: a value is out of its range (see describe())"),
    Case("AnsiWrapper<Medium> x; auto y = (x.remove(nullptr), 0);", "remove"),
    Case("Medium x; auto y = (x.give_back(nullptr), 0);", "give_back"),
    Case("FreelistHeap<MmapHeap> x; auto y = (x.zeroed(nullptr), 0);", "zeroed"),
    Case("FreelistHeap<MmapHeap> x; auto y = (x.shrink(nullptr, 8), 0);", "shrink"),
    Case("Tagged x; Tagged y(x);", "deleted"),
    Case("LeaHeap<> x; LeaHeap<> y(x);", "deleted"),
    Case("LeaDropIn<> x; LeaDropIn<> y(x);", "deleted"),
    Case("KingsleyHeap<{.steps = 3}> x;", "KingsleyTunables: a value is out of its range (see describe())"),
    Case("KingsleyHeap<{.chunk = 1000}> x;", "KingsleyTunables: a value is out of its range (see describe())"),
    Case("BumpHeap<{.chunk = 1}> x;", "BumpTunables: a value is out of its range (see describe())"),
    Case("Sized x; auto y = x.memalign(64, 1);", "memalign"),
    Case("KingsleyHeap<> x; KingsleyHeap<> y(x);", "deleted"),
]


def diagnosis(compiler: str, include: Path, code: str) -> str | None:
    """What the compiler says about the code; None if it accepts it."""
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", "-x", "c++", "-"]
    result = subprocess.run(command, input=PRELUDE + code, capture_output=True, text=True, check=False)
    return None if result.returncode == 0 else result.stderr


def sentences(include: Path) -> dict[str, Path]:
    """The sentences of the library's static_asserts, with their files."""
    found: dict[str, Path] = {}
    for folder in ("source", "layer", "combine", "heap"):
        for header in sorted((include / "strata" / folder).glob("*.hpp")):
            for asserted in re.findall(r"static_assert\((.*?)\);", header.read_text(), re.DOTALL):
                said = re.findall(r'"((?:[^"\\]|\\.)*)"', asserted)
                if said:
                    found["".join(said)] = header
    return found


def complaints(include: Path, compilers: list[str]) -> list[str]:
    """Everything that is wrong, a line each."""
    wrong = [
        f'{header}: no case provokes "{sentence}": add one to {Path(__file__).name}'
        for sentence, header in sentences(include).items()
        if not any(sentence.startswith(case.says) for case in CASES)
    ]
    for compiler in compilers:
        said = diagnosis(compiler, include, SOUND)
        if said is not None:
            wrong.append(f"{compiler}: rejects what is sound:\n{said}")

    def judge(job: tuple[str, Case]) -> str | None:
        compiler, case = job
        said = diagnosis(compiler, include, case.code)
        if said is None:
            return f"{compiler}: accepts {case.code}"
        if case.says not in said:
            return f'{compiler}: does not say "{case.says}" about {case.code} but:\n{said}'
        return None

    with ThreadPoolExecutor(max_workers=2) as pool:
        jobs = [(compiler, case) for compiler in compilers for case in CASES]
        wrong += [verdict for verdict in pool.map(judge, jobs) if verdict is not None]
    return wrong


def main() -> int:
    """Checks every case with every compiler."""
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    wrong = complaints(Path(sys.argv[1]), sys.argv[2:])
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
