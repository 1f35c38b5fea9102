/* Lea's allocator written by hand in one file of C, to hold LeaHeap against: what do layers cost?
 *
 * The same allocator in every respect that a malloc or free pays for: blocks behind one word of size and flags,
 * with a footer only while they are free; quick lists to 64 bytes, flushed by a large request or when they hold too
 * much; bins in steps of a sixteenth, first in, first out, found through a bitmap; coalescing and splitting at once;
 * a top that moves through segments of the break, or of mappings once somebody else has moved that, and is given
 * back; mappings from 128 KiB on, with a threshold that follows the program; and a lock that is elided while the
 * process has one thread. Left out, because no malloc or free passes through it: realloc in place, trimming aligned
 * blocks behind, fork handlers, statistics, C++ operators, and the list of what would be deleted with the heap. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define COLD __attribute__((noinline, cold))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define UNLIKELY(x) __builtin_expect((x), 0)

enum { header_bytes = 8, granule = 16, smallest = 32 };
enum { page = 4096, growth = 128 * 1024, first_object = 32 };
enum { free_flag = 1, previous_free_flag = 2, mapped_flag = 4, flags = 15 };
enum { quick_lists = 4, quick_least = 24, hold = 1024 * 1024, flush_from = 64 * 1024 };
enum { steps = 16, bin_count = 28 * steps, words = bin_count / 64, exact_bins = 2 * steps, scan = 4 };
static const size_t threshold_limit = 32 * 1024 * 1024;

struct links {
  struct links *previous, *next;
};
#define BIN(i) {&bins[i], &bins[i]}
#define BIN4(i) BIN(i), BIN((i) + 1), BIN((i) + 2), BIN((i) + 3)
#define BIN16(i) BIN4(i), BIN4((i) + 4), BIN4((i) + 8), BIN4((i) + 12)
#define BIN64(i) BIN16(i), BIN16((i) + 16), BIN16((i) + 32), BIN16((i) + 48)
static struct links bins[bin_count] = {BIN64(0),   BIN64(64),  BIN64(128), BIN64(192),
                                       BIN64(256), BIN64(320), BIN64(384)};
static uint64_t occupied[words]; /* a bin whose bit is set may be empty; the search finds out */
static void* quick[quick_lists]; /* each block begins with the next */
static ptrdiff_t left = hold;    /* of the bytes that they may hold */
static size_t mapped_from = 128 * 1024;
static char* segment;   /* that blocks are cut from */
static char *top, *end; /* its unused part: the object that would be next, and the last fence's place */
static bool on_break;   /* it lies on the break, and not in a mapping */
static size_t most_room = 2 * growth;

#define HEADER(block) (((size_t*)(block))[-1])
#define FOOTER_BEFORE(block) (((size_t*)(block))[-2])
#define SIZE(block) (HEADER(block) & ~(size_t)flags)
#define ROOM ((size_t)(end - top))
#define QUICK_SIZE(list) (quick_least + (list) * granule)

static inline size_t round_up(size_t size, size_t step) {
  return (size + step - 1) & ~(step - 1);
}

static inline size_t bytes_for(size_t size) {
  const size_t bytes = round_up(size + header_bytes, granule);
  return bytes < smallest ? smallest : bytes;
}

/* The largest bin that is no larger than a block of `bytes`: it serves every request of that bin. */
static inline size_t bin_of(size_t bytes) {
  const size_t granules = bytes / granule - 1;
  if (granules <= exact_bins) return granules - 1;
  const size_t shift = (size_t)(63 ^ __builtin_clzl(granules)) - 4;
  const size_t bin = shift * steps + (granules >> shift) - 1;
  return bin < bin_count ? bin : bin_count - 1;
}

static inline void unlink_block(void* block) {
  struct links* const entry = block;
  entry->previous->next = entry->next;
  entry->next->previous = entry->previous;
}

/* Keeps `bytes` between two blocks in use as free. */
static inline void keep(void* block, size_t bytes) {
  char* const behind = (char*)block + bytes;
  HEADER(block) = bytes | free_flag;
  FOOTER_BEFORE(behind) = bytes;
  HEADER(behind) |= previous_free_flag;
  const size_t bin = bin_of(bytes);
  occupied[bin / 64] |= (uint64_t)1 << bin % 64;
  struct links* const entry = block;
  entry->previous = bins[bin].previous;
  entry->next = &bins[bin];
  bins[bin].previous->next = entry;
  bins[bin].previous = entry;
}

/* Makes `bytes` of a free block of `whole`, which is in no bin, a block in use, and keeps the rest. */
static inline void take(void* block, size_t whole, size_t bytes) {
  if (whole - bytes < smallest) {
    HEADER(block) = whole;
    HEADER((char*)block + whole) &= ~(size_t)previous_free_flag;
    return;
  }
  HEADER(block) = bytes;
  keep((char*)block + bytes, whole - bytes);
}

static inline void set_top(char* to) {
  top = to;
  HEADER(top) = 0;
}

/* Moves the end of the segment, by whole pages, if it is on the break and nobody else has moved that. */
static bool move_end(ptrdiff_t by) {
  const int saved = errno;
  const bool moved = on_break && sbrk(0) == end + granule && sbrk(by) != (void*)-1;
  if (moved) end += by;
  errno = saved;
  return moved;
}

/* Half of what is tolerated above the top stays. */
static COLD void lower_top(void) {
  move_end(-(ptrdiff_t)((ROOM - most_room / 2) & ~(size_t)(page - 1)));
}

static COLD void unmap(char* pages, size_t bytes) {
  const int saved = errno;
  munmap(pages, bytes);
  errno = saved;
}

/* True if the block was all of a segment that has been replaced, which is given back. */
static COLD bool give_back_segment(char* block, char* fence) {
  char* const old = *(char**)fence;
  if (block != old + first_object) return false;
  unmap(old, (size_t)(fence + granule - old));
  return true;
}

/* The last block of its segment. */
static NOINLINE void free_last(char* block, size_t bytes) {
  char* const fence = block + bytes;
  if (fence == top) {
    set_top(block);
    if (UNLIKELY(ROOM > most_room)) lower_top();
  } else if (!give_back_segment(block, fence)) {
    keep(block, bytes);
  }
}

static NOINLINE void free_medium(char* block) {
  const size_t header = HEADER(block);
  size_t bytes = header & ~(size_t)flags;
  if ((header & previous_free_flag) != 0) {
    const size_t before = FOOTER_BEFORE(block);
    block -= before;
    unlink_block(block);
    bytes += before;
  }
  char* const behind = block + bytes;
  if ((HEADER(behind) & free_flag) != 0) {
    unlink_block(behind);
    bytes += SIZE(behind);
  }
  if (UNLIKELY(SIZE(block + bytes) == 0)) {
    free_last(block, bytes);
  } else {
    keep(block, bytes);
  }
}

static COLD void flush(void) {
  for (int list = 0; list < quick_lists; ++list) {
    while (quick[list] != NULL) {
      void* const block = quick[list];
      quick[list] = *(void**)block;
      free_medium(block);
    }
  }
  left = hold;
}

/* A segment of its own for what comes; what is left of the old one becomes a block. */
static COLD bool add_segment(size_t bytes) {
  const size_t around = first_object + granule;
  const size_t length = round_up(around + (bytes < growth - around ? growth - around : bytes), page);
  char* made = MAP_FAILED;
  if (segment == NULL) { /* later, the break is somebody else's */
    char* const now = sbrk(0);
    const size_t skew = -(uintptr_t)now & (page - 1);
    made = sbrk((intptr_t)(length + skew)) == now ? now + skew : MAP_FAILED;
  }
  on_break = made != MAP_FAILED;
  if (!on_break) made = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return false;
  char *const rest = top, *const fence = ROOM < smallest ? top : end;
  if (segment != NULL) *(char**)fence = segment;
  segment = made;
  end = made + length - granule;
  set_top(made + first_object);
  if (fence != rest) {
    HEADER(fence) = 0;
    HEADER(rest) = (size_t)(fence - rest);
    free_medium(rest);
  }
  return true;
}

static COLD bool make_room(size_t bytes) {
  const int saved = errno;
  const size_t missing = round_up(bytes - ROOM, page);
  const bool made = move_end((ptrdiff_t)(missing > growth ? missing : growth)) ||
                    move_end((ptrdiff_t)missing) || add_segment(bytes);
  if (made && bytes > most_room / 2) most_room = 2 * bytes;
  errno = saved;
  return made;
}

/* A block of the bins from `bin` on. */
static inline struct links* search(size_t bin) {
  size_t word = bin / 64;
  uint64_t found = occupied[word] & ~(uint64_t)0 << bin % 64;
  while (true) {
    for (; found != 0; found &= found - 1) {
      const size_t at = word * 64 + (size_t)__builtin_ctzl(found);
      if (bins[at].next != &bins[at]) return bins[at].next;
      occupied[word] &= ~((uint64_t)1 << at % 64);
    }
    if (++word == words) return NULL;
    found = occupied[word];
  }
}

/* A block of `bytes` or more from the bins: of those that may be too small for the request, a few are looked at. */
static inline struct links* find(size_t bytes) {
  const size_t wanted = bytes == smallest ? 0 : bin_of(bytes - granule) + 1;
  if (wanted >= exact_bins) {
    struct links* const below = &bins[wanted - 1];
    struct links* entry = below->next;
    for (int looks = scan; entry != below && looks != 0; entry = entry->next, --looks) {
      if (SIZE(entry) >= bytes) return entry;
    }
  }
  return wanted < bin_count ? search(wanted) : NULL;
}

static NOINLINE void* malloc_new(size_t bytes);

static ALWAYS_INLINE void* malloc_bytes(size_t bytes) {
  struct links* const found = find(bytes);
  if (found == NULL) return malloc_new(bytes);
  unlink_block(found);
  take(found, SIZE(found), bytes);
  return found;
}

/* What the quick lists hold is flushed, and the bins are asked again. */
static COLD void* malloc_flushed(size_t bytes) {
  flush();
  return malloc_bytes(bytes);
}

static NOINLINE void* malloc_new(size_t bytes) {
  if (UNLIKELY(bytes > ROOM) && !make_room(bytes)) return left == hold ? NULL : malloc_flushed(bytes);
  char* const block = top;
  HEADER(block) = bytes;
  set_top(block + bytes);
  return block;
}

static NOINLINE void* malloc_small(size_t list) {
  return malloc_bytes(QUICK_SIZE(list) + header_bytes);
}

static NOINLINE void* malloc_medium(size_t size) {
  const size_t bytes = bytes_for(size);
  if (UNLIKELY(size >= flush_from) && left != hold) return malloc_flushed(bytes);
  return malloc_bytes(bytes);
}

static COLD void* map_block(size_t size) {
  const size_t length = round_up(size + granule, page);
  size_t* const pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return malloc_bytes(bytes_for(size));
  pages[1] = (length - granule) | mapped_flag;
  return pages + 2;
}

static COLD void unmap_block(void* block) {
  const size_t usable = SIZE(block) - header_bytes;
  if (usable >= mapped_from && usable < threshold_limit) mapped_from = usable + 1;
  unmap((char*)block - granule, SIZE(block) + granule);
}

static inline void* unlocked_malloc(size_t size) {
  if (UNLIKELY(size >= mapped_from)) return map_block(size);
  /* The smallest sizes share the first list, without a branch that could not be predicted. */
  const ptrdiff_t granules = (ptrdiff_t)(size - quick_least + granule - 1) >> 4;
  const size_t list = (size_t)(granules & ~(granules >> 63));
  if (UNLIKELY(list >= quick_lists)) return malloc_medium(size);
  void* const block = quick[list];
  if (UNLIKELY(block == NULL)) return malloc_small(list);
  quick[list] = *(void**)block;
  left += (ptrdiff_t)QUICK_SIZE(list);
  return block;
}

static inline void unlocked_free(void* block) {
  const size_t header = HEADER(block);
  if (UNLIKELY((header & mapped_flag) != 0)) {
    unmap_block(block);
    return;
  }
  const size_t list = (header & ~(size_t)flags) / granule - smallest / granule;
  if (UNLIKELY(list >= quick_lists)) {
    free_medium(block);
    return;
  }
  *(void**)block = quick[list];
  quick[list] = block;
  left -= (ptrdiff_t)QUICK_SIZE(list);
  if (UNLIKELY(left < 0)) flush();
}

/* A block of the bins or the top, whatever its size: what lies in front of the aligned one is free again. */
static void* aligned_block(size_t alignment, size_t size) {
  char* const block = malloc_bytes(bytes_for(size + alignment + smallest));
  if (block == NULL) return NULL;
  size_t distance = -(uintptr_t)block & (alignment - 1);
  if (distance == 0) return block;
  if (distance < smallest) distance += alignment;
  HEADER(block + distance) = SIZE(block) - distance;
  HEADER(block) -= SIZE(block) - distance;
  free_medium(block);
  return block + distance;
}

static inline size_t usable_size(void* block) {
  return SIZE(block) - header_bytes;
}

#include "entry_points.h"
