/// The allocator that the program already has: a thin layer over malloc and free (PLDI01 Table 1).
///
/// Guarantees: whatever that allocator guarantees; blocks are naturally aligned.
/// Threads:    as safe as that malloc.
/// Cost:       a call. It holds nothing of its own, so its destructor returns nothing: blocks are their
///             users' to free.
#pragma once

#include <strata/contract/heap.hpp>

#include <malloc.h>

#include <cstddef>
#include <cstdlib>

namespace strata {

class MallocHeap {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  static void* malloc(std::size_t size) { return std::malloc(size); }
  static void free(void* block) { std::free(block); }
  static std::size_t usable_size(void* block) { return ::malloc_usable_size(block); }
  static void* memalign(std::size_t boundary, std::size_t size) { return ::memalign(boundary, size); }
};

static_assert(Heap<MallocHeap> && HasUsableSize<MallocHeap> && HasMemalign<MallocHeap>);

}  // namespace strata
