/// Allocates at any power of two, and recognises such blocks when they are freed.
///
/// An aligned block lies inside a larger one of Super's. The word in front of it, which in a block of Super's
/// is a header with a low bit of 0, holds the distance to that block's start, with a low bit of 1: so that
/// free and usable_size never take it for a header of Super's.
/// Needs:      a header in front of every block (SizeHeap).
/// Guarantees: memalign(alignment, size); null when the sum of the two is out of reach.
/// Threads:    none of its own. The tag is written by memalign only.
/// Cost:       a test in free and usable_size; an aligned block takes `alignment - 16` bytes more.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>
#include <cstdint>

namespace strata {

template <class Super>
class AlignedHeap : public Super {
  static_assert(Heap<Super> && HasHeader<Super> && HasUsableSize<Super>,
                "AlignedHeap needs a header in front of every block below it: add a SizeHeap");
  static_assert(at_phase<Super>(natural_alignment, 0),
                "AlignedHeap needs blocks at multiples of 16 below it");

 public:
  using Super::Super;

  void* memalign(std::size_t boundary, std::size_t size) {
    if (boundary <= natural_alignment) return Super::malloc(size);
    const std::size_t slack = boundary - natural_alignment;
    if (size > PTRDIFF_MAX - slack) return nullptr;
    void* const block = Super::malloc(size + slack);
    if (block == nullptr) return nullptr;
    const std::size_t distance = round_up(address_of(block), boundary) - address_of(block);
    if (distance == 0) return block;
    void* const aligned = bytes_at(block) + distance;
    Super::header(aligned) = distance << 1 | tag;
    return aligned;
  }

  STRATA_INLINE void free(void* block) { Super::free(bytes_at(block) - distance_of(block)); }

  std::size_t usable_size(void* block) {
    const std::size_t distance = distance_of(block);
    return Super::usable_size(bytes_at(block) - distance) - distance;
  }

  bool try_extend(void* block, std::size_t size)
    requires HasTryExtend<Super>
  {
    const std::size_t distance = distance_of(block);
    return Super::try_extend(bytes_at(block) - distance, size + distance);
  }

  /// The word in front of an aligned block is a tag, which nobody else reads rightly.
  void header(void*) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;
  void zeroed(void*) = delete;
  void remove(void*) = delete;
  void take(std::size_t) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

 private:
  static constexpr std::size_t tag = 1;

  static std::size_t distance_of(void* block) {
    const std::size_t word = Super::header(block);
    if ((word & tag) == 0) [[likely]] {
      return 0;
    }
    return word >> 1;
  }
};

}  // namespace strata
