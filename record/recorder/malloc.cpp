/// The malloc family as the program sees it: the real call, and an event beside it.
#include "record/recorder/real.hpp"
#include "record/recorder/writer.hpp"

#include <errno.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#define STRATA_EXPORT extern "C" [[gnu::visibility("default")]]

namespace strata::recorder {
namespace {

std::uint64_t address_of(const void* block) {
  return reinterpret_cast<std::uintptr_t>(block);
}

/// Records what `allocate` returns as an aligned allocation.
template <class Allocate>
[[gnu::always_inline]] inline void* aligned(std::size_t alignment, std::size_t size, Allocate allocate) {
  Control* control = enter();
  if (!control) return allocate();
  void* block = allocate();
  unsigned char* cursor = control->cursor;
  if (block) {
    cursor = control->encoder.aligned(cursor, stamp(), address_of(block), size, alignment);
  }
  leave(control, cursor);
  return block;
}

std::size_t page() {
  return static_cast<std::size_t>(getpagesize());
}

/// A block of the bootstrap arena moves to the real heap, and is an ordinary allocation from then on.
void* move_from_bootstrap(void* block, std::size_t size);

}  // namespace
}  // namespace strata::recorder

using namespace strata::recorder;

STRATA_EXPORT void* malloc(std::size_t size) {
  Control* control = enter();
  if (!control) [[unlikely]]
    return real.malloc(size);
  void* block = real.malloc(size);
  unsigned char* cursor = control->cursor;
  if (block) [[likely]] {
    cursor = control->encoder.malloc(cursor, stamp(), address_of(block), size);
  }
  leave(control, cursor);
  return block;
}

STRATA_EXPORT void free(void* block) {
  if (!block || bootstrap_owns(block)) [[unlikely]]
    return;
  if (Control* control = enter()) [[likely]] {
    leave(control, control->encoder.free(control->cursor, stamp(), address_of(block)));
  }
  real.free(block);
}

STRATA_EXPORT void* calloc(std::size_t count, std::size_t size) {
  Control* control = enter();
  if (!control) [[unlikely]]
    return real.calloc(count, size);
  void* block = real.calloc(count, size);
  unsigned char* cursor = control->cursor;
  if (block) [[likely]] {
    cursor = control->encoder.calloc(cursor, stamp(), address_of(block), count * size);
  }
  leave(control, cursor);
  return block;
}

STRATA_EXPORT void* realloc(void* block, std::size_t size) {
  if (!block) return malloc(size);
  if (bootstrap_owns(block)) [[unlikely]]
    return move_from_bootstrap(block, size);
  Control* control = enter();
  if (!control) [[unlikely]]
    return real.realloc(block, size);
  const std::uint64_t before = stamp();
  const std::uint64_t old_address = address_of(block);
  void* moved = real.realloc(block, size);
  unsigned char* cursor = control->cursor;
  if (moved) [[likely]] {
    cursor = control->encoder.realloc(cursor, before, old_address, stamp(), address_of(moved), size);
  } else if (size == 0) {
    cursor = control->encoder.free(cursor, before, old_address);
  }
  leave(control, cursor);
  return moved;
}

STRATA_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

STRATA_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  return aligned(alignment, size, [&] { return real.memalign(alignment, size); });
}

STRATA_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return aligned(alignment, size, [&] { return real.aligned_alloc(alignment, size); });
}

STRATA_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  int error = 0;
  aligned(alignment, size, [&]() -> void* {
    error = real.posix_memalign(block, alignment, size);
    return error == 0 ? *block : nullptr;
  });
  return error;
}

STRATA_EXPORT void* valloc(std::size_t size) {
  return aligned(page(), size, [&] { return real.valloc(size); });
}

STRATA_EXPORT void* pvalloc(std::size_t size) {
  const std::size_t whole_pages = (size + page() - 1) & ~(page() - 1);
  return aligned(page(), whole_pages, [&] { return real.pvalloc(size); });
}

STRATA_EXPORT void free_sized(void* block, std::size_t) {
  free(block);
}

STRATA_EXPORT void free_aligned_sized(void* block, std::size_t, std::size_t) {
  free(block);
}

STRATA_EXPORT std::size_t malloc_usable_size(void* block) {
  if (bootstrap_owns(block)) [[unlikely]]
    return bootstrap_size(block);
  return real.usable_size(block);
}

namespace strata::recorder {
namespace {

void* move_from_bootstrap(void* block, std::size_t size) {
  void* moved = malloc(size);
  if (!moved) return nullptr;
  const std::size_t held = bootstrap_size(block);
  std::memcpy(moved, block, held < size ? held : size);
  return moved;
}

}  // namespace
}  // namespace strata::recorder
