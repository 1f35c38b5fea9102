/// ElidedLock, in a process of its own: what it does before the first thread can be seen only once.

#include <strata/contract/heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/policy/locks.hpp>
#include <strata/source/malloc_heap.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>

namespace strata {
namespace {

int locks_taken = 0;

struct CountingLock : ElidedLock {
  void lock() {
    ElidedLock::lock();
    ++locks_taken;
  }
};
static_assert(Lock<CountingLock>);

TEST(ElidedLock, IsTakenFromTheFirstThreadOn) {
  LockedHeap<CountingLock, MallocHeap> heap;
  // A sanitizer may have a thread of its own.
  const bool alone = single_threaded();
  heap.free(heap.malloc(100));
  EXPECT_EQ(locks_taken, alone ? 0 : 2);

  locks_taken = 0;
  std::thread([&] { heap.free(heap.malloc(100)); }).join();
  EXPECT_EQ(locks_taken, 2);
}

/// The fork hooks hold the lock even when it is elided otherwise.
TEST(ElidedLock, IsTakenForAFork) {
  ElidedLock lock;
  lock.before_fork();
  lock.after_fork_in_parent();
  lock.lock();
  lock.unlock();
}

}  // namespace
}  // namespace strata
