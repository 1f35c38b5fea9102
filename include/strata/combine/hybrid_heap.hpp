/// One heap for small objects and another for large ones (PLDI01 Table 1).
///
/// Needs:      Small and Super tell a block's size by usable_size, from the same place (SizeHeap), and that of a
///             small block is at most `Limit`: both round it up to 8 at most.
/// Guarantees: requests of up to `Limit` bytes are Small's, the others Super's, and so are their blocks; a request
///             that one of them cannot serve is not passed to the other.
/// Threads:    none of its own.
/// Cost:       a comparison each in malloc and free.
///
/// Both are constructed with the same arguments: a reference to the source that they share.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>
#include <type_traits>

namespace strata {

template <std::size_t Limit, class Small, class Super>
class HybridHeap : public Super {
  static_assert(Heap<Small> && HasUsableSize<Small>,
                "HybridHeap needs a heap for small objects that knows their size: add a SizeHeap");
  static_assert(Heap<Super> && HasUsableSize<Super>,
                "HybridHeap needs a heap for large objects that knows their size: add a SizeHeap");
  static_assert(Small::alignment == Super::alignment && Small::alignment_offset == Super::alignment_offset,
                "HybridHeap needs small and large blocks of one phase");
  static_assert(Limit % sizeof(std::size_t) == 0 && Limit > 0,
                "HybridHeap: Limit must be a multiple of 8, as the sizes that SizeHeap records are");

 public:
  static constexpr bool discardable = HasDiscardablePages<Small> && HasDiscardablePages<Super>;

  template <class... Source>
    requires std::is_constructible_v<Super, Source&...>
  explicit constexpr HybridHeap(Source&... source) : Super(source...), small_(source...) {}
  HybridHeap(const HybridHeap&) = delete;
  HybridHeap& operator=(const HybridHeap&) = delete;

  STRATA_INLINE void* malloc(std::size_t size) {
    return size <= Limit ? small_.malloc(size) : Super::malloc(size);
  }

  STRATA_INLINE void free(void* block) {
    if (Super::usable_size(block) <= Limit) {
      small_.free(block);
    } else {
      Super::free(block);
    }
  }

  bool owns(const void* address) const
    requires HasOwns<Small> && HasOwns<Super>
  {
    return small_.owns(address) || Super::owns(address);
  }

  void clear()
    requires HasClear<Small> && HasClear<Super>
  {
    small_.clear();
    Super::clear();
  }

  /// Which heap a block belongs to is told by its size, which must not change across the limit.
  void memalign(std::size_t, std::size_t) = delete;
  void try_extend(void*, std::size_t) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;
  void zeroed(void*) = delete;
  void remove(void*) = delete;
  void take(std::size_t) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

  /// Super's part alone would be too little, and peaks do not add up: these are the source's to tell.
  void footprint() const = delete;
  void count_into(FootprintCounter&) = delete;
  void trim(std::size_t) = delete;

 private:
  Small small_;
};

}  // namespace strata
