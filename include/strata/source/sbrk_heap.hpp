/// The data segment, grown by moving the program break (PLDI01 Table 1).
///
/// The break moves in steps of `Growth` bytes. Memory goes back only at the top, once two steps of it are
/// free. When somebody else moved the break, or the OS will not, blocks come from mapped stretches instead:
/// each takes the place of the one before it, which stays until clear().
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

  constexpr SbrkHeap() = default;
  SbrkHeap(const SbrkHeap&) = delete;
  SbrkHeap& operator=(const SbrkHeap&) = delete;
  constexpr ~SbrkHeap() {
    if (footprint_.current != 0) clear();
  }

  void* malloc(std::size_t size) {
    const std::size_t needed = BlockStack::room_for(size);
    if (needed > blocks_.room() && !grow(needed)) return nullptr;
    return blocks_.push(size);
  }

  void free(void* block) {
    if (!blocks_.contains(block)) return;  // in a stretch that was left behind
    blocks_.release(block);
    if (blocks_.room() >= 2 * Growth) give_back(Growth);
  }

  static std::size_t usable_size(void* block) { return BlockStack::size_of(block); }

  bool try_extend(void* block, std::size_t size) { return blocks_.extend(block, size); }

  bool owns(const void* address) const {
    return blocks_.contains(address) || mapped_.owns(address) ||
           address_of(address) - address_of(segment_begin_) < segment_bytes();
  }

  /// Lowers the break to `keep` bytes above the topmost block.
  bool trim(std::size_t keep) { return give_back(keep); }

  void clear() {
    mapped_.clear();
    if (segment_begin_ != nullptr) release_segment();
    segment_begin_ = segment_end_ = nullptr;
    blocks_ = BlockStack();
    footprint_.current = 0;
  }

  Footprint footprint() const { return footprint_; }

 private:
  bool on_segment() const { return blocks_.end() == segment_end_; }
  std::size_t segment_bytes() const { return static_cast<std::size_t>(segment_end_ - segment_begin_); }

  STRATA_COLD bool grow(std::size_t needed) {
    return (on_segment() && grow_segment(needed)) || map_stretch(needed);
  }

  bool grow_segment(std::size_t needed) {
    std::byte* const now = program_break();
    if (now == nullptr || needed > PTRDIFF_MAX - 2 * Growth - address_of(now)) return false;
    const bool first = segment_begin_ == nullptr;
    if (!first && now != segment_end_) return false;
    // Ending on a page leaves no part of one unused, wherever the break was found.
    const std::size_t more = round_up(address_of(now) + natural_alignment + needed, Growth) - address_of(now);
    if (!move_program_break(static_cast<std::intptr_t>(more))) return false;
    if (first) {
      segment_begin_ = now;
      blocks_ = BlockStack(now, now + more);
    }
    segment_end_ = now + more;
    blocks_.move_end(segment_end_);
    footprint_.grow(more);
    return true;
  }

  bool map_stretch(std::size_t needed) {
    const std::size_t before = mapped_.footprint().current;
    void* stretch = needed < Growth ? mapped_.malloc(Growth) : nullptr;
    if (stretch == nullptr) stretch = mapped_.malloc(needed);
    if (stretch == nullptr) return false;
    footprint_.grow(mapped_.footprint().current - before);
    blocks_ = BlockStack(bytes_at(stretch), bytes_at(stretch) + mapped_.usable_size(stretch));
    return true;
  }

  bool give_back(std::size_t keep) {
    if (!on_segment() || blocks_.room() <= keep || program_break() != segment_end_) return false;
    const std::size_t excess = round_down(blocks_.room() - keep, page_size);
    if (excess == 0 || !move_program_break(-static_cast<std::intptr_t>(excess))) return false;
    segment_end_ -= excess;
    blocks_.move_end(segment_end_);
    footprint_.shrink(excess);
    return true;
  }

  /// Lowers the break; or, under the memory of somebody else who moved it, leaves a hole.
  void release_segment() {
    if (program_break() == segment_end_ && move_program_break(segment_begin_ - segment_end_)) return;
    std::byte* const pages =
        segment_begin_ + (round_up(address_of(segment_begin_), page_size) - address_of(segment_begin_));
    if (pages < segment_end_) unmap_pages(pages, static_cast<std::size_t>(segment_end_ - pages));
  }

  BlockStack blocks_;
  std::byte* segment_begin_ = nullptr;
  std::byte* segment_end_ = nullptr;
  MmapHeap mapped_;
  Footprint footprint_;
};

static_assert(Heap<SbrkHeap<>> && HasUsableSize<SbrkHeap<>> && HasTryExtend<SbrkHeap<>> &&
              HasOwns<SbrkHeap<>> && HasClear<SbrkHeap<>> && HasTrim<SbrkHeap<>> && HasFootprint<SbrkHeap<>>);

}  // namespace strata
