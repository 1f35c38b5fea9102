/// Strict segregated fits: one bin a size class, each with its own heap; a block never leaves its
/// class (PLDI01 section 6.1 and Figure 5).
///
/// Needs:      Little and Big both tell a block's size by usable_size, from the same place
/// (SizeHeap); Little
///             is made for one size each.
/// Guarantees: what Little and Big guarantee; requests above the largest class go to Big.
/// Threads:    none of its own.
/// Cost:       the class map: a few instructions in malloc, and in free on the recorded size.
///
/// Every bin and Big are constructed with the same arguments: a reference to the source that they
/// share.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/contract/size_classes.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>
#include <utility>

namespace strata {

template <SizeClasses Classes, class Little, class Big>
class StrictSegHeap : public Big {
  static_assert(Heap<Little> && HasUsableSize<Little>,
                "StrictSegHeap needs bins that know their blocks' size: add a SizeHeap");
  static_assert(Heap<Big> && HasUsableSize<Big>,
                "StrictSegHeap needs a heap for big blocks that knows their size: add a SizeHeap");
  static_assert(Little::alignment == Big::alignment && Little::alignment_offset == Big::alignment_offset,
                "StrictSegHeap: bins and big heap must have one phase");

 public:
  template <class... Source>
  explicit constexpr StrictSegHeap(Source&... source)
      : StrictSegHeap(std::make_index_sequence<Classes::count>{}, source...) {}
  StrictSegHeap(const StrictSegHeap&) = delete;
  StrictSegHeap& operator=(const StrictSegHeap&) = delete;

  STRATA_INLINE void* malloc(std::size_t size) {
    const std::size_t index = Classes::class_of(size);
    if (index >= Classes::count) [[unlikely]]
      return Big::malloc(size);
    return bins_[index].malloc(Classes::size_of(index));
  }

  STRATA_INLINE void free(void* block) {
    const std::size_t index = Classes::class_of(Big::usable_size(block));
    if (index >= Classes::count) [[unlikely]]
      return Big::free(block);
    bins_[index].free(block);
  }

  /// Extending a block would take it out of its class.
  void try_extend(void*, std::size_t) = delete;

  void clear()
    requires HasClear<Little> && HasClear<Big>
  {
    for (Little& bin : bins_) bin.clear();
    Big::clear();
  }

 private:
  STRATA_COLD void* malloc_big(std::size_t size) { return Big::malloc(size); }
  STRATA_COLD void free_big(void* block) { Big::free(block); }

  template <std::size_t... Index, class... Source>
  explicit constexpr StrictSegHeap(std::index_sequence<Index...>, Source&... source)
      : Big(source...), bins_{(static_cast<void>(Index), Little(source...))...} {}

  Little bins_[Classes::count];
};

}  // namespace strata
