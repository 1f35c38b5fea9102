// A project that has nothing but the installed headers: composes a heap, uses a finished one.
#include <strata/heap/kingsley_heap.hpp>
#include <strata/layer/freelist_heap.hpp>
#include <strata/source/malloc_heap.hpp>
#include <strata/source/mmap_heap.hpp>

#include <cstring>

int main() {
  strata::FreelistHeap<strata::MallocHeap> pool;
  void* const first = pool.malloc(32);
  pool.free(first);
  if (pool.malloc(32) != first) return 1;
  pool.free(first);

  strata::KingsleyHeap<{}, strata::MmapHeap> heap;
  char* const text = static_cast<char*>(heap.malloc(6));
  std::strcpy(text, "hello");
  return std::strcmp(text, "hello") == 0 && heap.usable_size(text) >= 6 ? 0 : 1;
}
