/// Lea's allocator, of which glibc's is a descendant: quick lists for small objects, approximate best fit with
/// immediate coalescing and splitting for medium ones, mappings for large ones (PLDI01 sections 2.1 and 6.2,
/// Figure 7).
///
///   LeaHeap      one thread; instances live side by side, and each is deleted whole
///   LeaDropIn    the same behind a lock that is elided while the process has one thread
///   LeaBlocks    without the mappings: for a range of memory that is given, such as a BufferHeap
///
/// Guarantees: blocks at multiples of 16; memalign; realloc in place where the neighbour is free, and by moving pages
///             where the block is a mapping; the top is given back.
/// Cost:       8 bytes a block, sizes rounded up to 16 with them, 32 at least.
#pragma once

#include <strata/combine/seg_heap.hpp>
#include <strata/combine/select_mmap_heap.hpp>
#include <strata/combine/threshold_heap.hpp>
#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/coalesce_heap.hpp>
#include <strata/layer/coalesceable_heap.hpp>
#include <strata/layer/dl_list.hpp>
#include <strata/layer/freelist_heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/platform/pages.hpp>
#include <strata/policy/lea_tunables.hpp>
#include <strata/policy/locks.hpp>
#include <strata/policy/size_class_maps.hpp>
#include <strata/source/mmap_heap.hpp>
#include <strata/source/null_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

namespace strata {

/// Medium objects: approximate best fit among free blocks that are coalesced and split at once.
template <LeaTunables Tunables, class Source>
class LeaMedium : public CoalesceHeap<
                      SegHeap<ClassesFrom<SteppedClasses<Tunables.steps>, 24>, AdaptHeap<DLList, NullHeap>,
                              Tunables.scan, CoalesceableHeap<Tunables.growth, Source>>> {
  static_assert(Tunables.valid(), "LeaTunables: a value is out of its range (see describe())");

 public:
  using LeaMedium::CoalesceHeap::CoalesceHeap;
};

/// Small objects in front of them: a quick list for every size.
template <LeaTunables Tunables, class Source>
class LeaBlocks : public ThresholdHeap<GranuleClasses<24, Tunables.quick>, FreelistHeap<NullHeap>,
                                       Tunables.flush_from, Tunables.hold, LeaMedium<Tunables, Source>> {
 public:
  using LeaBlocks::ThresholdHeap::ThresholdHeap;
};

template <LeaTunables Tunables = {}, class Sbrk = SbrkHeap<page_size>, class Mmap = MmapHeap>
class LeaHeap
    : public AnsiWrapper<
          SelectMmapHeap<Tunables.mmap_threshold, Tunables.mmap_limit, Mmap, LeaBlocks<Tunables, Sbrk>>> {
 public:
  using LeaHeap::AnsiWrapper::AnsiWrapper;
};

template <LeaTunables Tunables = {}, class Sbrk = SbrkHeap<page_size>, class Mmap = MmapHeap>
class LeaDropIn
    : public AnsiWrapper<LockedHeap<ElidedLock, SelectMmapHeap<Tunables.mmap_threshold, Tunables.mmap_limit,
                                                               Mmap, LeaBlocks<Tunables, Sbrk>>>> {
 public:
  using LeaDropIn::AnsiWrapper::AnsiWrapper;
};

}  // namespace strata
