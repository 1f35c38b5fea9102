/// Races on purpose: a heap behind a lock that is none, used by two threads. ThreadSanitizer must say so, or else its
/// silence about the real locks means nothing.

#include <strata/layer/chunk_heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/policy/locks.hpp>
#include <strata/source/mmap_heap.hpp>

#include <thread>

int main() {
  strata::LockedHeap<strata::NoLock, strata::ChunkHeap<64 * strata::KiB, strata::MmapHeap>> heap;
  const auto work = [&heap] {
    for (int i = 0; i < 1000; ++i) heap.malloc(8);
  };
  heap.malloc(8);
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}
