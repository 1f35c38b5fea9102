/// The locks that a LockedHeap can be given.
///
/// NoLock      for a heap that one thread uses: nothing is left of it.
/// Mutex       a futex with an owner: spins briefly, then sleeps. Never allocates, never throws.
/// ElidedLock  a Mutex that is taken only while the process has a second thread: a load and a branch before.
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

/// The lock is one word, its owner's, so that it is never held by nobody: a signal handler that interrupts
/// lock() or unlock() and forks can tell whether this very thread holds it.
class Mutex {
 public:
  static constexpr bool elided() { return false; }

  void lock() {
    if (!try_lock(this_thread())) wait();
  }

  void unlock() {
    if ((state_.exchange(free_, std::memory_order_release) & contended_) != 0) futex_wake_one(state_);
  }

  /// A fork from inside the lock (a signal handler that interrupted malloc) finds this thread its owner; one
  /// from inside another fork finds it held for that.
  void before_fork() {
    const bool ours = (state_.load(std::memory_order_relaxed) & ~contended_) == this_thread();
    if (!ours) lock();
    if (!ours || forks_ != 0) ++forks_;
  }

  void after_fork_in_parent() {
    if (forks_ == 0) return;
    --forks_;
    if (forks_ == 0) unlock();
  }

  /// The threads that waited do not exist here: their mark is dropped, and nobody is woken.
  void after_fork_in_child() {
    const bool inside = forks_ == 0;
    if (!inside) --forks_;
    state_.store(inside || forks_ != 0 ? this_thread() : free_, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uintptr_t free_ = 0, contended_ = 1;

  bool try_lock(std::uintptr_t owner) {
    std::uintptr_t expected = free_;
    return state_.compare_exchange_strong(expected, owner, std::memory_order_acquire);
  }

  STRATA_COLD void wait() {
    for (int spins = 0; spins < 100; ++spins) {
      if (state_.load(std::memory_order_relaxed) == free_ && try_lock(this_thread())) return;
      spin_pause();
    }
    while (!try_lock(this_thread() | contended_)) {
      std::uintptr_t held = state_.load(std::memory_order_relaxed);
      if (held == free_) continue;
      if ((held & contended_) != 0 || state_.compare_exchange_strong(held, held | contended_)) {
        futex_wait(state_, held | contended_);
      }
    }
  }

  std::atomic<std::uintptr_t> state_{free_};
  unsigned forks_ = 0;
};

class ElidedLock : public Mutex {
 public:
  static bool elided() { return single_threaded(); }
};

static_assert(Lock<NoLock> && Lock<Mutex> && Lock<ElidedLock>);

}  // namespace strata
