/// Kingsley's allocator, of BSD 4.2: a free list for every power of two. Among the fastest, and the most
/// wasteful (PLDI01 sections 2.1 and 6.1).
///
///   KingsleyHeap          one thread; instances live side by side, and each is deleted whole
///   KingsleyDropIn        the same behind a lock that is elided while the process has one thread
///
/// Guarantees: blocks at multiples of 16; memalign; O(1) malloc and free. Memory is never given back before
///             the heap is destroyed or cleared, but from the top of the data segment.
/// Cost:       8 bytes a block, and rounding up to a power of two (KingsleyTunables::steps makes that finer).
#pragma once

#include <strata/combine/sourced_heap.hpp>
#include <strata/combine/strict_seg_heap.hpp>
#include <strata/layer/aligned_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/chunk_heap.hpp>
#include <strata/layer/freelist_heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/layer/size_heap.hpp>
#include <strata/layer/unique_heap.hpp>
#include <strata/policy/kingsley_tunables.hpp>
#include <strata/policy/locks.hpp>
#include <strata/policy/size_class_maps.hpp>
#include <strata/source/null_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

#include <type_traits>

namespace strata {

template <KingsleyTunables Tunables>
using KingsleyClasses =
    std::conditional_t<Tunables.steps == 1, PowerOfTwoClasses<29>, SteppedClasses<Tunables.steps>>;

/// The paper's composition, but that all bins cut their blocks from one source's chunks, and that an object's
/// header is not written again when it leaves a bin.
template <KingsleyTunables Tunables, class Source>
class KingsleyBins : public StrictSegHeap<KingsleyClasses<Tunables>, FreelistHeap<NullHeap>,
                                          SizeHeap<ChunkHeap<Tunables.chunk, UniqueHeap<Source>>>,
                                          SizeHeap<UniqueHeap<Source>>> {
  static_assert(Tunables.valid(), "KingsleyTunables: a value is out of its range (see describe())");

 public:
  using KingsleyBins::StrictSegHeap::StrictSegHeap;
};

template <KingsleyTunables Tunables = {}, class Source = SbrkHeap<Tunables.growth>>
class KingsleyHeap : public AnsiWrapper<AlignedHeap<SourcedHeap<Source, KingsleyBins<Tunables, Source>>>> {
 public:
  using KingsleyHeap::AnsiWrapper::AnsiWrapper;
};

template <KingsleyTunables Tunables = {}, class Source = SbrkHeap<Tunables.growth>>
class KingsleyDropIn
    : public AnsiWrapper<
          LockedHeap<ElidedLock, AlignedHeap<SourcedHeap<Source, KingsleyBins<Tunables, Source>>>>> {
 public:
  using KingsleyDropIn::AnsiWrapper::AnsiWrapper;
};

}  // namespace strata
