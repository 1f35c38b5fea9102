/// Lays blocks with boundary tags one behind the other, so that neighbours can be made one (PLDI01 Table 1).
///
/// Blocks are cut from the top of a segment; the segment is extended where it lies, by `Growth` bytes or what is
/// needed, if Super can; else another one takes its place. A block freed at the top lowers the top; any other
/// waits for the layer above to reuse it, or for the end. Memory above the top is given back once there is twice
/// as much of it as the top is moved at a time, and a segment that has been replaced once all of it is free.
/// Needs:      malloc and free, blocks at multiples of 16. try_extend keeps it to one segment, shrink gives the
///             top back.
/// Guarantees: objects at multiples of 16, since each segment's first header is skewed to phase 8; nothing is
///             written outside a segment; the destructor returns every segment.
/// Threads:    none of its own.
/// Cost:       8 bytes a block, sizes rounded up to 16 with them, 32 at least; 40 bytes a segment.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>
#include <strata/policy/boundary_tags.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace strata {

template <std::size_t Growth, class Super>
class CoalesceableHeap : public Super, public BoundaryTags {
  static_assert(Heap<Super>, "CoalesceableHeap needs malloc and free below it");
  static_assert(at_phase<Super>(natural_alignment, 0),
                "CoalesceableHeap needs blocks at multiples of 16 below it");
  static_assert(Growth % granule == 0 && Growth >= 256,
                "CoalesceableHeap: Growth must be a multiple of 16, and hold more than a few blocks");

 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  using Super::Super;
  CoalesceableHeap(const CoalesceableHeap&) = delete;
  CoalesceableHeap& operator=(const CoalesceableHeap&) = delete;

  constexpr ~CoalesceableHeap() {
    while (segment_ != nullptr) {
      Segment* const segment = segment_;
      segment_ = segment->before;
      Super::free(segment);
    }
  }

  void* malloc(std::size_t size) { return cut(bytes_for(size)); }

  STRATA_INLINE void* cut(std::size_t bytes) {
    if (bytes > room()) [[unlikely]] {
      if (!make_room(bytes)) return nullptr;
    }
    std::byte* const block = top_;
    header(block) = bytes;
    set_top(block + bytes);
    return block;
  }

  STRATA_INLINE void free(void* block) { give_back(block); }

  /// A block at the top lowers it; one that is all of a segment, not the one that blocks are cut from, returns it.
  STRATA_INLINE bool give_back(void* block) {
    void* const behind = next(block);
    if (size(behind) != 0) [[likely]] {
      return false;
    }
    if (behind != top_) return give_back_segment(block, static_cast<Fence*>(behind));
    set_top(bytes_at(block));
    if constexpr (HasShrink<Super>) {
      if (room() > most_room_) [[unlikely]] {
        lower_end(most_room_ / 2);
      }
    }
    return true;
  }

  void* remnant() {
    if (remnant_ == nullptr) [[likely]] {
      return nullptr;
    }
    return std::exchange(remnant_, nullptr);
  }

  using BoundaryTags::usable_size;

  /// Extends the topmost block.
  bool try_extend(void* block, std::size_t size) {
    const std::size_t bytes = bytes_for(size);
    const std::size_t before = BoundaryTags::size(block);
    if (bytes <= before) return true;
    if (next(block) != top_) return false;
    const std::size_t more = bytes - before;
    if (more > room() && !extend_segment(more)) return false;
    header(block) += more;
    set_top(top_ + more);
    return true;
  }

  /// True if the source's footprint says so: it may keep what it is given.
  bool trim(std::size_t keep)
    requires HasShrink<Super> && HasFootprint<Super>
  {
    const std::size_t before = Super::footprint().current;
    if (room() > keep) lower_end(keep);
    if constexpr (HasTrim<Super>) Super::trim(0);
    return Super::footprint().current < before;
  }

  void clear()
    requires HasClear<Super>
  {
    segment_ = nullptr;
    top_ = end_ = nullptr;
    remnant_ = nullptr;
    most_room_ = 2 * Growth;
    Super::clear();
  }

  /// What Super says of its blocks does not hold for ours.
  void memalign(std::size_t, std::size_t) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;
  void zeroed(void*) = delete;
  void remove(void*) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

 private:
  /// The first object of a segment lies 32 bytes in, behind these links and its header.
  struct Segment {
    Segment* before;
    Segment* after;
  };
  static constexpr std::size_t in_front = round_up(sizeof(Segment) + header_bytes, granule);
  /// What the fence's header has behind it, in a segment that blocks are no longer cut from.
  struct Fence {
    Segment* segment;
  };
  static constexpr std::size_t around = in_front + sizeof(Fence);

  std::size_t segment_bytes() const {
    return static_cast<std::size_t>(end_ - bytes_at(segment_)) + sizeof(Fence);
  }
  std::size_t room() const { return static_cast<std::size_t>(end_ - top_); }

  STRATA_INLINE void set_top(std::byte* top) {
    top_ = top;
    header(top) = 0;
  }

  STRATA_COLD bool make_room(std::size_t bytes) {
    const bool made = (segment_ != nullptr && extend_segment(bytes)) ||
                      add_segment(bytes > Growth - around ? bytes : Growth - around) || add_segment(bytes);
    // What was needed at a time may be needed again: the top is not given back for less.
    if (made && bytes > most_room_ / 2) most_room_ = 2 * bytes;
    return made;
  }

  /// Makes room for `bytes` above the top, in the segment's place.
  bool extend_segment(std::size_t bytes) {
    if constexpr (HasTryExtend<Super>) {
      const std::size_t missing = bytes - room();
      return move_end(missing > Growth ? missing : Growth) || move_end(missing);
    }
    return false;
  }

  bool move_end(std::size_t more)
    requires HasTryExtend<Super>
  {
    const std::size_t length = segment_bytes();
    if (more > PTRDIFF_MAX - length || !Super::try_extend(segment_, length + more)) return false;
    set_end(length + more);
    return true;
  }

  bool add_segment(std::size_t bytes) {
    void* const memory = Super::malloc(around + bytes);
    if (memory == nullptr) return false;
    auto* const segment = static_cast<Segment*>(memory);
    if (segment_ != nullptr) {
      close_segment();
      segment_->after = segment;
    }
    segment->before = segment_;
    segment->after = nullptr;
    segment_ = segment;
    set_end(around + bytes);
    set_top(bytes_at(segment) + in_front);
    return true;
  }

  /// What is left of it becomes a block.
  void close_segment() {
    if (room() >= smallest) {
      remnant_ = top_;
      header(top_) = room();
      set_top(end_);
    }
    reinterpret_cast<Fence*>(top_)->segment = segment_;
  }

  STRATA_COLD bool give_back_segment(void* block, Fence* fence) {
    Segment* const segment = fence->segment;
    if (block != bytes_at(segment) + in_front) return false;
    segment->after->before = segment->before;
    if (segment->before != nullptr) segment->before->after = segment->after;
    Super::free(segment);
    return true;
  }

  /// The segment's end, given how much of it was asked for: there may be more.
  void set_end(std::size_t asked) {
    std::size_t length = asked;
    if constexpr (HasUsableSize<Super>) length = Super::usable_size(segment_);
    end_ = bytes_at(segment_) + round_down(length - sizeof(Fence), granule);
  }

  STRATA_COLD void lower_end(std::size_t keep)
    requires HasShrink<Super>
  {
    end_ -= round_down(room() - keep, granule);
    Super::shrink(segment_, segment_bytes());
  }

  Segment* segment_ = nullptr;
  std::byte* top_ = nullptr;
  std::byte* end_ = nullptr;
  void* remnant_ = nullptr;
  std::size_t most_room_ = 2 * Growth;
};

}  // namespace strata
