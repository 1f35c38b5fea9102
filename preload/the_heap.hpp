/// The one heap of a drop-in, as the ABI around it sees it.
///
/// The ABI is written before the heap's type is known, so it calls TheHeap; STRATA_DROP_IN defines these
/// functions over the heap that it is given, and they are inlined away. The heap is initialised at compile
/// time, because the dynamic linker allocates before any constructor has run, and it is never destroyed,
/// because threads still allocate while exit handlers run.
#pragma once

#include <strata/contract/footprint.hpp>
#include <strata/contract/heap.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata::drop_in {

struct TheHeap {
  STRATA_INLINE static void* malloc(std::size_t size);
  STRATA_INLINE static void free(void* block);
  STRATA_INLINE static void* calloc(std::size_t count, std::size_t size);
  STRATA_INLINE static void* realloc(void* block, std::size_t size);
  STRATA_INLINE static void* memalign(std::size_t alignment, std::size_t size);
  STRATA_INLINE static std::size_t usable_size(void* block);
  STRATA_INLINE static bool trim(std::size_t keep);
  STRATA_INLINE static Footprint footprint();
  STRATA_INLINE static void before_fork();
  STRATA_INLINE static void after_fork_in_parent();
  STRATA_INLINE static void after_fork_in_child();
};

/// What STRATA_DROP_IN needs of a heap; each line says what to add when it is missing.
template <class H>
struct Requirements {
  static_assert(Heap<H>, "a drop-in's heap needs malloc and free");
  static_assert(H::alignment % natural_alignment == 0 && H::alignment_offset == 0,
                "a drop-in's blocks must be 16-byte aligned");
  static_assert(HasUsableSize<H>, "a drop-in's heap needs usable_size: put SizeHeap into it");
  static_assert(HasMemalign<H>, "a drop-in's heap needs memalign: put AlignedHeap into it");
  static_assert(HasFootprint<H>, "a drop-in's heap needs footprint: count at its source");
  static_assert(HasForkHooks<H>, "a drop-in's heap needs fork hooks: wrap it in LockedHeap");
  static_assert(
      requires(H& heap, void* block, std::size_t n) {
        heap.calloc(n, n);
        heap.realloc(block, n);
      }, "a drop-in's heap needs calloc and realloc: wrap it in AnsiWrapper");
};

template <class H>
union Undying {
  constexpr Undying() : heap() {}
  constexpr ~Undying() {}
  H heap;
};

template <class H>
bool trim_if_able(H& heap, std::size_t keep) {
  if constexpr (HasTrim<H>) {
    return heap.trim(keep);
  } else {
    return false;
  }
}

}  // namespace strata::drop_in

#define STRATA_DEFINE_THE_HEAP(...)                                  \
  namespace strata::drop_in {                                        \
  template struct Requirements<__VA_ARGS__>;                         \
  static constinit Undying<__VA_ARGS__> the;                         \
  void* TheHeap::malloc(std::size_t size) {                          \
    return the.heap.malloc(size);                                    \
  }                                                                  \
  void TheHeap::free(void* block) {                                  \
    the.heap.free(block);                                            \
  }                                                                  \
  void* TheHeap::calloc(std::size_t count, std::size_t size) {       \
    return the.heap.calloc(count, size);                             \
  }                                                                  \
  void* TheHeap::realloc(void* block, std::size_t size) {            \
    return the.heap.realloc(block, size);                            \
  }                                                                  \
  void* TheHeap::memalign(std::size_t alignment, std::size_t size) { \
    return the.heap.memalign(alignment, size);                       \
  }                                                                  \
  std::size_t TheHeap::usable_size(void* block) {                    \
    return the.heap.usable_size(block);                              \
  }                                                                  \
  bool TheHeap::trim(std::size_t keep) {                             \
    return trim_if_able(the.heap, keep);                             \
  }                                                                  \
  Footprint TheHeap::footprint() {                                   \
    return the.heap.footprint();                                     \
  }                                                                  \
  void TheHeap::before_fork() {                                      \
    the.heap.before_fork();                                          \
  }                                                                  \
  void TheHeap::after_fork_in_parent() {                             \
    the.heap.after_fork_in_parent();                                 \
  }                                                                  \
  void TheHeap::after_fork_in_child() {                              \
    the.heap.after_fork_in_child();                                  \
  }                                                                  \
  }
