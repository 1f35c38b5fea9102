/// The tunables of BumpHeap.
#pragma once

#include <strata/platform/arithmetic.hpp>
#include <strata/policy/tunable.hpp>

#include <array>
#include <cstddef>

namespace strata {

struct BumpTunables {
  /// Bytes that are taken from the OS at a time.
  std::size_t chunk = 1 * MiB;

  static constexpr std::array<Tunable, 1> describe() {
    return {{{"chunk", BumpTunables{}.chunk, 4 * KiB, 64 * MiB, TunableStep::power_of_two,
              "bytes that are taken from the OS at a time"}}};
  }

  constexpr bool valid() const { return admits(describe()[0], chunk); }
};

}  // namespace strata
