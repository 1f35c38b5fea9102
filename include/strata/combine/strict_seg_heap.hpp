/// Strict segregated fits: a bin for every size class; a block never leaves its class (PLDI01 section 6.1 and
/// Figure 5).
///
/// A freed block goes to the bin of its class. A request takes a block from its bin; when that is empty,
/// Little makes one of the class's size. Requests above the largest class go to Big.
/// Needs:      Little and Big tell a block's size by usable_size, from the same place (SizeHeap). Bin hands
///             out only what was freed into it (FreelistHeap<NullHeap>).
/// Guarantees: what Little and Big guarantee; the destructor returns what the bins hold to Little.
/// Threads:    none of its own.
/// Cost:       the class map: a few instructions in malloc, and in free on the recorded size. A bin that is
///             one word lets the processor's addressing find it.
///
/// Little and Big are constructed with the same arguments: a reference to the source that they share.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/contract/size_classes.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>
#include <type_traits>

namespace strata {

template <SizeClasses Classes, class Bin, class Little, class Big>
class StrictSegHeap : public Big {
  static_assert(Heap<Bin>, "StrictSegHeap needs bins with malloc and free");
  static_assert(Heap<Little> && HasUsableSize<Little>,
                "StrictSegHeap needs a heap for small blocks that knows their size: add a SizeHeap");
  static_assert(Heap<Big> && HasUsableSize<Big>,
                "StrictSegHeap needs a heap for big blocks that knows their size: add a SizeHeap");
  static_assert(Little::alignment == Big::alignment && Little::alignment_offset == Big::alignment_offset,
                "StrictSegHeap needs small and big blocks of one phase");

 public:
  static constexpr bool discardable = HasDiscardablePages<Little> && HasDiscardablePages<Big>;

  template <class... Source>
    requires std::is_constructible_v<Big, Source&...>
  explicit constexpr StrictSegHeap(Source&... source) : Big(source...), little_(source...) {}
  StrictSegHeap(const StrictSegHeap&) = delete;
  StrictSegHeap& operator=(const StrictSegHeap&) = delete;

  constexpr ~StrictSegHeap() {
    for (std::size_t index = 0; index < Classes::count; ++index) {
      while (void* const block = bins_[index].malloc(Classes::size_of(index))) little_.free(block);
    }
  }

  STRATA_INLINE void* malloc(std::size_t size) {
    const std::size_t index = Classes::class_of(size);
    if (index >= Classes::count) [[unlikely]] {
      return malloc_big(size);
    }
    void* const block = bins_[index].malloc(Classes::size_of(index));
    if (block == nullptr) [[unlikely]] {
      return malloc_little(index);
    }
    return block;
  }

  STRATA_INLINE void free(void* block) {
    const std::size_t index = Classes::class_of(Big::usable_size(block));
    if (index >= Classes::count) [[unlikely]] {
      return free_big(block);
    }
    bins_[index].free(block);
  }

  bool owns(const void* address) const
    requires HasOwns<Little> && HasOwns<Big>
  {
    return Big::owns(address) || little_.owns(address);
  }

  /// A bin relies on the sizes of its blocks, which Big would choose otherwise.
  void memalign(std::size_t, std::size_t) = delete;
  void try_extend(void*, std::size_t) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;
  void zeroed(void*) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

  /// Big's part alone would be too little, and peaks do not add up: these are the source's to tell.
  void footprint() const = delete;
  void trim(std::size_t) = delete;

  void clear()
    requires HasClear<Bin> && HasClear<Little> && HasClear<Big>
  {
    for (Bin& bin : bins_) bin.clear();
    little_.clear();
    Big::clear();
  }

 private:
  STRATA_COLD void* malloc_little(std::size_t index) { return little_.malloc(Classes::size_of(index)); }
  STRATA_COLD void* malloc_big(std::size_t size) { return Big::malloc(size); }
  STRATA_COLD void free_big(void* block) { Big::free(block); }

  Bin bins_[Classes::count];
  Little little_;
};

}  // namespace strata
