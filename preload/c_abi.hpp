/// The C allocation functions over TheHeap, with the return values and errno that programs written for glibc
/// expect. Included once, by drop_in.hpp.
#pragma once

#include "preload/the_heap.hpp"

#include <strata/platform/arithmetic.hpp>

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace strata::drop_in {

STRATA_INLINE void* or_enomem(void* block) {
  if (block == nullptr) [[unlikely]]
    errno = ENOMEM;
  return block;
}

inline void* fail_with(int error) {
  errno = error;
  return nullptr;
}

inline std::size_t os_page() {
  return static_cast<std::size_t>(::getpagesize());
}

}  // namespace strata::drop_in

STRATA_C_EXPORT void* malloc(std::size_t size) noexcept {
  return strata::drop_in::or_enomem(strata::drop_in::TheHeap::malloc(size));
}

STRATA_C_EXPORT void free(void* block) noexcept {
  strata::drop_in::TheHeap::free(block);
}

STRATA_C_EXPORT void* calloc(std::size_t count, std::size_t size) noexcept {
  return strata::drop_in::or_enomem(strata::drop_in::TheHeap::calloc(count, size));
}

/// As glibc: realloc(block, 0) frees the block and returns null, which is not a failure.
STRATA_C_EXPORT void* realloc(void* block, std::size_t size) noexcept {
  if (block != nullptr && size == 0) {
    strata::drop_in::TheHeap::free(block);
    return nullptr;
  }
  return strata::drop_in::or_enomem(strata::drop_in::TheHeap::realloc(block, size));
}

STRATA_C_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return strata::drop_in::fail_with(ENOMEM);
  return realloc(block, bytes);
}

STRATA_C_EXPORT void free_sized(void* block, std::size_t) noexcept {
  free(block);
}

STRATA_C_EXPORT void free_aligned_sized(void* block, std::size_t, std::size_t) noexcept {
  free(block);
}

/// As glibc: an alignment that is no power of two is rounded up to one.
STRATA_C_EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  constexpr std::size_t largest = SIZE_MAX / 2 + 1;
  if (alignment > largest) return strata::drop_in::fail_with(EINVAL);
  return strata::drop_in::or_enomem(strata::drop_in::TheHeap::memalign(std::bit_ceil(alignment), size));
}

/// As C23 and glibc 2.38: the size may be anything, the alignment must be a power of two.
STRATA_C_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  if (!std::has_single_bit(alignment)) return strata::drop_in::fail_with(EINVAL);
  return memalign(alignment, size);
}

/// Tells of failure by its result alone: *block and errno stay as they were.
STRATA_C_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  if (!std::has_single_bit(alignment) || alignment < sizeof(void*)) return EINVAL;
  void* const aligned = strata::drop_in::TheHeap::memalign(alignment, size);
  if (aligned == nullptr) return ENOMEM;
  *block = aligned;
  return 0;
}

STRATA_C_EXPORT void* valloc(std::size_t size) noexcept {
  return memalign(strata::drop_in::os_page(), size);
}

STRATA_C_EXPORT void* pvalloc(std::size_t size) noexcept {
  const std::size_t page = strata::drop_in::os_page();
  if (size > SIZE_MAX - (page - 1)) return strata::drop_in::fail_with(ENOMEM);
  return memalign(page, strata::round_up(size, page));
}

STRATA_C_EXPORT std::size_t malloc_usable_size(void* block) noexcept {
  return strata::drop_in::TheHeap::usable_size(block);
}

// The names under which old binaries, and programs that wrap malloc themselves, reach glibc's own: were they
// not ours as well, a block of one heap could be freed into the other.
STRATA_C_EXPORT void* __libc_malloc(std::size_t size) noexcept {
  return malloc(size);
}
STRATA_C_EXPORT void __libc_free(void* block) noexcept {
  free(block);
}
STRATA_C_EXPORT void* __libc_calloc(std::size_t count, std::size_t size) noexcept {
  return calloc(count, size);
}
STRATA_C_EXPORT void* __libc_realloc(void* block, std::size_t size) noexcept {
  return realloc(block, size);
}
STRATA_C_EXPORT void* __libc_memalign(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}
STRATA_C_EXPORT void* __libc_valloc(std::size_t size) noexcept {
  return valloc(size);
}
STRATA_C_EXPORT void* __libc_pvalloc(std::size_t size) noexcept {
  return pvalloc(size);
}
STRATA_C_EXPORT void cfree(void* block) noexcept {
  free(block);
}
