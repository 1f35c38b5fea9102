/// Never frees: each block lies behind the one before it. What a program would take if its allocator reused
/// nothing; right for one that ends before that matters.
///
///   BumpHeap       one thread
///   BumpDropIn     the same behind a lock that is elided while the process has one thread
///
/// Guarantees: blocks at multiples of 16; memalign; O(1) malloc, and a free that does nothing.
/// Cost:       8 bytes a block.
#pragma once

#include <strata/layer/aligned_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/chunk_heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/layer/size_heap.hpp>
#include <strata/policy/bump_tunables.hpp>
#include <strata/policy/locks.hpp>
#include <strata/source/mmap_heap.hpp>

namespace strata {

template <BumpTunables Tunables>
class BumpBlocks : public SizeHeap<ChunkHeap<Tunables.chunk, MmapHeap>> {
  static_assert(Tunables.valid(), "BumpTunables: a value is out of its range (see describe())");
};

template <BumpTunables Tunables = {}>
class BumpHeap : public AnsiWrapper<AlignedHeap<BumpBlocks<Tunables>>> {};

template <BumpTunables Tunables = {}>
class BumpDropIn : public AnsiWrapper<LockedHeap<ElidedLock, AlignedHeap<BumpBlocks<Tunables>>>> {};

}  // namespace strata
