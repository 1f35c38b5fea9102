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

/// Null, and why. Out of line, so that no block has to be kept over a call on the fast path.
STRATA_COLD inline void* fail_with(int error) {
  errno = error;
  return nullptr;
}

STRATA_INLINE void* or_enomem(void* block) {
  if (block == nullptr) [[unlikely]] {
    return fail_with(ENOMEM);
  }
  return block;
}

/// As glibc's: realloc(block, 0) frees the block and returns null, which is not a failure.
inline void* reallocate(void* block, std::size_t size) {
  if (block != nullptr && size == 0) {
    TheHeap::free(block);
    return nullptr;
  }
  return or_enomem(TheHeap::realloc(block, size));
}

inline void* allocate_aligned(std::size_t alignment, std::size_t size) {
  return or_enomem(TheHeap::memalign(alignment, size));
}

inline std::size_t os_page() {
  return static_cast<std::size_t>(::getpagesize());
}

}  // namespace strata::drop_in

// None of these calls another by its exported name: a program, or a recorder, that stands in front of one of
// them would then see calls that nobody made.

STRATA_C_EXPORT void* malloc(std::size_t size) noexcept {
  return strata::drop_in::or_enomem(strata::drop_in::TheHeap::malloc(size));
}

STRATA_C_EXPORT void free(void* block) noexcept {
  strata::drop_in::TheHeap::free(block);
}

STRATA_C_EXPORT void* calloc(std::size_t count, std::size_t size) noexcept {
  return strata::drop_in::or_enomem(strata::drop_in::TheHeap::calloc(count, size));
}

STRATA_C_EXPORT void* realloc(void* block, std::size_t size) noexcept {
  return strata::drop_in::reallocate(block, size);
}

STRATA_C_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return strata::drop_in::fail_with(ENOMEM);
  return strata::drop_in::reallocate(block, bytes);
}

STRATA_C_EXPORT void free_sized(void* block, std::size_t) noexcept {
  strata::drop_in::TheHeap::free(block);
}

STRATA_C_EXPORT void free_aligned_sized(void* block, std::size_t, std::size_t) noexcept {
  strata::drop_in::TheHeap::free(block);
}

/// As glibc: an alignment that is no power of two is rounded up to one.
STRATA_C_EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  if (alignment > SIZE_MAX / 2 + 1) return strata::drop_in::fail_with(EINVAL);
  return strata::drop_in::allocate_aligned(std::bit_ceil(alignment), size);
}

/// As C23 and glibc 2.38: the size may be anything, the alignment must be a power of two.
STRATA_C_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  if (!std::has_single_bit(alignment)) return strata::drop_in::fail_with(EINVAL);
  return strata::drop_in::allocate_aligned(alignment, size);
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
  return strata::drop_in::allocate_aligned(strata::drop_in::os_page(), size);
}

STRATA_C_EXPORT void* pvalloc(std::size_t size) noexcept {
  const std::size_t page = strata::drop_in::os_page();
  if (size > PTRDIFF_MAX) return strata::drop_in::fail_with(ENOMEM);
  return strata::drop_in::allocate_aligned(page, strata::round_up(size, page));
}

STRATA_C_EXPORT std::size_t malloc_usable_size(void* block) noexcept {
  return strata::drop_in::TheHeap::usable_size(block);
}

// The names under which old binaries, and programs that wrap malloc themselves, reach glibc's own: were they
// not ours as well, a block of one heap could be freed into the other.
#define STRATA_ALSO(alias, name) __asm__(".globl " #alias "\n.set " #alias ", " #name "\n")
STRATA_ALSO(__libc_malloc, malloc);
STRATA_ALSO(__libc_free, free);
STRATA_ALSO(__libc_calloc, calloc);
STRATA_ALSO(__libc_realloc, realloc);
STRATA_ALSO(__libc_memalign, memalign);
STRATA_ALSO(__libc_valloc, valloc);
STRATA_ALSO(__libc_pvalloc, pvalloc);
STRATA_ALSO(cfree, free);
