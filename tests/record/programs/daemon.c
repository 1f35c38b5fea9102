/* Leaves a process behind that allocates now and then for ten seconds, and ends itself as soon as that one has begun. */
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int started[2];
  char byte = 0;
  if (pipe(started) != 0) return 1;
  if (fork() != 0) return read(started[0], &byte, 1) == 1 ? 3 : 2;
  free(malloc(60001));
  if (write(started[1], &byte, 1) != 1) return 4;
  for (int i = 0; i < 1000; ++i) {
    free(malloc(60001));
    usleep(10000);
  }
  return 0;
}
