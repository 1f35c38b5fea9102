/// Segregated fits: free blocks are kept in bins by size, and a request takes the first block that is large enough
/// (PLDI01 section 6.2 and Table 1): approximate best fit.
///
/// A freed block goes to the largest class that is no larger than it, so that every block of a bin serves every
/// request of its class: the bins from there up are searched through a bitmap. Before, up to `Scan` blocks of the
/// bin below are looked at, where some may be large enough. A block comes back as large as it is: a layer above
/// splits it (CoalesceHeap).
/// Needs:      usable_size below it; bins that hand out only what was freed into them, and from which a block can
///             be removed (AdaptHeap<DLList, NullHeap>).
/// Guarantees: what Super guarantees; take(size) asks the bins alone; remove(block) takes a free block out of its bin;
///             the destructor returns what the bins hold to Super.
/// Threads:    none of its own.
/// Cost:       the class map and a search of the bitmap, 64 bins a step; two words a bin.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/contract/size_classes.hpp>
#include <strata/platform/attributes.hpp>
#include <strata/policy/boundary_tags.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace strata {

template <SizeClasses Classes, class Bin, std::size_t Scan, class Super>
class SegHeap : public Super {
  static_assert(Heap<Bin> && HasRemove<Bin>,
                "SegHeap needs bins from which a block can be removed: AdaptHeap<DLList, NullHeap>");
  static_assert(
      Heap<Super> && HasUsableSize<Super>,
      "SegHeap needs a heap below it that knows the size of its blocks: add a SizeHeap or CoalesceableHeap");
  static_assert(
      !std::derived_from<Super, BoundaryTags> ||
          Classes::size_of(0) <= BoundaryTags::smallest - BoundaryTags::header_bytes,
      "SegHeap: over boundary tags the smallest class must be at most 24 bytes, as the smallest block is");

 public:
  using Super::Super;
  SegHeap(const SegHeap&) = delete;
  SegHeap& operator=(const SegHeap&) = delete;

  constexpr ~SegHeap() {
    for (Bin& bin : bins_) {
      while (void* const block = bin.malloc(1)) Super::free(block);
    }
  }

  STRATA_INLINE void* malloc(std::size_t size) {
    if (void* const block = take(size)) return block;
    return Super::malloc(size < smallest ? smallest : size);
  }

  STRATA_INLINE void* take(std::size_t size) {
    const std::size_t wanted = Classes::class_of(size);
    if (wanted > first_inexact_class<Classes>()) {
      if constexpr (Scan != 0) {
        if (void* const block = look_below(wanted, size)) return block;
      }
      if (wanted >= Classes::count) return nullptr;
    }
    return search(wanted);
  }

  STRATA_INLINE void free(void* block) {
    const std::size_t index = bin_of(Super::usable_size(block));
    occupied_[index / 64] |= std::uint64_t{1} << index % 64;
    bins_[index].free(block);
  }

  /// The bitmap is left as it is: a search that meets the empty bin corrects it.
  STRATA_INLINE static void remove(void* block) { Bin::remove(block); }

  void clear()
    requires HasClear<Bin> && HasClear<Super>
  {
    for (Bin& bin : bins_) bin.clear();
    for (std::uint64_t& word : occupied_) word = 0;
    Super::clear();
  }

  /// A block from a bin may be larger than what Super would make of the request.
  void memalign(std::size_t, std::size_t) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;
  void zeroed(void*) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;

 private:
  static constexpr std::size_t words = (Classes::count + 63) / 64;
  static constexpr std::size_t smallest = Classes::size_of(0);
  static constexpr std::size_t last = Classes::count - 1;

  static std::size_t bin_of(std::size_t usable) {
    const std::size_t index = class_below<Classes>(usable);
    return index < last ? index : last;
  }

  void* look_below(std::size_t wanted, std::size_t size) {
    Bin& bin = bins_[wanted <= last ? wanted - 1 : last];
    return bin.take_if([this, size](void* block) { return this->usable_size(block) >= size; }, Scan);
  }

  void* search(std::size_t wanted) {
    std::size_t word = wanted / 64;
    std::uint64_t found = occupied_[word] & ~std::uint64_t{0} << wanted % 64;
    while (true) {
      for (; found != 0; found &= found - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(found));
        if (void* const block = bins_[word * 64 + bit].malloc(1)) return block;
        occupied_[word] &= ~(std::uint64_t{1} << bit);
      }
      if (++word == words) return nullptr;
      found = occupied_[word];
    }
  }

  Bin bins_[Classes::count];
  std::uint64_t occupied_[words] = {};
};

}  // namespace strata
