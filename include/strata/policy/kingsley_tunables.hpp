/// The tunables of KingsleyHeap.
#pragma once

#include <strata/platform/arithmetic.hpp>
#include <strata/policy/tunable.hpp>

#include <array>
#include <cstddef>

namespace strata {

struct KingsleyTunables {
  /// Bytes that are taken from the source at a time, to cut blocks from; a block above an eighth of it is
  /// taken by itself.
  std::size_t chunk = 64 * KiB;
  /// Bytes that the source takes from the OS at a time.
  std::size_t growth = 128 * KiB;
  /// Size classes from each power of two to the next; 1 is Kingsley's own.
  std::size_t steps = 1;

  static constexpr std::array<Tunable, 3> describe() {
    return {{
        {"chunk", KingsleyTunables{}.chunk, 4 * KiB, 1 * MiB, TunableStep::power_of_two,
         "bytes that blocks are cut from at a time"},
        {"growth", KingsleyTunables{}.growth, 4 * KiB, 64 * MiB, TunableStep::power_of_two,
         "bytes that the source takes from the OS at a time"},
        {"steps", KingsleyTunables{}.steps, 1, 16, TunableStep::power_of_two,
         "size classes from each power of two to the next; 1 is Kingsley's own"},
    }};
  }

  constexpr bool valid() const {
    const auto list = describe();
    return admits(list[0], chunk) && admits(list[1], growth) && admits(list[2], steps);
  }
};

}  // namespace strata
