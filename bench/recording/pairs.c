/* A bare loop of malloc(64) and free: what an event costs. Prints nanoseconds a pair. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char** argv) {
  const long pairs = argc > 1 ? atol(argv[1]) : 20000000;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (long i = 0; i < pairs; ++i) {
    void* volatile block = malloc(64);
    free(block);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double nanoseconds =
      (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
  printf("%.2f\n", nanoseconds / (double)pairs);
  return 0;
}
