/// The system calls of the platform layer, counted and able to fail. The tests are linked with -Wl,--wrap=..., so
/// that the headers' own calls arrive here, and those of libc and the sanitizers do not.

#include "library/conformance/supply.hpp"

#include <strata/platform/arithmetic.hpp>

#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>

namespace strata::conformance {

Supply& the_system() {
  static Supply supply;
  return supply;
}

namespace {

std::mutex& account() {
  static std::mutex mutex;
  return mutex;
}

bool refused() {
  const std::scoped_lock lock(account());
  if (the_system().admit()) return false;
  errno = ENOMEM;
  return true;
}

// The caller holds the account.

void took(const void* begin, std::size_t bytes, bool merge) {
  const std::uintptr_t first = address_of(begin);
  if (merge) {
    the_system().stretches().extend(first, first + bytes);
  } else {
    the_system().stretches().add(first, first + bytes);
  }
  the_system().note_peak();
}

void gave(const void* begin, std::size_t bytes) {
  if (!the_system().stretches().remove(address_of(begin), address_of(begin) + bytes)) {
    the_system().complain("gave memory back to the system that it did not have");
  }
}

/// In place or elsewhere, longer or shorter.
void resized(std::byte* before, std::size_t from, std::byte* now, std::size_t to) {
  if (now != before) {
    gave(before, from);
    took(now, to, false);
  } else if (to > from) {
    took(now + from, to - from, true);
  } else {
    gave(now + to, from - to);
  }
}

}  // namespace
}  // namespace strata::conformance

using namespace strata::conformance;

extern "C" {

void* __real_mmap(void*, std::size_t, int, int, int, off_t);
int __real_munmap(void*, std::size_t);
void* __real_mremap(void*, std::size_t, std::size_t, int);
void* __real_sbrk(std::intptr_t);

void* __wrap_mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if (refused()) return MAP_FAILED;
  void* const pages = __real_mmap(at, bytes, protection, flags, file, offset);
  if (pages == MAP_FAILED) return pages;
  const std::scoped_lock lock(account());
  took(pages, bytes, false);
  return pages;
}

int __wrap_munmap(void* pages, std::size_t bytes) {
  {
    const std::scoped_lock lock(account());
    gave(pages, bytes);
  }
  return __real_munmap(pages, bytes);
}

// Under the account's lock, as another thread may be given the pages that this one leaves.
void* __wrap_mremap(void* pages, std::size_t from, std::size_t to, int flags) {
  if (to > from && refused()) return MAP_FAILED;
  const std::scoped_lock lock(account());
  void* const now = __real_mremap(pages, from, to, flags);
  if (now != MAP_FAILED) resized(static_cast<std::byte*>(pages), from, static_cast<std::byte*>(now), to);
  return now;
}

void* __wrap_sbrk(std::intptr_t bytes) {
  if (bytes > 0 && refused()) return reinterpret_cast<void*>(-1);
  void* const before = __real_sbrk(bytes);
  if (before == reinterpret_cast<void*>(-1)) return before;
  const std::scoped_lock lock(account());
  if (bytes > 0) took(before, static_cast<std::size_t>(bytes), true);
  if (bytes < 0) gave(static_cast<std::byte*>(before) + bytes, static_cast<std::size_t>(-bytes));
  return before;
}
}
