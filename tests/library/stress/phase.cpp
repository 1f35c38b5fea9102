#include "library/stress/phase.hpp"

#include "library/stress/live_table.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <iterator>

namespace strata::stress {

namespace {

template <class T, std::size_t N>
T one_of(Random& random, const T (&choices)[N]) {
  return choices[random.below(N)];
}

std::size_t tiny(Random& random) {
  return 1 + random.below(64);
}

std::size_t small(Random& random) {
  return 1 + random.below(std::size_t{1} << (3 + random.below(8)));
}

std::size_t medium(Random& random) {
  return random.magnitude(6, 12);
}

/// Up to a MiB.
std::size_t large(Random& random) {
  return random.magnitude(13, 19);
}

std::size_t beside(Random& random, std::size_t size) {
  static constexpr int distances[] = {-24, -17, -16, -9, -8, -7, -1, 0, 0, 1, 7, 8, 9, 16, 17, 24};
  const auto beside = static_cast<std::ptrdiff_t>(size) + one_of(random, distances);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(beside, 1));
}

std::size_t near_power(Random& random) {
  return beside(random, std::size_t{1} << (4 + random.below(11)));
}

/// Where heaps change their ways: quick lists, bins, pages, chunks, the top, mappings.
std::size_t near_threshold(Random& random) {
  static constexpr std::size_t small_ones[] = {64, 72, 128, 256, 512, 1024, 4 * KiB, 8 * KiB};
  static constexpr std::size_t large_ones[] = {16 * KiB, 32 * KiB, 64 * KiB, 128 * KiB, 128 * KiB, 256 * KiB};
  return beside(random, random.once_in(40) ? one_of(random, large_ones) : one_of(random, small_ones));
}

using Mixture = std::size_t (*)(Random&);
constexpr Mixture mixtures[] = {tiny, tiny, small, small, small, medium, near_power, near_threshold};

void draw_sizes(Random& random, const Limits& limits, Phase& phase) {
  const Mixture mainly = one_of(random, mixtures);
  const Mixture besides = one_of(random, mixtures);
  for (std::uint32_t& size : phase.sizes) {
    size = static_cast<std::uint32_t>(random.once_in(8) ? besides(random) : mainly(random));
  }
  // A program has a few types of object, and makes many of each.
  if (random.once_in(3)) {
    const std::size_t kinds = 1 + random.below(8);
    for (std::size_t i = kinds; i < phase.sizes.size(); ++i)
      phase.sizes[i] = phase.sizes[random.below(kinds)];
  }
  for (std::size_t i = random.below(4); i > 0; --i) {
    phase.sizes[random.below(phase.sizes.size())] = static_cast<std::uint32_t>(large(random));
  }
  for (std::uint32_t& size : phase.sizes) {
    const std::size_t most =
        limits.only_size != 0 ? limits.only_size : std::min<std::size_t>(size, limits.largest);
    size = static_cast<std::uint32_t>(most);
  }
}

/// Now and then a phase of large blocks, which cost system calls and page faults: a short one.
void make_large(Random& random, const Limits& limits, Phase& phase) {
  phase.operations = phase.operations / 32 + 1;
  for (std::uint32_t& size : phase.sizes) {
    size = static_cast<std::uint32_t>(
        std::min(random.once_in(2) ? large(random) : medium(random), limits.largest));
  }
}

/// A heap that never reuses memory would spend the time in the system's page faults.
void make_small(Random& random, Phase& phase) {
  for (std::uint32_t& size : phase.sizes) {
    if (size > 256 && !random.once_in(32)) size = 1 + size % 256;
  }
}

}  // namespace

Limits limits_for(const conformance::Traits& traits) {
  return {.most_blocks = LiveTable::most,
          .most_bytes = std::min(64 * MiB, 16 * traits.largest),
          .largest = std::min(1 * MiB, traits.largest / 4),
          .only_size = traits.only_size,
          .never_reuses = !traits.reuses};
}

Phase draw_phase(Random& random, const Limits& limits, std::size_t operations) {
  Phase phase{};
  const std::size_t longest = std::clamp<std::size_t>(operations / 16, 512, 128 * KiB);
  phase.operations = random.magnitude(8, log2_floor(longest) - 1);
  phase.most_blocks = std::min(random.magnitude(1, random.once_in(8) ? 15 : 12), limits.most_blocks);
  phase.most_bytes = std::min(random.magnitude(14, random.once_in(8) ? 25 : 22), limits.most_bytes);
  phase.bursts = random.once_in(3);
  phase.fewest_blocks = phase.most_blocks / (2 + random.below(16));
  static constexpr Order orders[] = {Order::newest, Order::oldest, Order::any, Order::any,
                                     Order::every_other};
  phase.order = one_of(random, orders);
  static constexpr std::size_t asks[] = {60, 110, 128, 128, 128, 140, 190};
  phase.asks = one_of(random, asks);
  static constexpr std::size_t seldom[] = {0, 1, 4, 4, 16, 48};
  phase.changes = one_of(random, seldom);
  phase.aligned = one_of(random, seldom);
  phase.zeroed = one_of(random, seldom);
  draw_sizes(random, limits, phase);
  if (limits.only_size == 0 && random.once_in(8)) make_large(random, limits, phase);
  if (limits.never_reuses && limits.only_size == 0) make_small(random, phase);
  return phase;
}

}  // namespace strata::stress
