/// Keeps freed blocks on a LIFO list and hands them out again before asking Super (PLDI01 Figure 2).
///
/// Needs:      every request through this layer has one size, at least sizeof(void*).
/// Guarantees: O(1) malloc and free; the destructor returns every kept block to Super. Only the first word of
///             a kept block is written, so that a header in front of it lasts.
/// Threads:    none of its own; wrap in LockedHeap.
/// Cost:       a load, a test and a store each; no memory of its own.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata {

template <class Super>
class FreelistHeap : public Super {
  static_assert(Heap<Super>, "FreelistHeap needs malloc and free below it");

 public:
  using Super::Super;
  FreelistHeap(const FreelistHeap&) = delete;
  FreelistHeap& operator=(const FreelistHeap&) = delete;

  constexpr ~FreelistHeap() {
    while (head_ != nullptr) {
      Free* const block = head_;
      head_ = block->next;
      Super::free(block);
    }
  }

  STRATA_INLINE void* malloc(std::size_t size) {
    Free* const block = head_;
    if (block == nullptr) [[unlikely]] {
      return Super::malloc(size);
    }
    head_ = block->next;
    return block;
  }

  STRATA_INLINE void free(void* block) {
    auto* const freed = static_cast<Free*>(block);
    freed->next = head_;
    head_ = freed;
  }

  void clear()
    requires HasClear<Super>
  {
    head_ = nullptr;
    Super::clear();
  }

  /// A kept block is neither fresh nor may it have become shorter.
  void zeroed(void*) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;

 private:
  struct Free {
    Free* next;
  };

  Free* head_ = nullptr;
};

}  // namespace strata
