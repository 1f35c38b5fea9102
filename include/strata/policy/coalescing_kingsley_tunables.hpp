/// The tunables of CoalescingKingsleyHeap.
#pragma once

#include <strata/platform/arithmetic.hpp>
#include <strata/policy/tunable.hpp>

#include <array>
#include <cstddef>

namespace strata {

struct CoalescingKingsleyTunables {
  /// Free blocks of a request's own power of two that are looked at for one that is large enough.
  std::size_t scan = 16;
  /// Bytes that the top is moved by at a time.
  std::size_t growth = 128 * KiB;

  static constexpr std::array<Tunable, 2> describe() {
    constexpr CoalescingKingsleyTunables standard{};
    return {{
        {"scan", standard.scan, 1, 1024, TunableStep::power_of_two,
         "free blocks of a request's power of two that are looked at"},
        {"growth", standard.growth, 4 * KiB, 64 * MiB, TunableStep::power_of_two,
         "bytes that the top is moved by at a time"},
    }};
  }

  constexpr bool valid() const {
    const auto list = describe();
    return admits(list[0], scan) && admits(list[1], growth);
  }
};

}  // namespace strata
