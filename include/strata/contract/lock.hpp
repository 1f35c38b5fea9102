/// A lock as LockedHeap uses it.
#pragma once

#include <concepts>

namespace strata {

/// `elided()` tells, at a load's cost, that nobody else can be there: the operation then runs without the
/// lock and without looking again, so that what it did not take it cannot release, whatever has happened in
/// between. The fork hooks take the lock unless this very thread holds it, release it in the parent, and
/// reset it in the child, where no other thread is left to release it.
template <class L>
concept Lock = requires(L& lock) {
  { lock.elided() } -> std::same_as<bool>;
  { lock.lock() } -> std::same_as<void>;
  { lock.unlock() } -> std::same_as<void>;
  { lock.before_fork() } -> std::same_as<void>;
  { lock.after_fork_in_parent() } -> std::same_as<void>;
  { lock.after_fork_in_child() } -> std::same_as<void>;
};

}  // namespace strata
