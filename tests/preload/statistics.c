/* malloc_info, mallinfo2 and their kin tell what the heap has asked from the system. */
#include "expect.h"

#include <errno.h>
#include <malloc.h>
#include <unistd.h>

static char* text_of_malloc_info(void) {
  char* text = NULL;
  size_t size = 0;
  FILE* const stream = open_memstream(&text, &size);
  EXPECT(malloc_info(0, stream) == 0);
  EXPECT(malloc_info(1, stream) == EINVAL);
  fclose(stream);
  return text;
}

static void text_of_malloc_stats(char* text, size_t size) {
  int ends[2];
  EXPECT(pipe(ends) == 0);
  const int standard_error = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  malloc_stats();
  dup2(standard_error, STDERR_FILENO);
  close(ends[1]);
  const ssize_t length = read(ends[0], text, size - 1);
  text[length > 0 ? length : 0] = '\0';
  close(ends[0]);
}

int main(void) {
  expect_drop_in();
  const size_t size = 50u << 20;
  void* const small = malloc(100);
  const struct mallinfo2 before = mallinfo2();
  EXPECT(before.arena > 0 && before.usmblks >= before.arena);
  char* const large = malloc(size);
  large[size / 2] = 1;
  const struct mallinfo2 with = mallinfo2();
  // What was there already may serve a part of it.
  EXPECT(with.arena + with.hblkhd >= before.arena + before.hblkhd + size / 2);
  EXPECT(with.usmblks >= with.arena + with.hblkhd);
  free(large);
  const struct mallinfo2 after = mallinfo2();
  EXPECT(after.usmblks == with.usmblks && "the peak stays");
  const int trimmed = malloc_trim(0);
  EXPECT(trimmed == 0 || trimmed == 1);
  EXPECT(mallinfo2().arena <= after.arena);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  EXPECT((size_t)(unsigned)mallinfo().usmblks == after.usmblks);
#pragma GCC diagnostic pop
  EXPECT(mallopt(M_MMAP_THRESHOLD, 1 << 20) == 1);

  char* const xml = text_of_malloc_info();
  EXPECT(strncmp(xml, "<malloc version=\"1\">", 20) == 0);
  EXPECT(strstr(xml, getenv("STRATA_EXPECT")) != NULL);
  char wanted[100];
  snprintf(wanted, sizeof wanted, "<system type=\"max\" size=\"%zu\"/>", mallinfo2().usmblks);
  EXPECT(strstr(xml, wanted) != NULL);
  free(xml);

  char stats[200];
  text_of_malloc_stats(stats, sizeof stats);
  snprintf(wanted, sizeof wanted, "%zu at most", mallinfo2().usmblks);
  EXPECT(strstr(stats, wanted) != NULL);
  free(small);
  return expect_status();
}
