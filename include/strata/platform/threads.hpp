/// Who is running, and whether anybody else is.
#pragma once

#include <strata/platform/pages.hpp>

#include <linux/futex.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdint>

namespace strata {

/// True while the process has one thread, as far as libc knows: a load. It may turn false at any
/// call to pthread_create, and true again later.
inline bool single_threaded() {
  return __libc_single_threaded != 0;
}

/// Tells the running thread from every other one that lives, without a system call or a
/// thread_local.
inline std::uintptr_t this_thread() {
  return reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
}

/// The kernel waits on 32 bits: the low half of our words, which is where they begin.
static_assert(std::endian::native == std::endian::little);

/// Sleeps while the low half of `word` is that of `expected`; may wake early.
inline void futex_wait(std::atomic<std::uintptr_t>& word, std::uintptr_t expected) {
  const ErrnoKeeper keeper;
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, static_cast<std::uint32_t>(expected), nullptr, nullptr, 0);
}

inline void futex_wake_one(std::atomic<std::uintptr_t>& word) {
  const ErrnoKeeper keeper;
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

/// Lets a sibling hardware thread run while this one spins.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace strata
