/// Uses heaps of a composition, one after the other, until at least so many operations are done: each for a while, long or
/// short, then emptied or not, and deleted whole, after which its supply must have everything back.
///
/// The heap numbered n in a soak is used as its seed + n has it, so that a failure is repeated by a soak that begins
/// with that seed.
#pragma once

#include "library/conformance/subject.hpp"
#include "library/stress/program.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace strata::stress {

struct Failure {
  /// Of the heap that broke a promise.
  std::uint64_t seed;
  /// Of that heap's operations, from 1; how many were done in all, if by several threads.
  std::size_t operation;
  std::string text;
};

/// Told of the first failure, before the broken heap is deleted; the soak ends with it.
using OnFailure = std::function<void(const Failure&)>;

struct Outcome {
  Tally tally;
  std::size_t heaps = 0;
};

Outcome soak(const conformance::Composition& composition, std::size_t operations, std::uint64_t seed,
             const OnFailure& on_failure);

/// By several threads at a time, which free one another's blocks.
Outcome soak(const conformance::Composition& composition, std::size_t threads, std::size_t operations,
             std::uint64_t seed, const OnFailure& on_failure);

}  // namespace strata::stress
