/* Memory before main: from .preinit_array, which runs before any library's constructor, from constructors of
   every priority, and from a library that was preloaded; all of it good for realloc and free in main. */
#include "expect.h"

#include <malloc.h>

static void* from_preinit;
static void* from_first;
static void* from_last;

static void preinit(void) {
  from_preinit = malloc(100);
  fill(from_preinit, 100, 1);
}
__attribute__((section(".preinit_array"), used)) static void (*preinit_entry)(void) = preinit;

__attribute__((constructor(101))) static void first(void) {
  from_first = aligned_alloc(256, 300);
  fill(from_first, 300, 2);
  from_preinit = realloc(from_preinit, 5000);
}
__attribute__((constructor)) static void last(void) {
  from_last = malloc(100000);
  fill(from_last, 100000, 3);
}

int main(void) {
  expect_drop_in();
  EXPECT(from_preinit != NULL && malloc_usable_size(from_preinit) >= 5000 && filled(from_preinit, 100, 1));
  EXPECT(aligned_to(from_first, 256) && filled(from_first, 300, 2));
  EXPECT(filled(from_last, 100000, 3));
  void** const early_block = (void**)dlsym(RTLD_DEFAULT, "early_block");
  EXPECT(early_block != NULL && *early_block != NULL && malloc_usable_size(*early_block) >= 100);
  free(from_preinit);
  free(from_first);
  free(from_last);
  if (early_block != NULL) free(*early_block);
  return expect_status();
}
