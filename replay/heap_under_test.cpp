#include "replay/heap_under_test.hpp"

#include <dlfcn.h>
#include <malloc.h>

#include <cstdlib>

/// Every drop-in of ours exports its name. Weak, because looking for a symbol that is not there would allocate.
extern "C" [[gnu::weak]] const char strata_drop_in_name[];

namespace strata::replay {

HeapUnderTest heap_under_test() {
  HeapUnderTest heap{"", false, 0, 0};
  Dl_info provider;
  if (dladdr(reinterpret_cast<void*>(&std::malloc), &provider) != 0) heap.library = provider.dli_fname;
  if (strata_drop_in_name != nullptr) {
    const struct mallinfo2 info = mallinfo2();
    heap.is_ours = true;
    heap.bytes = info.arena + info.hblkhd;
    heap.peak_bytes = info.usmblks;
  }
  return heap;
}

}  // namespace strata::replay
