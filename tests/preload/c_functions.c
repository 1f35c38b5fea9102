/* Every C allocation function, with the corner cases that programs written for glibc rely on. */
#include "expect.h"

#include <errno.h>
#include <malloc.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

/* Not known to the compiler, which would warn, or answer by itself. */
static volatile size_t too_much = (size_t)PTRDIFF_MAX + 1;
static volatile size_t vast = SIZE_MAX;
static volatile size_t odd = 24;
static volatile size_t none = 0;

static const size_t sizes[] = {0,    1,    7,     8,     15,    16,     17,     24,      31,     32,
                               48,   63,   64,    100,   128,   255,    256,    1000,    1024,   4080,
                               4096, 5000, 16384, 65535, 65536, 131072, 200000, 1048576, 5000000};
enum { size_count = sizeof sizes / sizeof *sizes };

static void test_malloc(void) {
  void* blocks[size_count];
  for (unsigned i = 0; i < size_count; ++i) {
    blocks[i] = malloc(sizes[i]);
    EXPECT(blocks[i] != NULL);
    EXPECT(aligned_to(blocks[i], 16));
    EXPECT(malloc_usable_size(blocks[i]) >= sizes[i]);
    fill(blocks[i], malloc_usable_size(blocks[i]), i);
  }
  for (unsigned i = 0; i < size_count; ++i) {
    EXPECT(filled(blocks[i], malloc_usable_size(blocks[i]), i));
    free(blocks[i]);
  }
  void* const a = malloc(0);
  void* const b = malloc(0);
  EXPECT(a != NULL && b != NULL && a != b);
  free(a);
  free(b);

  errno = 0;
  EXPECT(malloc(too_much) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(malloc(vast) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(malloc(vast - 8) == NULL && errno == ENOMEM);
  for (size_t below = 0; below < 5000; below = 3 * below + 1) { /* allowed, and no machine has it */
    errno = 0;
    EXPECT(malloc(too_much - 1 - below) == NULL && errno == ENOMEM);
    EXPECT(calloc(1, too_much - 1 - below) == NULL);
    EXPECT(aligned_alloc(64, too_much - 1 - below) == NULL);
    EXPECT(realloc(NULL, too_much - 1 - below) == NULL);
  }
  EXPECT(malloc_usable_size(NULL) == 0);
}

static void test_free(void) {
  free(NULL);
  /* Small, from a chunk of its own, and large: the last may go back to the system. */
  for (unsigned i = 0; i < size_count; ++i) {
    void* const block = malloc(sizes[i]);
    errno = 4711;
    free(block);
    EXPECT(errno == 4711);
  }
  /* Those of C23, which this libc may not declare. */
  void (*const free_sized)(void*, size_t) =
      (void (*)(void*, size_t))(uintptr_t)dlsym(RTLD_DEFAULT, "free_sized");
  void (*const free_aligned_sized)(void*, size_t, size_t) =
      (void (*)(void*, size_t, size_t))(uintptr_t)dlsym(RTLD_DEFAULT, "free_aligned_sized");
  EXPECT(free_sized != NULL && free_aligned_sized != NULL);
  free_sized(NULL, 0);
  free_aligned_sized(NULL, 64, 0);
  free_sized(malloc(40), 40);
  free_aligned_sized(aligned_alloc(256, 512), 256, 512);
}

static void test_calloc(void) {
  for (int round = 0; round < 3; ++round) {
    for (unsigned i = 0; i < size_count; ++i) {
      unsigned char* const block = calloc(sizes[i], 1);
      EXPECT(block != NULL && aligned_to(block, 16));
      size_t dirty = 0;
      for (size_t k = 0; k < sizes[i]; ++k) dirty += block[k] != 0;
      EXPECT(dirty == 0 && "calloc zeroes");
      memset(block, 0xa5, malloc_usable_size(block));
      free(block);
    }
  }
  void* const empty = calloc(0, 8);
  EXPECT(empty != NULL);
  free(empty);
  errno = 0;
  EXPECT(calloc(vast / 2, 3) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(calloc(vast, vast) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(calloc(vast / 4 + 2, 4) == NULL && errno == ENOMEM && "the product wraps to 4");
  errno = 0;
  EXPECT(calloc(too_much, 1) == NULL && errno == ENOMEM);
}

static void test_realloc(void) {
  for (unsigned from = 0; from < size_count; ++from) {
    for (unsigned to = 1; to < size_count; ++to) {
      void* block = malloc(sizes[from]);
      fill(block, sizes[from], from);
      block = realloc(block, sizes[to]);
      const size_t kept = sizes[from] < sizes[to] ? sizes[from] : sizes[to];
      EXPECT(block != NULL && aligned_to(block, 16));
      EXPECT(filled(block, kept, from) && "realloc keeps the contents");
      EXPECT(malloc_usable_size(block) >= sizes[to]);
      free(block);
    }
  }
  void* volatile block = realloc(NULL, 100); /* volatile: the compiler knows what realloc frees */
  EXPECT(block != NULL);
  fill(block, 100, 3);
  errno = 0;
  EXPECT(realloc(block, too_much) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(reallocarray(block, vast / 2, 3) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(reallocarray(block, vast / 4 + 2, 4) == NULL && errno == ENOMEM && "the product wraps to 4");
  EXPECT(filled(block, 100, 3) && "a failed realloc leaves the block");
  block = reallocarray(block, 10, 50);
  EXPECT(block != NULL && filled(block, 100, 3));
  errno = 0;
  EXPECT(realloc(block, 0) == NULL && errno == 0);
  void* const empty = realloc(NULL, 0);
  EXPECT(empty != NULL);
  free(empty);
}

static void test_alignment_arguments(void) {
  void* block = &block;
  EXPECT(posix_memalign(&block, none, 8) == EINVAL);
  EXPECT(posix_memalign(&block, 4, 8) == EINVAL);
  EXPECT(posix_memalign(&block, odd, 8) == EINVAL);
  errno = 4711;
  EXPECT(posix_memalign(&block, 64, too_much) == ENOMEM);
  EXPECT(errno == 4711 && block == &block && "posix_memalign fails by its result alone");
  EXPECT(posix_memalign(&block, 8, 0) == 0 && block != NULL && aligned_to(block, 16));
  free(block);
  EXPECT(posix_memalign(&block, 4096, 1) == 0 && aligned_to(block, 4096));
  free(block);

  errno = 0;
  EXPECT(aligned_alloc(odd, 48) == NULL && errno == EINVAL);
  errno = 0;
  EXPECT(aligned_alloc(none, 48) == NULL && errno == EINVAL);
  errno = 0;
  EXPECT(aligned_alloc(64, vast) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(aligned_alloc(too_much, 64) == NULL && errno == ENOMEM);
  block = aligned_alloc(64, 40);
  EXPECT(block != NULL && aligned_to(block, 64));
  free(block);

  block = memalign(2 * odd, 100);
  EXPECT(block != NULL && aligned_to(block, 64) && "memalign rounds the alignment up");
  free(block);
  block = memalign(none, 100);
  EXPECT(block != NULL && aligned_to(block, 16));
  free(block);
  errno = 0;
  EXPECT(memalign(too_much + 1, 100) == NULL && errno == EINVAL);
  errno = 0;
  EXPECT(memalign(too_much / 2, too_much / 2 + 100) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(memalign(64, vast - 32) == NULL && errno == ENOMEM);

  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  block = valloc(10);
  EXPECT(block != NULL && aligned_to(block, page));
  free(block);
  block = pvalloc(page + 1);
  EXPECT(block != NULL && aligned_to(block, page) && malloc_usable_size(block) >= 2 * page);
  free(block);
  block = pvalloc(0);
  EXPECT(block != NULL && aligned_to(block, page));
  free(block);
  errno = 0;
  EXPECT(pvalloc(vast) == NULL && errno == ENOMEM);
  errno = 0;
  EXPECT(valloc(vast) == NULL && errno == ENOMEM);
}

/* Either name for either end: old binaries, and programs that wrap malloc. */
static void test_libc_names(void) {
  free(__libc_malloc(100));
  __libc_free(malloc(100));
  void* const block = __libc_memalign(128, 100);
  EXPECT(aligned_to(block, 128));
  free(block);
}

int main(void) {
  expect_drop_in();
  test_malloc();
  test_free();
  test_calloc();
  test_realloc();
  test_alignment_arguments();
  test_libc_names();
  return expect_status();
}
