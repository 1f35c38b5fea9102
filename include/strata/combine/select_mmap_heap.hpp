/// Gives large objects mappings of their own, which go back to the OS when they are freed (PLDI01 section 6.2 and
/// Figure 7).
///
/// Large is what has `Threshold` bytes or more. If `Limit` is greater, the threshold follows the program, as that of
/// glibc does (mallopt(3), M_MMAP_THRESHOLD): a mapping of up to `Limit` bytes that is freed raises it above its
/// size, since what was freed once is likely to be wanted again, and a new mapping costs a fault a page.
/// Needs:      boundary tags below it, to tell whose a block is; a source of mappings (MmapHeap).
/// Guarantees: objects at multiples of 16; each heap's requests fall back to Super when there is no mapping; the
///             footprint is that of both, and its peak that of their sum.
/// Threads:    none of its own.
/// Cost:       a comparison in malloc and a test of the header in free; 16 bytes a mapping.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>
#include <strata/policy/boundary_tags.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace strata {

template <std::size_t Threshold, std::size_t Limit, class Mmap, class Super>
class SelectMmapHeap : public Super {
  static_assert(Heap<Super> && HasUsableSize<Super> && std::derived_from<Super, BoundaryTags>,
                "SelectMmapHeap needs boundary tags below it: CoalesceHeap over CoalesceableHeap");
  static_assert(Heap<Mmap> && HasUsableSize<Mmap>,
                "SelectMmapHeap needs a source of mappings that knows their size: MmapHeap");
  static_assert(at_phase<Mmap>(natural_alignment, 0), "SelectMmapHeap needs mappings at multiples of 16");

  using Tags = BoundaryTags;

 public:
  static constexpr bool discardable = HasDiscardablePages<Mmap> && HasDiscardablePages<Super>;

  template <class... Arguments>
    requires std::is_constructible_v<Super, Arguments...>
  explicit constexpr SelectMmapHeap(Arguments&&... arguments) : Super(std::forward<Arguments>(arguments)...) {
    if constexpr (counts) {
      Super::count_into(footprint_);
      mappings_.count_into(footprint_);
    }
  }
  SelectMmapHeap(const SelectMmapHeap&) = delete;
  SelectMmapHeap& operator=(const SelectMmapHeap&) = delete;

  STRATA_INLINE void* malloc(std::size_t size) {
    if (size >= threshold()) [[unlikely]] {
      return malloc_large(natural_alignment, size);
    }
    return Super::malloc(size);
  }

  STRATA_INLINE void free(void* block) {
    if (Tags::is_mapped(block)) [[unlikely]] {
      return free_mapping(block);
    }
    Super::free(block);
  }

  void* memalign(std::size_t boundary, std::size_t size)
    requires HasMemalign<Super>
  {
    // A boundary that is large takes as much as an object that is.
    const std::size_t room = boundary <= natural_alignment ? size : size + boundary;
    if (room < threshold()) return Super::memalign(boundary, size);
    return malloc_large(boundary < natural_alignment ? natural_alignment : boundary, size);
  }

  bool try_extend(void* block, std::size_t size)
    requires HasTryExtend<Super> || HasTryExtend<Mmap>
  {
    if (!Tags::is_mapped(block)) {
      if constexpr (HasTryExtend<Super>) return Super::try_extend(block, size);
      return false;
    }
    if (size <= Tags::usable_size(block)) return true;
    if constexpr (HasTryExtend<Mmap>) {
      if (mappings_.try_extend(start_of(block), distance_of(block) + size + spare)) {
        return tag(block, distance_of(block));
      }
    }
    return false;
  }

  void shrink(void* block, std::size_t size)
    requires HasShrink<Super> || HasShrink<Mmap>
  {
    if (!Tags::is_mapped(block)) {
      if constexpr (HasShrink<Super>) Super::shrink(block, size);
      return;
    }
    if constexpr (HasShrink<Mmap>) {
      mappings_.shrink(start_of(block), distance_of(block) + size + spare);
      tag(block, distance_of(block));
    }
  }

  void* remap(void* block, std::size_t size)
    requires HasRemap<Mmap>
  {
    if (!Tags::is_mapped(block)) return nullptr;
    const std::size_t distance = distance_of(block);
    void* const start = mappings_.remap(start_of(block), distance + size + spare);
    if (start == nullptr) return nullptr;
    void* const moved = bytes_at(start) + distance;
    tag(moved, distance);
    return moved;
  }

  bool zeroed(void* block)
    requires HasZeroed<Mmap>
  {
    return Tags::is_mapped(block) && mappings_.zeroed(start_of(block));
  }

  bool owns(const void* address) const
    requires HasOwns<Super> && HasOwns<Mmap>
  {
    return Super::owns(address) || mappings_.owns(address);
  }

  Footprint footprint() const
    requires HasCountInto<Super> && HasCountInto<Mmap>
  {
    return footprint_.own();
  }

  constexpr void count_into(FootprintCounter& whole)
    requires HasCountInto<Super> && HasCountInto<Mmap>
  {
    footprint_.count_into(whole);
  }

  void clear()
    requires HasClear<Super> && HasClear<Mmap>
  {
    mappings_.clear();
    Super::clear();
    threshold_ = Threshold;
  }

  void remove(void*) = delete;
  void take(std::size_t) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

 private:
  static constexpr bool counts = HasCountInto<Super> && HasCountInto<Mmap>;
  static constexpr bool follows = Limit > Threshold;
  /// What rounding a mapping's size to that of a block with tags may cost.
  static constexpr std::size_t spare = Tags::header_bytes + Tags::granule - 1;

  STRATA_INLINE std::size_t threshold() const {
    if constexpr (follows) return threshold_;
    return Threshold;
  }

  /// In front of a mapping's object: how far in it lies, and its header.
  static std::size_t& distance_of(void* block) { return static_cast<std::size_t*>(block)[-2]; }
  static void* start_of(void* block) { return bytes_at(block) - distance_of(block); }

  bool tag(void* block, std::size_t distance) {
    distance_of(block) = distance;
    const std::size_t usable = mappings_.usable_size(start_of(block)) - distance;
    Tags::header(block) = round_down(usable, Tags::granule) | Tags::mapped_flag;
    return true;
  }

  STRATA_COLD void* malloc_large(std::size_t boundary, std::size_t size) {
    const std::size_t slack = boundary - natural_alignment + Tags::granule + spare;
    void* const start = size > PTRDIFF_MAX - slack ? nullptr : mappings_.malloc(size + slack);
    if (start == nullptr) return malloc_otherwise(boundary, size);
    const std::size_t object = round_up(address_of(start) + Tags::granule, boundary);
    void* const block = bytes_at(start) + (object - address_of(start));
    tag(block, object - address_of(start));
    return block;
  }

  void* malloc_otherwise(std::size_t boundary, std::size_t size) {
    if constexpr (HasMemalign<Super>) {
      if (boundary > natural_alignment) return Super::memalign(boundary, size);
    }
    return Super::malloc(size);
  }

  STRATA_COLD void free_mapping(void* block) {
    const std::size_t size = Tags::usable_size(block);
    if (size >= threshold() && size < Limit) threshold_ = size + 1;
    mappings_.free(start_of(block));
  }

  Mmap mappings_;
  std::size_t threshold_ = Threshold;
  FootprintCounter footprint_;
};

}  // namespace strata
