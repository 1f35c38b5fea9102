/// The virtual memory manager: each block is a mapping of its own (PLDI01 Table 1).
///
/// Guarantees: blocks are zeroed; free gives the pages back at once; the destructor and clear() unmap every
///             block that is left, so that a heap over it is deleted whole in one step. Keeps errno.
/// Threads:    none of its own.
/// Cost:       a system call each, and up to a page of rounding: meant for large blocks and chunks.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/pages.hpp>

#include <cstddef>

namespace strata {

class MmapHeap {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;
  static constexpr bool discardable = true;

  constexpr MmapHeap() = default;
  MmapHeap(const MmapHeap&) = delete;
  MmapHeap& operator=(const MmapHeap&) = delete;
  constexpr ~MmapHeap() {
    if (mappings_ != nullptr) clear();
  }

  void* malloc(std::size_t size) {
    const std::size_t bytes = round_up(size + sizeof(Mapping), page_size);
    void* const pages = map_pages(bytes);
    if (pages == nullptr) return nullptr;
    auto* const mapping = static_cast<Mapping*>(pages);
    mapping->bytes = bytes;
    mapping->next = mappings_;
    if (mappings_ != nullptr) mappings_->previous = mapping;
    mappings_ = mapping;
    footprint_.grow(bytes);
    return mapping + 1;
  }

  void free(void* block) {
    Mapping* const mapping = mapping_of(block);
    if (mapping->next != nullptr) mapping->next->previous = mapping->previous;
    (mapping->previous != nullptr ? mapping->previous->next : mappings_) = mapping->next;
    unmap(mapping);
  }

  std::size_t usable_size(void* block) const { return mapping_of(block)->bytes - sizeof(Mapping); }

  bool try_extend(void* block, std::size_t size) {
    Mapping* const mapping = mapping_of(block);
    const std::size_t bytes = round_up(size + sizeof(Mapping), page_size);
    if (bytes <= mapping->bytes) return true;
    if (!resize_pages(mapping, mapping->bytes, bytes)) return false;
    footprint_.grow(bytes - mapping->bytes);
    mapping->bytes = bytes;
    return true;
  }

  void shrink(void* block, std::size_t size) {
    Mapping* const mapping = mapping_of(block);
    const std::size_t bytes = round_up(size + sizeof(Mapping), page_size);
    if (bytes >= mapping->bytes || !resize_pages(mapping, mapping->bytes, bytes)) return;
    footprint_.shrink(mapping->bytes - bytes);
    mapping->bytes = bytes;
  }

  void* remap(void* block, std::size_t size) {
    const std::size_t bytes = round_up(size + sizeof(Mapping), page_size);
    const std::size_t before = mapping_of(block)->bytes;
    auto* const mapping = static_cast<Mapping*>(move_pages(mapping_of(block), before, bytes));
    if (mapping == nullptr) return nullptr;
    if (mapping->next != nullptr) mapping->next->previous = mapping;
    (mapping->previous != nullptr ? mapping->previous->next : mappings_) = mapping;
    footprint_.shrink(before);
    footprint_.grow(bytes);
    mapping->bytes = bytes;
    return mapping + 1;
  }

  /// A mapping is fresh when it is handed out.
  static constexpr bool zeroed(void*) { return true; }

  bool owns(const void* address) const {
    for (const Mapping* mapping = mappings_; mapping != nullptr; mapping = mapping->next) {
      if (address_of(address) - address_of(mapping) < mapping->bytes) return true;
    }
    return false;
  }

  void clear() {
    while (mappings_ != nullptr) {
      Mapping* const mapping = mappings_;
      mappings_ = mapping->next;
      unmap(mapping);
    }
  }

  Footprint footprint() const { return footprint_.own(); }
  constexpr void count_into(FootprintCounter& whole) { footprint_.count_into(whole); }

 private:
  struct alignas(natural_alignment) Mapping {
    std::size_t bytes;
    Mapping* previous;  // null in a fresh mapping, whose pages are zeroed
    Mapping* next;
  };

  static Mapping* mapping_of(void* block) { return static_cast<Mapping*>(block) - 1; }

  void unmap(Mapping* mapping) {
    footprint_.shrink(mapping->bytes);
    unmap_pages(mapping, mapping->bytes);
  }

  Mapping* mappings_ = nullptr;
  FootprintCounter footprint_;
};

static_assert(Heap<MmapHeap> && HasUsableSize<MmapHeap> && HasTryExtend<MmapHeap> && HasOwns<MmapHeap> &&
              HasClear<MmapHeap> && HasFootprint<MmapHeap> && HasCountInto<MmapHeap> && HasShrink<MmapHeap> &&
              HasRemap<MmapHeap> && HasZeroed<MmapHeap>);

}  // namespace strata
