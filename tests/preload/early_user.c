/* Preloaded behind a drop-in: allocates in a constructor that runs before the program's; see before_main.c. */
#include <stdlib.h>

__attribute__((visibility("default"))) void* early_block;

__attribute__((constructor(101))) static void allocate_early(void) {
  void* const other = malloc(5000);
  early_block = calloc(10, 10);
  free(other);
}
