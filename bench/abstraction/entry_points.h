/* The C allocation functions over an allocator written by hand, behind a lock that is elided while the process has one
 * thread. Included once, at the allocator's end, so that all is one translation unit. It has defined COLD, NOINLINE,
 * UNLIKELY, and
 *
 *   unlocked_malloc(size)              1 <= size <= PTRDIFF_MAX; null when memory is exhausted
 *   unlocked_free(block)               not null
 *   usable_size(block)                 not null
 *   aligned_block(alignment, size)     a power of two beyond 16; neither beyond PTRDIFF_MAX / 4 */
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static _Atomic uint32_t lock_state;

static void lock(void) {
  uint32_t expected = 0;
  if (atomic_compare_exchange_strong_explicit(&lock_state, &expected, 1, memory_order_acquire,
                                              memory_order_relaxed)) {
    return;
  }
  while (atomic_exchange_explicit(&lock_state, 2, memory_order_acquire) != 0) {
    syscall(SYS_futex, &lock_state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
  }
}

static void unlock(void) {
  if (atomic_exchange_explicit(&lock_state, 0, memory_order_release) == 2) {
    syscall(SYS_futex, &lock_state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
}

static NOINLINE void* locked_malloc(size_t size) {
  lock();
  void* const block = unlocked_malloc(size);
  unlock();
  return block;
}

static NOINLINE void locked_free(void* block) {
  lock();
  unlocked_free(block);
  unlock();
}

static COLD void* unusual_malloc(size_t size);

static inline void* any_malloc(size_t size) {
  if (UNLIKELY(size - 1 >= PTRDIFF_MAX)) return unusual_malloc(size);
  return __libc_single_threaded ? unlocked_malloc(size) : locked_malloc(size);
}

static COLD void* unusual_malloc(size_t size) {
  return size == 0 ? any_malloc(1) : NULL;
}

/* Out of line, so that no block has to be kept over a call. */
static COLD void* exhausted(void) {
  errno = ENOMEM;
  return NULL;
}

EXPORT void* malloc(size_t size) {
  void* const block = any_malloc(size);
  return UNLIKELY(block == NULL) ? exhausted() : block;
}

EXPORT void free(void* block) {
  if (block == NULL) return;
  if (__libc_single_threaded) {
    unlocked_free(block);
  } else {
    locked_free(block);
  }
}

EXPORT size_t malloc_usable_size(void* block) {
  return block == NULL ? 0 : usable_size(block);
}

EXPORT void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    return exhausted();
  }
  void* const block = malloc(bytes);
  return block == NULL ? NULL : memset(block, 0, bytes);
}

EXPORT void* realloc(void* block, size_t size) {
  if (block == NULL) return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  const size_t usable = usable_size(block);
  if (size <= usable && size >= usable / 2) return block;
  void* const moved = malloc(size);
  if (moved == NULL) return size <= usable ? block : NULL;
  memcpy(moved, block, size < usable ? size : usable);
  free(block);
  return moved;
}

EXPORT void* memalign(size_t alignment, size_t size) {
  if (alignment <= 16) return malloc(size);
  void* block = NULL;
  const bool alone = __libc_single_threaded;
  if (!alone) lock();
  if (size < PTRDIFF_MAX / 4 && alignment < PTRDIFF_MAX / 4) block = aligned_block(alignment, size);
  if (!alone) unlock();
  return block == NULL ? exhausted() : block;
}

EXPORT void* aligned_alloc(size_t, size_t) __attribute__((alias("memalign")));

EXPORT int posix_memalign(void** block, size_t alignment, size_t size) {
  void* const made = memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}
