/// Makes a heap of a dictionary whose entries lie inside the freed blocks (PLDI01 section 4 and Table 1): with
/// DLList, a free list from which any block can be removed.
///
/// Needs:      a dictionary of blocks (DLList); every request through this layer has one size, or any block that
///             is kept will do.
/// Guarantees: kept blocks come back in the dictionary's order before Super is asked; remove(block) takes one out
///             of its place; the destructor returns every kept block to Super.
/// Threads:    none of its own.
/// Cost:       the dictionary's; a block has room for its entry.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata {

template <class Dictionary, class Super>
class AdaptHeap : public Super {
  static_assert(Heap<Super>, "AdaptHeap needs malloc and free below it");

  using Entry = typename Dictionary::Entry;

 public:
  using Super::Super;
  AdaptHeap(const AdaptHeap&) = delete;
  AdaptHeap& operator=(const AdaptHeap&) = delete;

  constexpr ~AdaptHeap() {
    while (Entry* const entry = dictionary_.take()) Super::free(entry);
  }

  STRATA_INLINE void* malloc(std::size_t size) {
    if (Entry* const entry = dictionary_.take()) return entry;
    return Super::malloc(size < sizeof(Entry) ? sizeof(Entry) : size);
  }

  STRATA_INLINE void free(void* block) { dictionary_.insert(static_cast<Entry*>(block)); }

  STRATA_INLINE static void remove(void* block) { Dictionary::remove(static_cast<Entry*>(block)); }

  /// A kept block that `fits`, among the first `most`; null if there is none. Does not ask Super.
  template <class Fits>
  void* take_if(Fits fits, std::size_t most) {
    return dictionary_.take_if(fits, most);
  }

  void clear()
    requires HasClear<Super>
  {
    dictionary_.clear();
    Super::clear();
  }

  /// A kept block is neither fresh nor may it have become shorter.
  void zeroed(void*) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;

 private:
  Dictionary dictionary_;
};

}  // namespace strata
