/// What a program does for a while: how it asks, how much it keeps, and in which order it frees.
///
/// Phases are drawn at random, from the kind to the single size, so that a heap that has grown under one of them meets
/// another. Most of what they ask for is small, as in programs; some of it is chosen to hurt: powers of two and what
/// is beside them, the sizes at which heaps change their ways, blocks that grow bit by bit.
#pragma once

#include "library/conformance/subject.hpp"
#include "library/stress/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace strata::stress {

enum class Order : std::uint8_t { newest, oldest, any, every_other };

/// How far phases may go, for what the heap can bear.
struct Limits {
  std::size_t most_blocks;
  std::size_t most_bytes;
  std::size_t largest;
  std::size_t only_size;
  /// Every page that is asked for is a fresh one.
  bool never_reuses;
};

Limits limits_for(const conformance::Traits& traits);

struct Phase {
  std::size_t operations;
  std::size_t most_blocks;
  std::size_t most_bytes;
  /// Asks until there are most_blocks, frees until there are `fewest_blocks`, and so on; else as chance has it.
  bool bursts;
  std::size_t fewest_blocks;
  Order order;
  /// Of 256 operations: how many ask, outside bursts, and how many change a block.
  std::size_t asks;
  std::size_t changes;
  /// Of 256 requests.
  std::size_t aligned;
  std::size_t zeroed;
  /// Drawn beforehand, as they come.
  std::array<std::uint32_t, 1024> sizes;
};

/// Short enough for several of them in so many operations.
Phase draw_phase(Random& random, const Limits& limits, std::size_t operations);

}  // namespace strata::stress
