/// Faces the program: the C standard's corner cases, once, so that no layer below has to think of them
/// (PLDI01 Table 1, there ANSIWrapper).
///
/// Needs:      usable_size below it.
/// Guarantees: a request for 0 bytes gets a block of its own; one beyond PTRDIFF_MAX gets null; free(null)
///             does nothing, and free keeps errno (nothing under platform/ changes it); calloc checks its
///             product and zeroes; realloc keeps the block when it fails, and has it longer or shorter
///             where it lies, or its pages moved, if Super can.
/// Threads:    Super's; realloc is several operations, on a block that is its caller's alone.
/// Cost:       a comparison each in malloc and free.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>
#include <strata/platform/pages.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strata {

template <class Super>
class AnsiWrapper : public Super {
  static_assert(Heap<Super> && HasUsableSize<Super>,
                "AnsiWrapper needs usable_size below it: add a SizeHeap");
  static_assert(at_phase<Super>(natural_alignment, 0),
                "AnsiWrapper needs blocks at multiples of 16 below it");

 public:
  using Super::Super;

  STRATA_INLINE void* malloc(std::size_t size) {
    if (size - 1 >= PTRDIFF_MAX) [[unlikely]] {
      return malloc_edge(size);
    }
    return Super::malloc(size);
  }

  STRATA_INLINE void free(void* block) {
    if (block == nullptr) return;
    Super::free(block);
  }

  std::size_t usable_size(void* block) { return block == nullptr ? 0 : Super::usable_size(block); }

  void* calloc(std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
    void* const block = malloc(bytes);
    if (block == nullptr) return nullptr;
    if constexpr (HasZeroed<Super>) {
      if (Super::zeroed(block)) return block;
    }
    zero(block, bytes);
    return block;
  }

  /// As C's, but that a size of 0 asks for a block of its own: the malloc ABI above decides
  /// otherwise.
  void* realloc(void* block, std::size_t size) {
    if (block == nullptr) return malloc(size);
    if (size > PTRDIFF_MAX) return nullptr;
    const std::size_t usable = Super::usable_size(block);
    if (size <= usable) {
      if constexpr (HasShrink<Super>) {
        Super::shrink(block, size == 0 ? 1 : size);
        return block;
      }
      // A block that cannot be made shorter is left where it is unless moving it frees at least half.
      if (size >= usable / 2) return block;
    } else {
      if constexpr (HasTryExtend<Super>) {
        if (Super::try_extend(block, size)) return block;
      }
      if constexpr (HasRemap<Super>) {
        if (void* const elsewhere = Super::remap(block, size)) return elsewhere;
      }
    }
    void* const moved = malloc(size);
    if (moved == nullptr) return size <= usable ? block : nullptr;
    std::memcpy(moved, block, size < usable ? size : usable);
    Super::free(block);
    return moved;
  }

  void* memalign(std::size_t boundary, std::size_t size)
    requires HasMemalign<Super>
  {
    if (size > PTRDIFF_MAX || boundary > PTRDIFF_MAX) return nullptr;
    return Super::memalign(boundary, size == 0 ? 1 : size);
  }

  bool try_extend(void* block, std::size_t size)
    requires HasTryExtend<Super>
  {
    return size <= PTRDIFF_MAX && Super::try_extend(block, size);
  }
  void shrink(void* block, std::size_t size)
    requires HasShrink<Super>
  {
    Super::shrink(block, size == 0 ? 1 : size);
  }
  void* remap(void* block, std::size_t size)
    requires HasRemap<Super>
  {
    return size > PTRDIFF_MAX ? nullptr : Super::remap(block, size);
  }

 private:
  /// From here on calloc gives pages back instead of writing them: a large table of which little is used must not
  /// become resident. Below, writing is cheaper than faulting pages in again.
  static constexpr std::size_t discard_from = 256 * KiB;

  static void zero(void* block, std::size_t bytes) {
    if constexpr (HasDiscardablePages<Super>) {
      if (bytes >= discard_from) {
        const std::size_t before = round_up(address_of(block), page_size) - address_of(block);
        const std::size_t pages = round_down(bytes - before, page_size);
        if (discard_pages(bytes_at(block) + before, pages)) {
          std::memset(block, 0, before);
          std::memset(bytes_at(block) + before + pages, 0, bytes - before - pages);
          return;
        }
      }
    }
    std::memset(block, 0, bytes);
  }

  STRATA_COLD void* malloc_edge(std::size_t size) { return size == 0 ? Super::malloc(1) : nullptr; }
};

}  // namespace strata
