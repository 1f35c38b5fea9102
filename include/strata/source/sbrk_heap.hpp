/// The data segment, grown by moving the program break (PLDI01 Table 1).
///
/// The break moves in steps of `Growth` bytes. Memory goes back only at the top, once two steps of it are
/// free. What the segment cannot take, because somebody else moved the break or the OS will not, is a mapping
/// of its own.
/// Guarantees: keeps errno; the destructor and clear() give everything back.
/// Threads:    none of its own; and moving the break races with whoever else moves it, so that only one
///             SbrkHeap, under one lock, belongs in a process with threads: a drop-in's.
/// Cost:       O(1); 16 bytes a block; a system call a step.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>
#include <strata/platform/pages.hpp>
#include <strata/platform/program_break.hpp>
#include <strata/source/block_stack.hpp>
#include <strata/source/mmap_heap.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace strata {

template <std::size_t Growth = 128 * KiB>
class SbrkHeap {
  static_assert(std::has_single_bit(Growth) && Growth >= page_size,
                "SbrkHeap: Growth must be a power of two, and a page at least");

 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;
  static constexpr bool discardable = true;

  constexpr SbrkHeap() { mapped_.count_into(footprint_); }
  SbrkHeap(const SbrkHeap&) = delete;
  SbrkHeap& operator=(const SbrkHeap&) = delete;
  constexpr ~SbrkHeap() {
    if (footprint_.own().current != 0) clear();
  }

  void* malloc(std::size_t size) {
    const std::size_t needed = BlockStack::room_for(size);
    if (needed > segment_.room() && !grow(needed - segment_.room())) return mapped_.malloc(size);
    return segment_.push(size);
  }

  void free(void* block) {
    if (!segment_.contains(block)) return mapped_.free(block);
    segment_.release(block);
    settle();
  }

  std::size_t usable_size(void* block) const {
    return segment_.contains(block) ? BlockStack::size_of(block) : mapped_.usable_size(block);
  }

  /// In the segment only the topmost block can be extended, if need be by moving the break.
  bool try_extend(void* block, std::size_t size) {
    if (!segment_.contains(block)) return mapped_.try_extend(block, size);
    if (segment_.extend(block, size)) return true;
    if (!segment_.is_topmost(block)) return false;
    const std::size_t missing =
        round_up(size, natural_alignment) - BlockStack::size_of(block) - segment_.room();
    return grow(missing) && segment_.extend(block, size);
  }

  void shrink(void* block, std::size_t size) {
    if (!segment_.contains(block)) return mapped_.shrink(block, size);
    segment_.shrink(block, size);
    settle();
  }

  bool owns(const void* address) const {
    return address_of(address) - address_of(begin_) < segment_bytes() || mapped_.owns(address);
  }

  /// Lowers the break to `keep` bytes above the topmost block.
  bool trim(std::size_t keep) { return give_back(keep); }

  void clear() {
    mapped_.clear();
    if (begin_ != nullptr) release_segment();
    begin_ = end_ = nullptr;
    segment_ = BlockStack();
  }

  Footprint footprint() const { return footprint_.own(); }
  constexpr void count_into(FootprintCounter& whole) { footprint_.count_into(whole); }

 private:
  std::size_t segment_bytes() const { return static_cast<std::size_t>(end_ - begin_); }

  /// Room for `missing` bytes more in the segment.
  STRATA_COLD bool grow(std::size_t missing) {
    std::byte* const now = program_break();
    if (now == nullptr || missing > PTRDIFF_MAX - 2 * Growth - address_of(now)) return false;
    const bool first = begin_ == nullptr;
    if (!first && now != end_) return false;
    // Ending on a page leaves no part of one unused, wherever the break was found.
    const std::size_t more =
        round_up(address_of(now) + natural_alignment + missing, Growth) - address_of(now);
    if (!move_program_break(static_cast<std::intptr_t>(more))) return false;
    if (first) {
      begin_ = now;
      segment_ = BlockStack(now, now + more);
    }
    end_ = now + more;
    segment_.move_end(end_);
    footprint_.grow(more);
    return true;
  }

  void settle() {
    if (segment_.room() >= 2 * Growth) give_back(Growth);
  }

  bool give_back(std::size_t keep) {
    if (segment_.room() <= keep || program_break() != end_) return false;
    const std::size_t excess = round_down(segment_.room() - keep, page_size);
    if (excess == 0 || !move_program_break(-static_cast<std::intptr_t>(excess))) return false;
    end_ -= excess;
    segment_.move_end(end_);
    footprint_.shrink(excess);
    return true;
  }

  /// Lowers the break; or, under the memory of somebody else who moved it, leaves a hole.
  void release_segment() {
    footprint_.shrink(segment_bytes());
    if (program_break() == end_ && move_program_break(begin_ - end_)) return;
    std::byte* const pages = begin_ + (round_up(address_of(begin_), page_size) - address_of(begin_));
    if (pages < end_) unmap_pages(pages, static_cast<std::size_t>(end_ - pages));
  }

  BlockStack segment_;
  std::byte* begin_ = nullptr;  // of the segment; the blocks begin at the first multiple of 16
  std::byte* end_ = nullptr;
  MmapHeap mapped_;
  FootprintCounter footprint_;
};

static_assert(Heap<SbrkHeap<>> && HasUsableSize<SbrkHeap<>> && HasTryExtend<SbrkHeap<>> &&
              HasOwns<SbrkHeap<>> && HasClear<SbrkHeap<>> && HasTrim<SbrkHeap<>> &&
              HasFootprint<SbrkHeap<>> && HasCountInto<SbrkHeap<>> && HasShrink<SbrkHeap<>>);

}  // namespace strata
