#include "replay/heap_under_test.hpp"

#include <dlfcn.h>
#include <malloc.h>

namespace strata::replay {

HeapUnderTest heap_under_test() {
  HeapUnderTest heap{"", false, 0, 0};
  Dl_info provider;
  void* symbol = dlsym(RTLD_DEFAULT, "malloc");
  if (symbol != nullptr && dladdr(symbol, &provider) != 0) heap.library = provider.dli_fname;
  if (dlsym(RTLD_DEFAULT, "strata_drop_in_name") != nullptr) {
    const struct mallinfo2 info = mallinfo2();
    heap.is_ours = true;
    heap.bytes = info.arena + info.hblkhd;
    heap.peak_bytes = info.usmblks;
  }
  return heap;
}

}  // namespace strata::replay
