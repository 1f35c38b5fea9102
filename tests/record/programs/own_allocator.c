/* Touches a lot of memory that it maps itself. */
#include <string.h>
#include <sys/mman.h>

int main(void) {
  const size_t bytes = 128 << 20;
  void* memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  memset(memory, 1, bytes);
  return 0;
}
