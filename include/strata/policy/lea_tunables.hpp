/// The tunables of LeaHeap.
#pragma once

#include <strata/platform/arithmetic.hpp>
#include <strata/policy/tunable.hpp>

#include <array>
#include <cstddef>

namespace strata {

struct LeaTunables {
  /// Largest object that is kept in a quick list when it is freed, and not coalesced at once.
  std::size_t quick = 64;
  /// Bytes that the quick lists may hold before all that is in them is coalesced.
  std::size_t hold = 1 * MiB;
  /// A request of so many bytes has all that the quick lists hold coalesced first.
  std::size_t flush_from = 64 * KiB;
  /// Bins from each power of two to the next, for free blocks; below 32 times that many bytes, one for every 16.
  std::size_t steps = 16;
  /// Free blocks of the class below a request's that are looked at for one that is large enough.
  std::size_t scan = 4;
  /// Objects from here on are mappings of their own.
  std::size_t mmap_threshold = 128 * KiB;
  /// How far a freed mapping may raise that; at mmap_threshold or below, nothing does.
  std::size_t mmap_limit = 32 * MiB;
  /// Bytes that the top is moved by at a time.
  std::size_t growth = 128 * KiB;

  static constexpr std::array<Tunable, 8> describe() {
    constexpr LeaTunables standard{};
    return {{
        {"quick", standard.quick, 16, 1024, TunableStep::any,
         "largest object that is not coalesced when it is freed"},
        {"hold", standard.hold, 4 * KiB, 64 * MiB, TunableStep::power_of_two,
         "bytes of such objects that are kept before all are coalesced"},
        {"flush_from", standard.flush_from, 1 * KiB, 1 * MiB, TunableStep::power_of_two,
         "a request of so many bytes has them coalesced first"},
        {"steps", standard.steps, 1, 64, TunableStep::power_of_two,
         "bins for free blocks from each power of two to the next"},
        {"scan", standard.scan, 1, 1024, TunableStep::power_of_two,
         "free blocks of the class below a request's that are looked at"},
        {"mmap_threshold", standard.mmap_threshold, 16 * KiB, 32 * MiB, TunableStep::power_of_two,
         "objects from here on are mappings of their own"},
        {"mmap_limit", standard.mmap_limit, 16 * KiB, 1024 * MiB, TunableStep::power_of_two,
         "how far a freed mapping may raise that"},
        {"growth", standard.growth, 4 * KiB, 64 * MiB, TunableStep::power_of_two,
         "bytes that the top is moved by at a time"},
    }};
  }

  constexpr bool valid() const {
    const auto list = describe();
    return admits(list[0], quick) && admits(list[1], hold) && admits(list[2], flush_from) &&
           admits(list[3], steps) && admits(list[4], scan) && admits(list[5], mmap_threshold) &&
           admits(list[6], mmap_limit) && admits(list[7], growth);
  }
};

}  // namespace strata
