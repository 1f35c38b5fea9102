/// Which malloc this process has, and what it tells of itself.
/// Needs:      nothing.
/// Guarantees: tells the heap's own numbers only where they are known to mean what we say (heaps of ours). No malloc.
/// Threads:    one.
/// Cost:       a walk over the loaded libraries.
#pragma once

#include <cstdint>

namespace strata::replay {

struct HeapUnderTest {
  const char* library;       ///< path of the library that provides malloc
  bool is_ours;              ///< the two numbers below are known
  std::uint64_t bytes;       ///< from the system, now
  std::uint64_t peak_bytes;  ///< and at most
};

HeapUnderTest heap_under_test();

}  // namespace strata::replay
