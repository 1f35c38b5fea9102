// LeaHeap as a drop-in for programs of one thread: preload/lea.cpp without its lock, to count what that costs.
#include "preload/drop_in.hpp"

#include <strata/heap/lea_heap.hpp>

namespace {

constexpr strata::LeaTunables standard;

using UnlockedLea = strata::AnsiWrapper<strata::LockedHeap<
    strata::NoLock,
    strata::SelectMmapHeap<standard.mmap_threshold, standard.mmap_limit, strata::MmapHeap,
                           strata::LeaBlocks<standard, strata::SbrkHeap<strata::page_size>>>>>;

}  // namespace

STRATA_DROP_IN(UnlockedLea)
