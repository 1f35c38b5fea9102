/// The end of the data segment. Moving it is not safe against another thread that moves it too,
/// another malloc included: the one heap that uses it holds its own lock, and notices when somebody
/// else moved it.
#pragma once

#include <strata/platform/pages.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace strata {

/// Where the data segment ends now; null if there is none to speak of.
inline std::byte* program_break() {
  const ErrnoKeeper keeper;
  void* const now = ::sbrk(0);
  return now == reinterpret_cast<void*>(-1) ? nullptr : static_cast<std::byte*>(now);
}

/// Moves the break by `bytes`; false if the OS refuses.
inline bool move_program_break(std::intptr_t bytes) {
  const ErrnoKeeper keeper;
  return ::sbrk(bytes) != reinterpret_cast<void*>(-1);
}

}  // namespace strata
