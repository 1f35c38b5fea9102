/// Records an object's size in a header just in front of it (PLDI01 section 6.1).
///
/// Needs:      blocks at a multiple of 16, or 8 behind one: there the header takes 8 bytes, else 16.
/// Guarantees: objects at multiples of 16; usable_size(object) is the size asked for, rounded up to 8, so
///             that the header's low three bits are 0 while the object is in use.
/// Threads:    none of its own. A header is written by malloc only: it may be read without a lock while the
///             object is in use.
/// Cost:       a store in malloc.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata {

template <class Super>
class SizeHeap : public Super {
  static_assert(Heap<Super>, "SizeHeap needs malloc and free below it");
  static_assert(at_phase<Super>(natural_alignment, 0) || at_phase<Super>(natural_alignment, 8),
                "SizeHeap needs blocks at a multiple of 16, or 8 behind one, below it");

  static constexpr std::size_t in_front =
      at_phase<Super>(natural_alignment, 8) ? sizeof(std::size_t) : natural_alignment;

 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  using Super::Super;

  STRATA_INLINE void* malloc(std::size_t size) {
    size = round_up(size, sizeof(std::size_t));
    void* const block = Super::malloc(size + in_front);
    if (block == nullptr) [[unlikely]] {
      return nullptr;
    }
    void* const object = bytes_at(block) + in_front;
    header(object) = size;
    return object;
  }

  STRATA_INLINE void free(void* object) { Super::free(bytes_at(object) - in_front); }

  static std::size_t& header(void* object) { return static_cast<std::size_t*>(object)[-1]; }
  static std::size_t usable_size(void* object) { return header(object); }

  bool try_extend(void* object, std::size_t size)
    requires HasTryExtend<Super>
  {
    size = round_up(size, sizeof(std::size_t));
    if (!Super::try_extend(bytes_at(object) - in_front, size + in_front)) return false;
    if (size > header(object)) header(object) = size;
    return true;
  }

  /// What Super says of its blocks does not hold behind a header.
  void memalign(std::size_t, std::size_t) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;
  void zeroed(void*) = delete;
  void remove(void*) = delete;
  void take(std::size_t) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;
};

}  // namespace strata
