/// How much is live, and the most that ever was.
/// Needs:      a died() for every born() at most.
/// Guarantees: exact.
/// Threads:    one at a time.
/// Cost:       a few additions.
#pragma once

#include <algorithm>
#include <cstdint>

namespace strata::trace {

struct LiveTotals {
  std::uint64_t bytes = 0;
  std::uint64_t objects = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t peak_objects = 0;

  void born(std::uint64_t size) {
    peak_bytes = std::max(peak_bytes, bytes += size);
    peak_objects = std::max(peak_objects, ++objects);
  }
  void died(std::uint64_t size) {
    bytes -= size;
    --objects;
  }
};

}  // namespace strata::trace
