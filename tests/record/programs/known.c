/* Allocates blocks of sizes that nothing else asks for, in every way there is. The test knows them all. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  void* volatile small = malloc(100001);
  void* volatile zeroed = calloc(7, 14293);
  void* volatile grown = realloc(NULL, 100003);
  grown = realloc(grown, 200003);
  void* volatile array = reallocarray(NULL, 3, 33345);
  void* volatile aligned = aligned_alloc(64, 100096);
  void* volatile old_style = memalign(256, 100007);
  void* posix = NULL;
  if (posix_memalign(&posix, 4096, 100009) != 0) return 1;
  void* volatile paged = valloc(100011);
  void* volatile whole_pages = pvalloc(100013);
  if ((uintptr_t)posix % 4096 != 0 || (uintptr_t)aligned % 64 != 0) return 2;

  errno = 77;
  void* volatile impossible = malloc(SIZE_MAX / 2 - 1); /* fails: no event, and errno is the real malloc's */
  if (impossible || errno != ENOMEM) return 3;
  errno = 77;
  free(NULL);
  free(small);
  if (errno != 77) return 4;
  free(zeroed);
  void* volatile gone = realloc(grown, 0); /* glibc frees */
  if (gone) return 5;
  free(array);
  free(aligned);
  free(old_style);
  free(posix);
  free(paged);
  (void)whole_pages; /* lives on */
  if (malloc_usable_size(whole_pages) < 100013) return 6;
  return 42;
}
