/// Kingsley's powers of two with coalescing and splitting added (PLDI01 section 8): what is free is kept by powers of
/// two, but a block may be cut smaller, and free neighbours are made one.
///
///   CoalescingKingsleyHeap      one thread; instances live side by side, and each is deleted whole
///   CoalescingKingsleyDropIn    the same behind a lock that is elided while the process has one thread
///
/// Guarantees: blocks at multiples of 16; memalign; realloc in place where the neighbour is free; the top is given
///             back.
/// Cost:       8 bytes a block, sizes rounded up to 16 with them, 32 at least.
#pragma once

#include <strata/combine/seg_heap.hpp>
#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/coalesce_heap.hpp>
#include <strata/layer/coalesceable_heap.hpp>
#include <strata/layer/dl_list.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/platform/pages.hpp>
#include <strata/policy/coalescing_kingsley_tunables.hpp>
#include <strata/policy/locks.hpp>
#include <strata/policy/size_class_maps.hpp>
#include <strata/source/null_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

namespace strata {

/// Kingsley's classes as blocks with a header of 8 bytes in 16 have them: 24, 40, 72, 136 ... A power of two itself
/// would be a class that no block fits, and that a request of its size is rounded out of.
using CoalescingKingsleyClasses = ClassesFrom<SteppedClasses<1>, 24>;

template <CoalescingKingsleyTunables Tunables, class Source>
class CoalescingKingsleyBlocks
    : public CoalesceHeap<SegHeap<CoalescingKingsleyClasses, AdaptHeap<DLList, NullHeap>, Tunables.scan,
                                  CoalesceableHeap<Tunables.growth, Source>>> {
  static_assert(Tunables.valid(), "CoalescingKingsleyTunables: a value is out of its range (see describe())");

 public:
  using CoalescingKingsleyBlocks::CoalesceHeap::CoalesceHeap;
};

template <CoalescingKingsleyTunables Tunables = {}, class Source = SbrkHeap<page_size>>
class CoalescingKingsleyHeap : public AnsiWrapper<CoalescingKingsleyBlocks<Tunables, Source>> {
 public:
  using CoalescingKingsleyHeap::AnsiWrapper::AnsiWrapper;
};

template <CoalescingKingsleyTunables Tunables = {}, class Source = SbrkHeap<page_size>>
class CoalescingKingsleyDropIn
    : public AnsiWrapper<LockedHeap<ElidedLock, CoalescingKingsleyBlocks<Tunables, Source>>> {
 public:
  using CoalescingKingsleyDropIn::AnsiWrapper::AnsiWrapper;
};

}  // namespace strata
