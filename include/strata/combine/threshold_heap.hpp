/// A small heap in front of a medium one, emptied into it at a threshold (PLDI01 section 6.2 and Figure 7).
///
/// Freed blocks of up to the largest class are kept in bins, one for every class, and handed out again as they are:
/// the medium heap takes them for in use, and does not coalesce them. They are all freed to it when an object of
/// `FlushFrom` bytes or more is asked for, when more than `Hold` bytes are kept, and when the medium heap has no more.
/// Needs:      usable_size below it; bins that hand out only what was freed into them (FreelistHeap<NullHeap>).
/// Guarantees: what Super guarantees; the destructor returns what the bins hold to Super.
/// Threads:    none of its own.
/// Cost:       the class map and a count of bytes, in memory, each in malloc and free.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/contract/size_classes.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata {

/// What a ThresholdHeap keeps. A base in front of Super: where the heap begins, a bin's address takes no arithmetic.
template <SizeClasses Classes, class Bin, std::size_t Hold>
struct ThresholdBins {
  Bin bins_[Classes::count];
  std::size_t asked_ = 0;       // of Super: kept here, a request takes no register over the call
  std::ptrdiff_t room_ = Hold;  // what is still to be held
};

template <SizeClasses Classes, class Bin, std::size_t FlushFrom, std::size_t Hold, class Super>
class ThresholdHeap : private ThresholdBins<Classes, Bin, Hold>, public Super {
  using ThresholdBins<Classes, Bin, Hold>::bins_;
  using ThresholdBins<Classes, Bin, Hold>::asked_;
  using ThresholdBins<Classes, Bin, Hold>::room_;

  static_assert(Heap<Bin>, "ThresholdHeap needs bins with malloc and free");
  static_assert(
      Heap<Super> && HasUsableSize<Super>,
      "ThresholdHeap needs a medium heap below it that knows the size of its blocks: add a CoalesceHeap");

 public:
  using Super::Super;
  ThresholdHeap(const ThresholdHeap&) = delete;
  ThresholdHeap& operator=(const ThresholdHeap&) = delete;

  constexpr ~ThresholdHeap() {
    if (holds_any()) flush();
  }

  STRATA_INLINE void* malloc(std::size_t size) {
    const std::size_t index = Classes::class_of(size);
    if (index >= Classes::count) [[unlikely]] {
      return malloc_medium(size);
    }
    void* const block = bins_[index].malloc(Classes::size_of(index));
    if (block == nullptr) [[unlikely]] {
      return malloc_small(index);
    }
    room_ += bytes_of(index);
    return block;
  }

  STRATA_INLINE void free(void* block) {
    const std::size_t index = class_below<Classes>(Super::usable_size(block));
    if (index >= Classes::count) [[unlikely]] {
      return free_medium(block);
    }
    bins_[index].free(block);
    room_ -= bytes_of(index);
    if (room_ < 0) [[unlikely]] {
      flush();
    }
  }

  /// No block is made smaller than the smallest class.
  void* memalign(std::size_t boundary, std::size_t size)
    requires HasMemalign<Super>
  {
    return Super::memalign(boundary, size < Classes::size_of(0) ? Classes::size_of(0) : size);
  }
  void shrink(void* block, std::size_t size)
    requires HasShrink<Super>
  {
    Super::shrink(block, size < Classes::size_of(0) ? Classes::size_of(0) : size);
  }

  /// The kept blocks go back first, so that as much as can be is one.
  bool trim(std::size_t keep)
    requires HasTrim<Super> && HasFootprint<Super>
  {
    const std::size_t before = Super::footprint().current;
    flush();
    Super::trim(keep);
    return Super::footprint().current < before;
  }

  void clear()
    requires HasClear<Bin> && HasClear<Super>
  {
    for (Bin& bin : bins_) bin.clear();
    room_ = Hold;
    Super::clear();
  }

  /// A kept block is in no place that Super could remove it from, and not fresh.
  void remove(void*) = delete;
  void take(std::size_t) = delete;
  void zeroed(void*) = delete;
  void remap(void*, std::size_t) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

 private:
  static constexpr std::ptrdiff_t bytes_of(std::size_t index) {
    return static_cast<std::ptrdiff_t>(Classes::size_of(index));
  }

  constexpr bool holds_any() const { return room_ != Hold; }

  STRATA_NOINLINE void* malloc_small(std::size_t index) { return ask(Classes::size_of(index)); }

  STRATA_NOINLINE void* malloc_medium(std::size_t size) {
    if (size >= FlushFrom && holds_any()) [[unlikely]] {
      return malloc_flushed(size);
    }
    return ask(size);
  }

  /// Super's answer; where it has nothing, once more with what is kept here.
  STRATA_INLINE void* ask(std::size_t size) {
    asked_ = size;
    void* const block = Super::malloc(size);
    if (block == nullptr) [[unlikely]] {
      return ask_again(asked_);
    }
    return block;
  }

  STRATA_COLD void* ask_again(std::size_t size) { return holds_any() ? malloc_flushed(size) : nullptr; }

  STRATA_COLD void* malloc_flushed(std::size_t size) {
    flush();
    return Super::malloc(size);
  }

  STRATA_NOINLINE void free_medium(void* block) { Super::free(block); }

  STRATA_COLD constexpr void flush() {
    for (std::size_t index = 0; index < Classes::count; ++index) {
      while (void* const block = bins_[index].malloc(Classes::size_of(index))) Super::free(block);
    }
    room_ = Hold;
  }
};

}  // namespace strata
