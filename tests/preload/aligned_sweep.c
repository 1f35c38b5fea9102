/* Every alignment with every size: aligned, disjoint, usable to the last byte, and good for realloc and free. */
#include "expect.h"

#include <malloc.h>

enum { blocks_at_once = 8 };

static void sweep(size_t alignment, size_t size) {
  void* blocks[blocks_at_once];
  for (unsigned i = 0; i < blocks_at_once; ++i) {
    void* other = malloc(size + i); /* so that the aligned ones come to lie at various phases */
    blocks[i] = i % 2 != 0 ? aligned_alloc(alignment, size) : memalign(alignment, size);
    EXPECT(blocks[i] != NULL);
    EXPECT(aligned_to(blocks[i], alignment));
    EXPECT(malloc_usable_size(blocks[i]) >= size);
    fill(blocks[i], malloc_usable_size(blocks[i]), i);
    free(other);
  }
  for (unsigned i = 0; i < blocks_at_once; ++i) {
    const size_t usable = malloc_usable_size(blocks[i]);
    EXPECT(filled(blocks[i], usable, i));
    if (i % 4 == 0) {
      free(blocks[i]);
      continue;
    }
    const size_t resized = i % 4 == 1 ? 3 * usable + 1 : i % 4 == 2 ? size / 3 + 1 : size + 1;
    const size_t kept = resized < usable ? resized : usable;
    blocks[i] = realloc(blocks[i], resized);
    EXPECT(blocks[i] != NULL && aligned_to(blocks[i], 16));
    EXPECT(malloc_usable_size(blocks[i]) >= resized);
    EXPECT(filled(blocks[i], kept, i));
    free(blocks[i]);
  }
}

int main(void) {
  expect_drop_in();
  static const size_t sizes[] = {1, 8, 16, 24, 40, 64, 100, 256, 500, 1024, 4096, 20000, 300000};
  for (size_t alignment = 8; alignment <= 1u << 20; alignment *= 2) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      if (alignment * sizes[i] <= (size_t)1 << 34) sweep(alignment, sizes[i]);
    }
  }
  return expect_status();
}
