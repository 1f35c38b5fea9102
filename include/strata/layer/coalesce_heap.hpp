/// Splits blocks that are larger than asked for, and makes a freed block one with the free neighbours that it has
/// (PLDI01 section 6.2 and Table 1): immediate coalescing, in O(1) by boundary tags.
///
/// Needs:      boundary tags, a take that finds a free block, and a remove that takes one out of wherever it is kept: a
///             SegHeap over a CoalesceableHeap.
/// Guarantees: no two free blocks are neighbours, and none lies under the top; try_extend takes what it needs of a
///             free neighbour or of the top; shrink and memalign give back what they cut off.
/// Threads:    none of its own. A neighbour's free writes into the header of a block in use.
/// Cost:       malloc writes two headers when it splits, free up to three words beside the block.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>
#include <strata/policy/boundary_tags.hpp>

#include <cstddef>
#include <cstdint>

namespace strata {

template <class Super>
class CoalesceHeap : public Super {
  static_assert(Heap<Super> && HasBoundaryTags<Super> && HasTake<Super> && HasRemove<Super>,
                "CoalesceHeap needs boundary tags, take and remove below it: SegHeap over CoalesceableHeap");

  using Tags = BoundaryTags;

 public:
  using Super::Super;

  STRATA_INLINE void* malloc(std::size_t size) {
    const std::size_t bytes = Tags::bytes_for(size);
    if (void* const block = Super::take(bytes - Tags::header_bytes)) {
      split(block, Tags::size(block), bytes);
      return block;
    }
    return malloc_new(bytes);
  }

  STRATA_INLINE void free(void* block) {
    const std::size_t header = Tags::header(block);
    std::size_t bytes = header & ~Tags::flags;
    if ((header & Tags::previous_free_flag) != 0) {
      const std::size_t before = Tags::previous_size(block);
      block = bytes_at(block) - before;
      Super::remove(block);
      bytes += before;
    }
    void* const behind = bytes_at(block) + bytes;
    if (Tags::is_free(behind)) {
      Super::remove(behind);
      bytes += Tags::size(behind);
    }
    if (Tags::size(bytes_at(block) + bytes) == 0) [[unlikely]] {
      return free_last(block, bytes);
    }
    keep(block, bytes);
  }

  bool try_extend(void* block, std::size_t size) {
    const std::size_t bytes = Tags::bytes_for(size);
    const std::size_t before = Tags::size(block);
    void* const behind = Tags::next(block);
    if (!Tags::is_free(behind)) return Super::try_extend(block, size);
    const std::size_t whole = before + Tags::size(behind);
    if (whole < bytes) return false;
    Super::remove(behind);
    const std::size_t flag = Tags::header(block) & Tags::previous_free_flag;
    split(block, whole, bytes < before ? before : bytes);
    Tags::header(block) |= flag;
    return true;
  }

  void shrink(void* block, std::size_t size) {
    const std::size_t bytes = Tags::bytes_for(size);
    const std::size_t before = Tags::size(block);
    if (before < bytes + Tags::smallest) return;
    Tags::header(block) -= before - bytes;
    void* const rest = bytes_at(block) + bytes;
    Tags::header(rest) = before - bytes;
    free(rest);
  }

  /// What lies in front of the aligned block, and behind it, is free again.
  void* memalign(std::size_t boundary, std::size_t size) {
    if (boundary <= natural_alignment) return malloc(size);
    // In front there is room for a free block, or nothing; and behind for the smallest.
    const std::size_t slack = boundary + natural_alignment + Tags::smallest;
    if (size > PTRDIFF_MAX - slack) return nullptr;
    void* const block = malloc(size + slack);
    if (block == nullptr) return nullptr;
    std::size_t distance = round_up(address_of(block), boundary) - address_of(block);
    if (distance != 0 && distance < Tags::smallest) distance += boundary;
    void* const aligned = bytes_at(block) + distance;
    if (distance != 0) {
      Tags::header(aligned) = Tags::size(block) - distance;
      Tags::header(block) -= Tags::size(block) - distance;
      free(block);
    }
    shrink(aligned, size);
    return aligned;
  }

  /// These are this layer's means, not its user's.
  void take(std::size_t) = delete;
  void cut(std::size_t) = delete;
  void give_back(void*) = delete;
  void remnant() = delete;
  void remove(void*) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

 private:
  // Out of line, so that finding a block and keeping one call nothing, and have no register to save for it.
  STRATA_NOINLINE void* malloc_new(std::size_t bytes) {
    void* const block = Super::cut(bytes);
    if (void* const remnant = Super::remnant()) [[unlikely]] {
      free(remnant);
    }
    return block;
  }
  STRATA_NOINLINE void free_last(void* block, std::size_t bytes) {
    Tags::header(block) = bytes;
    if (!Super::give_back(block)) keep(block, bytes);
  }

  /// Makes one that is free of what lies between two blocks in use.
  STRATA_INLINE void keep(void* block, std::size_t bytes) {
    Tags::mark_free(block, bytes);
    Super::free(block);
  }

  /// Turns a block of `whole` bytes that nobody keeps into one of `bytes` in use, and keeps the rest as free if it
  /// can be a block.
  STRATA_INLINE void split(void* block, std::size_t whole, std::size_t bytes) {
    const std::size_t left = whole - bytes;
    if (left < Tags::smallest) {
      Tags::mark_used(block, whole);
      return;
    }
    Tags::header(block) = bytes;
    keep(bytes_at(block) + bytes, left);
  }
};

}  // namespace strata
