/* Kingsley's allocator written by hand in one file of C, to hold KingsleyHeap against: what do layers cost?
 *
 * The same allocator in every respect that a program pays for: power-of-two free lists, an 8-byte header that
 * holds the size, blocks cut from 64 KiB chunks of a break that grows by 128 KiB, blocks at multiples of 16,
 * a tag in front of aligned blocks, and a lock that is elided while the process has one thread. Fork
 * handlers, statistics and C++ operators are left out: no malloc or free passes through them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define COLD __attribute__((noinline, cold))
#define NOINLINE __attribute__((noinline))
#define UNLIKELY(x) __builtin_expect((x), 0)

enum { classes = 29, chunk_bytes = 64 * 1024, growth = 128 * 1024, header_bytes = 8 };

struct freed {
  struct freed* next;
};

static struct freed* heads[classes];
static char *cut, *cut_end;     /* the chunk that blocks are cut from */
static char *top, *segment_end; /* the data segment's unused part */

static inline size_t* header_of(void* block) {
  return (size_t*)block - 1;
}
static inline unsigned long class_of(size_t size) {
  return (unsigned)(63 ^ __builtin_clzl((size - 1) | 7)) - 2UL;
}
static inline size_t size_of(unsigned long class) {
  return (size_t)8 << class;
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

static inline size_t usable_size(void* block) {
  char* const whole = whole_block(block);
  return *header_of(whole) - (size_t)((char*)block - whole);
}

static void* aligned_block(size_t alignment, size_t size) {
  char* const block = unlocked_malloc(size + alignment - 16);
  if (block == NULL) return NULL;
  const size_t distance = -(uintptr_t)block & (alignment - 1);
  if (distance == 0) return block;
  *header_of(block + distance) = distance << 1 | 1;
  return block + distance;
}

#include "entry_points.h"
