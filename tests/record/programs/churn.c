/* Allocates and frees blocks of random sizes until told to stop: churn EVENTS writes "done", churn 0 runs for ever. Says how far it is in
   a file: every thousandth event its number is stored in the mapped file named by the second argument. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { window = 4096 };

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const uint64_t events = strtoull(argv[1], NULL, 10);
  const int file = open(argv[2], O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, 8) != 0) return 3;
  volatile uint64_t* progress = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (progress == MAP_FAILED) return 4;
  static void* blocks[window];
  uint64_t state = 1;
  for (uint64_t done = 0; events == 0 || done < events; done += 2) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    void** block = &blocks[state >> 33 & (window - 1)];
    free(*block);
    *block = malloc(16 + (state >> 45) % 5000);
    if (!*block) return 5;
    if (done % 1000 == 0) *progress = done;
  }
  puts("done");
  return 0;
}
