/* A malloc and free pair of one size, COUNT times, in one of three patterns; what is counted is the
 * difference between two COUNTs, so that start-up and the warm-up drop out. lifo     free what was just
 * allocated window   free what was allocated 1000 pairs ago drain    allocate 1000, then free them in the
 * same order empty    the loop of `window` without the calls */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { size = 64, window_length = 1000 };

static void* volatile window[window_length];

static void lifo(long count) {
  for (long i = 0; i < count; ++i) {
    void* volatile block = malloc(size);
    free(block);
  }
}

static void windowed(long count) {
  for (long i = 0, at = 0; i < count; ++i) {
    free(window[at]);
    window[at] = malloc(size);
    if (++at == window_length) at = 0;
  }
}

static void drain(long count) {
  for (long i = 0; i < count; i += window_length) {
    for (int at = 0; at < window_length; ++at) window[at] = malloc(size);
    for (int at = 0; at < window_length; ++at) free(window[at]);
  }
}

static void empty(long count) {
  for (long i = 0, at = 0; i < count; ++i) {
    window[at] = window[at];
    if (++at == window_length) at = 0;
  }
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: pairs lifo|window|drain|empty COUNT\n");
    return 2;
  }
  const long count = atol(argv[2]);
  for (int at = 0; at < window_length; ++at) window[at] = malloc(size);
  if (strcmp(argv[1], "drain") == 0) {
    for (int at = 0; at < window_length; ++at) free(window[at]);
    drain(count);
    return 0;
  }
  if (strcmp(argv[1], "lifo") == 0) {
    lifo(count);
  } else if (strcmp(argv[1], "window") == 0) {
    windowed(count);
  } else if (strcmp(argv[1], "empty") == 0) {
    empty(count);
  } else {
    fprintf(stderr, "pairs: %s: no such pattern\n", argv[1]);
    return 2;
  }
  return 0;
}
