/// Code-locks a heap: takes a lock, does one operation, releases it (PLDI01 section 3.2).
///
/// Needs:      a lock (policy/locks.hpp) and a heap.
/// Guarantees: every operation, capabilities included, is safe from any thread; the fork hooks hold the lock
///             over a fork so that the child finds the heap whole.
/// Threads:    safe.
/// Cost:       the lock's: an ElidedLock costs a load and a branch while the process has one thread.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/contract/lock.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata {

template <Lock L, class Super>
class LockedHeap : public Super {
  static_assert(Heap<Super>, "LockedHeap needs malloc and free below it");

 public:
  using Super::Super;

  STRATA_INLINE void* malloc(std::size_t size) {
    if (lock_.elided()) [[likely]] {
      return Super::malloc(size);
    }
    return locked_malloc(size);
  }
  STRATA_INLINE void free(void* block) {
    if (lock_.elided()) [[likely]] {
      return Super::free(block);
    }
    locked_free(block);
  }
  std::size_t usable_size(void* block)
    requires HasUsableSize<Super>
  {
    return exclusively([&] { return Super::usable_size(block); });
  }
  void* memalign(std::size_t boundary, std::size_t size)
    requires HasMemalign<Super>
  {
    return exclusively([&] { return Super::memalign(boundary, size); });
  }
  bool try_extend(void* block, std::size_t size)
    requires HasTryExtend<Super>
  {
    return exclusively([&] { return Super::try_extend(block, size); });
  }
  void shrink(void* block, std::size_t size)
    requires HasShrink<Super>
  {
    exclusively([&] { Super::shrink(block, size); });
  }
  void* remap(void* block, std::size_t size)
    requires HasRemap<Super>
  {
    return exclusively([&] { return Super::remap(block, size); });
  }
  bool zeroed(void* block)
    requires HasZeroed<Super>
  {
    return exclusively([&] { return Super::zeroed(block); });
  }
  void* take(std::size_t size)
    requires HasTake<Super>
  {
    return exclusively([&] { return Super::take(size); });
  }
  void remove(void* block)
    requires HasRemove<Super>
  {
    exclusively([&] { Super::remove(block); });
  }
  bool owns(const void* address) const
    requires HasOwns<Super>
  {
    return exclusively([&] { return Super::owns(address); });
  }
  void clear()
    requires HasClear<Super>
  {
    exclusively([&] { Super::clear(); });
  }
  bool trim(std::size_t keep)
    requires HasTrim<Super>
  {
    return exclusively([&] { return Super::trim(keep); });
  }
  Footprint footprint() const
    requires HasFootprint<Super>
  {
    return exclusively([&] { return Super::footprint(); });
  }

  /// Several operations each: AnsiWrapper, above, has them take the lock for one at a time.
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

  void before_fork() { lock_.before_fork(); }
  void after_fork_in_parent() { lock_.after_fork_in_parent(); }
  void after_fork_in_child() { lock_.after_fork_in_child(); }

 private:
  class [[nodiscard]] Guard {
   public:
    explicit Guard(L& lock) : lock_(lock) { lock_.lock(); }
    ~Guard() { lock_.unlock(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    L& lock_;
  };

  template <class Operation>
  auto exclusively(Operation operation) const {
    if (lock_.elided()) return operation();
    const Guard guard(lock_);
    return operation();
  }

  // Out of line, so that the elided path has no register to save for them.
  STRATA_NOINLINE void* locked_malloc(std::size_t size) {
    const Guard guard(lock_);
    return Super::malloc(size);
  }
  STRATA_NOINLINE void locked_free(void* block) {
    const Guard guard(lock_);
    Super::free(block);
  }

  mutable L lock_;
};

}  // namespace strata
