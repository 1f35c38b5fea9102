/* Kingsley's allocator written by hand in one file of C, to hold KingsleyHeap against: what do layers cost?
 *
 * The same allocator in every respect that a program pays for: power-of-two free lists, an 8-byte header that
 * holds the size, blocks cut from 64 KiB chunks of a break that grows by 128 KiB, blocks at multiples of 16,
 * a tag in front of aligned blocks, and a lock that is elided while the process has one thread. Fork
 * handlers, statistics and C++ operators are left out: no malloc or free passes through them. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define COLD __attribute__((noinline, cold))
#define UNLIKELY(x) __builtin_expect((x), 0)

enum { classes = 29, chunk_bytes = 64 * 1024, growth = 128 * 1024, header_bytes = 8 };

struct freed {
  struct freed* next;
};

static struct freed* heads[classes];
static char *cut, *cut_end;     /* the chunk that blocks are cut from */
static char *top, *segment_end; /* the data segment's unused part */
static _Atomic uint32_t lock_state;

static inline size_t* header_of(void* block) {
  return (size_t*)block - 1;
}
static inline unsigned long class_of(size_t size) {
  return (unsigned)(63 ^ __builtin_clzl((size - 1) | 7)) - 2UL;
}
static inline size_t size_of(unsigned long class) {
  return (size_t)8 << class;
}

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

/* `bytes`, a multiple of 16, at a multiple of 16 of the data segment. */
static char* from_segment(size_t bytes) {
  if (bytes > (size_t)(segment_end - top)) {
    char* const now = sbrk(0);
    if (top == NULL || now != segment_end) {
      top = segment_end = now;
    }
    const size_t more = (bytes - (size_t)(segment_end - top) + 16 + growth - 1) & ~(size_t)(growth - 1);
    if (sbrk((intptr_t)more) == (void*)-1) return NULL;
    segment_end += more;
    top += -(uintptr_t)top & 15;
  }
  char* const memory = top;
  top += bytes;
  return memory;
}

static COLD void* make_block(unsigned long class) {
  const size_t stride = (size_of(class) + header_bytes + 15) & ~(size_t)15;
  char* block;
  if (stride > chunk_bytes / 8) {
    block = from_segment(stride + 16);
    if (block == NULL) return NULL;
    block += header_bytes;
  } else {
    if (stride > (size_t)(cut_end - cut)) {
      char* const chunk = from_segment(chunk_bytes);
      if (chunk == NULL) return NULL;
      cut = chunk + header_bytes;
      cut_end = chunk + chunk_bytes - 16 + header_bytes;
    }
    block = cut;
    cut += stride;
  }
  void* const object = block + header_bytes;
  *header_of(object) = size_of(class);
  return object;
}

static COLD void* map_block(size_t size) {
  const size_t bytes = (size + 16 + 4095) & ~(size_t)4095;
  size_t* const pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  pages[0] = bytes;
  pages[1] = (size + 7) & ~(size_t)7;
  return pages + 2;
}

static inline void* unlocked_malloc(size_t size) {
  const unsigned long class = class_of(size);
  if (UNLIKELY(class >= classes)) return map_block(size);
  struct freed* const block = heads[class];
  if (UNLIKELY(block == NULL)) return make_block(class);
  heads[class] = block->next;
  return block;
}

static COLD void unmap_block(void* block) {
  const int saved = errno;
  munmap((size_t*)block - 2, ((size_t*)block)[-2]);
  errno = saved;
}

static inline void* whole_block(void* block) {
  const size_t word = *header_of(block);
  return UNLIKELY(word & 1) ? (char*)block - (word >> 1) : block;
}

static inline void unlocked_free(void* block) {
  block = whole_block(block);
  const unsigned long class = class_of(*header_of(block));
  if (UNLIKELY(class >= classes)) {
    unmap_block(block);
    return;
  }
  struct freed* const freed = block;
  freed->next = heads[class];
  heads[class] = freed;
}

static __attribute__((noinline)) void* locked_malloc(size_t size) {
  lock();
  void* const block = unlocked_malloc(size);
  unlock();
  return block;
}

static __attribute__((noinline)) void locked_free(void* block) {
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

EXPORT void* malloc(size_t size) {
  void* const block = any_malloc(size);
  if (UNLIKELY(block == NULL)) errno = ENOMEM;
  return block;
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
  if (block == NULL) return 0;
  char* const whole = whole_block(block);
  return *header_of(whole) - (size_t)((char*)block - whole);
}

EXPORT void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
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
  const size_t usable = malloc_usable_size(block);
  if (size <= usable && size >= usable / 2) return block;
  void* const moved = malloc(size);
  if (moved == NULL) return size <= usable ? block : NULL;
  memcpy(moved, block, size < usable ? size : usable);
  free(block);
  return moved;
}

EXPORT void* memalign(size_t alignment, size_t size) {
  if (alignment <= 16) return malloc(size);
  if (size > PTRDIFF_MAX - alignment) {
    errno = ENOMEM;
    return NULL;
  }
  char* const block = malloc(size + alignment - 16);
  if (block == NULL) return NULL;
  const size_t distance = -(uintptr_t)block & (alignment - 1);
  if (distance == 0) return block;
  *header_of(block + distance) = distance << 1 | 1;
  return block + distance;
}

EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

EXPORT int posix_memalign(void** block, size_t alignment, size_t size) {
  void* const aligned = memalign(alignment, size);
  if (aligned == NULL) return ENOMEM;
  *block = aligned;
  return 0;
}
