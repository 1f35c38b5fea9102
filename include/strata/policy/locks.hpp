/// The locks that a LockedHeap can be given.
///
/// NoLock      for a heap that one thread uses: nothing is left of it.
/// Mutex       a futex with an owner: spins briefly, then sleeps. Never allocates, never throws.
/// ElidedLock  a Mutex that is taken only while the process has a second thread: a load and a
/// branch before.
#pragma once

#include <strata/contract/lock.hpp>
#include <strata/platform/attributes.hpp>
#include <strata/platform/threads.hpp>

#include <atomic>
#include <cstdint>

namespace strata {

struct NoLock {
  static constexpr bool elided() { return true; }
  static constexpr void lock() {}
  static constexpr void unlock() {}
  static constexpr void before_fork() {}
  static constexpr void after_fork_in_parent() {}
  static constexpr void after_fork_in_child() {}
};

class Mutex {
 public:
  static constexpr bool elided() { return false; }

  void lock() {
    std::uint32_t expected = free_;
    if (!state_.compare_exchange_strong(expected, held_, std::memory_order_acquire)) wait();
    owner_.store(this_thread(), std::memory_order_relaxed);
  }

  void unlock() {
    owner_.store(0, std::memory_order_relaxed);
    if (state_.exchange(free_, std::memory_order_release) == contended_) futex_wake_one(state_);
  }

  /// A fork from inside the lock (a signal handler that interrupted malloc) finds this thread its owner.
  void before_fork() {
    if (owner_.load(std::memory_order_relaxed) == this_thread()) return;
    lock();
    held_for_fork_ = true;
  }

  void after_fork_in_parent() {
    if (!held_for_fork_) return;
    held_for_fork_ = false;
    unlock();
  }

  /// The threads that waited do not exist here: a waiter's mark is dropped, not woken.
  void after_fork_in_child() {
    state_.store(held_for_fork_ ? free_ : held_, std::memory_order_relaxed);
    if (held_for_fork_) owner_.store(0, std::memory_order_relaxed);
    held_for_fork_ = false;
  }

 private:
  static constexpr std::uint32_t free_ = 0, held_ = 1, contended_ = 2;

  STRATA_COLD void wait() {
    for (int spins = 0; spins < 100; ++spins) {
      std::uint32_t expected = free_;
      if (state_.load(std::memory_order_relaxed) == free_ &&
          state_.compare_exchange_strong(expected, held_, std::memory_order_acquire)) {
        return;
      }
      spin_pause();
    }
    while (state_.exchange(contended_, std::memory_order_acquire) != free_) {
      futex_wait(state_, contended_);
    }
  }

  std::atomic<std::uint32_t> state_{free_};
  bool held_for_fork_ = false;
  std::atomic<std::uintptr_t> owner_{0};
};

class ElidedLock : public Mutex {
 public:
  static bool elided() { return single_threaded(); }
};

static_assert(Lock<NoLock> && Lock<Mutex> && Lock<ElidedLock>);

}  // namespace strata
