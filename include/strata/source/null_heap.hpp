/// Never has memory: ends a composition that holds only what is freed into it, such as a bin's free list.
///
/// Guarantees: malloc is null. A layer over it returns nothing to it when it is destroyed: whoever put the
///             blocks there takes them out before.
/// Threads:    safe.
#pragma once

#include <strata/contract/heap.hpp>

#include <cstddef>

namespace strata {

class NullHeap {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  static constexpr void* malloc(std::size_t) { return nullptr; }
  static constexpr void free(void*) {}
  static constexpr void clear() {}
};

static_assert(Heap<NullHeap> && HasClear<NullHeap>);

}  // namespace strata
