/// The Mutex: excludes, wakes who sleeps, and survives a fork from wherever it comes.

#include <strata/contract/heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/policy/locks.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <thread>

namespace strata {
namespace {

using std::chrono::milliseconds;

/// Whether another thread gets the lock while this one does not let go.
bool another_gets(Mutex& mutex) {
  std::atomic<bool> got = false;
  std::thread other([&] {
    mutex.lock();
    got.store(true);
    mutex.unlock();
  });
  for (int i = 0; i < 20 && !got.load(); ++i) std::this_thread::sleep_for(milliseconds(1));
  const bool early = got.load();
  if (!early) mutex.unlock();
  other.join();
  return early;
}

/// Runs `body` in a child and tells whether it said true. One that hangs is ended by the alarm.
template <class Body>
bool in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool works(Mutex& mutex) {
  mutex.lock();
  mutex.unlock();
  mutex.lock();
  mutex.unlock();
  return true;
}

TEST(Mutex, CountsRightUnderContention) {
  Mutex mutex;
  long count = 0;
  std::array<std::thread, 4> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int n = 0; n < 20000; ++n) {
        mutex.lock();
        ++count;
        mutex.unlock();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 80000);
}

TEST(Mutex, WakesEveryoneWhoWentToSleep) {
  Mutex mutex;
  int through = 0;
  mutex.lock();
  std::array<std::thread, 6> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      mutex.lock();
      ++through;
      std::this_thread::sleep_for(milliseconds(2));  // so that the next one sleeps again
      mutex.unlock();
    });
  }
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_EQ(through, 0);
  mutex.unlock();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(through, 6);
}

TEST(Mutex, ForkHooksHoldItOverAFork) {
  Mutex mutex;
  mutex.before_fork();
  EXPECT_TRUE(in_child([&] {
    mutex.after_fork_in_child();
    return works(mutex);
  }));
  mutex.after_fork_in_parent();
  EXPECT_TRUE(works(mutex));
  mutex.before_fork();
  EXPECT_FALSE(another_gets(mutex));
}

TEST(Mutex, ForkFromInsideLeavesItHeldOnBothSides) {
  Mutex mutex;
  mutex.lock();
  mutex.before_fork();  // would wait for itself, did it not know its owner
  EXPECT_TRUE(in_child([&] {
    mutex.after_fork_in_child();
    // Held by this thread still: another fork from inside must find it so.
    mutex.before_fork();
    mutex.after_fork_in_parent();
    mutex.unlock();
    return works(mutex);
  }));
  mutex.after_fork_in_parent();
  EXPECT_FALSE(another_gets(mutex)) << "a fork from inside released the lock";
  EXPECT_TRUE(works(mutex));
}

TEST(Mutex, ForkWithinAForkIsCounted) {
  Mutex mutex;
  mutex.before_fork();
  mutex.before_fork();
  EXPECT_TRUE(in_child([&] {
    mutex.after_fork_in_child();
    mutex.after_fork_in_parent();
    return works(mutex);
  }));
  mutex.after_fork_in_parent();
  EXPECT_FALSE(another_gets(mutex)) << "the inner fork released the lock";
}

/// Waiters do not exist in the child: their mark must not make it wake, or wait for, anybody.
TEST(Mutex, ForkWhileOthersWait) {
  Mutex mutex;
  mutex.before_fork();
  std::atomic<int> through = 0;
  std::array<std::thread, 3> waiting;
  for (std::thread& thread : waiting) {
    thread = std::thread([&] {
      mutex.lock();
      ++through;
      mutex.unlock();
    });
  }
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_TRUE(in_child([&] {
    mutex.after_fork_in_child();
    return works(mutex) && through.load() == 0;
  }));
  mutex.after_fork_in_parent();
  for (std::thread& thread : waiting) thread.join();
  EXPECT_EQ(through.load(), 3);
}

/// Forks whenever it is asked for memory, as a signal handler that interrupted malloc might.
class ForkingHeap {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  void* malloc(std::size_t size) {
    if (on_fork != nullptr) on_fork(*this);
    return std::malloc(size);
  }
  void free(void* block) { std::free(block); }

  void (*on_fork)(ForkingHeap&) = nullptr;
};

using Interrupted = LockedHeap<Mutex, ForkingHeap>;

TEST(LockedHeap, ForkFromInsideItsOwnPath) {
  static bool child_worked;
  child_worked = false;
  Interrupted heap;
  heap.on_fork = [](ForkingHeap& inner) {
    inner.on_fork = nullptr;
    auto& whole = static_cast<Interrupted&>(inner);
    whole.before_fork();
    // The child ends inside the interrupted operation, which goes on in both; so it only forks once more.
    child_worked = in_child([&] {
      whole.after_fork_in_child();
      whole.before_fork();
      whole.after_fork_in_parent();
      return true;
    });
    whole.after_fork_in_parent();
  };
  void* const block = heap.malloc(100);
  EXPECT_NE(block, nullptr);
  EXPECT_TRUE(child_worked);
  std::thread([&] { heap.free(heap.malloc(50)); }).join();
  heap.free(block);
}

TEST(NoLock, IsNothing) {
  static_assert(NoLock::elided());
  static_assert(sizeof(LockedHeap<NoLock, ForkingHeap>) <= sizeof(ForkingHeap) + alignof(ForkingHeap));
}

}  // namespace
}  // namespace strata
