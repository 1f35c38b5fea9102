/* A malloc and free pair of SIZE bytes, COUNT times, in one of three patterns; what is counted is the difference
 * between two COUNTs, so that start-up and the warm-up drop out.
 *
 *   lifo     free what was just allocated
 *   window   free what was allocated 1000 pairs ago
 *   drain    allocate 1000, then free them in the same order
 *   empty    the loop of `window` without the calls
 *
 * Before, a free block of twice the size is left behind each object of the window, so that a heap that coalesces and
 * splits has to, and a block in use behind them all, so that it is not its top that all of them become a part of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { window_length = 1000 };

static void* volatile window[window_length];
static void* volatile spare[window_length];
static void* volatile last;

static void lifo(size_t size, long count) {
  for (long i = 0; i < count; ++i) {
    void* volatile block = malloc(size);
    free(block);
  }
}

static void windowed(size_t size, long count) {
  for (long i = 0, at = 0; i < count; ++i) {
    free(window[at]);
    window[at] = malloc(size);
    if (++at == window_length) at = 0;
  }
}

static void drain(size_t size, long count) {
  for (int at = 0; at < window_length; ++at) free(window[at]);
  for (long i = 0; i < count; i += window_length) {
    for (int at = 0; at < window_length; ++at) window[at] = malloc(size);
    for (int at = 0; at < window_length; ++at) free(window[at]);
  }
}

static void empty(size_t size, long count) {
  (void)size;
  for (long i = 0, at = 0; i < count; ++i) {
    window[at] = window[at];
    if (++at == window_length) at = 0;
  }
}

static void prepare(size_t size) {
  for (int at = 0; at < window_length; ++at) {
    window[at] = malloc(size);
    spare[at] = malloc(2 * size);
  }
  last = malloc(2 * size);
  for (int at = 0; at < window_length; ++at) free(spare[at]);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(size_t size, long count);
  } patterns[] = {{"lifo", lifo}, {"window", windowed}, {"drain", drain}, {"empty", empty}};

  if (argc != 4) {
    fprintf(stderr, "usage: pairs lifo|window|drain|empty SIZE COUNT\n");
    return 2;
  }
  for (size_t at = 0; at < sizeof patterns / sizeof patterns[0]; ++at) {
    if (strcmp(argv[1], patterns[at].name) != 0) continue;
    const size_t size = strtoul(argv[2], NULL, 10);
    prepare(size);
    patterns[at].run(size, atol(argv[3]));
    return 0;
  }
  fprintf(stderr, "pairs: %s: no such pattern\n", argv[1]);
  return 2;
}
