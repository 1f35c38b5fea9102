/// Random operations on a heap through the shadow model, repeatable by their seed. The suite and the stress program
/// run these.
#pragma once

#include "library/conformance/shadow.hpp"
#include "library/conformance/subject.hpp"
#include "library/conformance/violations.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace strata::conformance {

/// Every kind of size: the smallest, odd ones, powers of two and their neighbours, pages, large ones; as far as
/// the heap serves them.
std::vector<std::size_t> telling_sizes(const Traits& traits);

struct Load {
  std::uint64_t seed = 1;
  std::size_t operations = 2000;
  std::size_t most_blocks = 200;
  /// Blocks in use at a time, in bytes.
  std::size_t most_bytes = std::size_t{8} << 20;
  std::size_t largest = std::size_t{256} << 10;
  /// Whether a request may fail.
  bool may_fail = false;
};

/// Fits a load to what a heap can bear.
Load fit(Load load, const Traits& traits);

class Workload {
 public:
  Workload(Subject& subject, Violations& violations, const Load& load)
      : subject_(subject),
        violations_(violations),
        load_(load),
        shadow_(subject, violations),
        random_(load.seed) {}

  void step();
  /// All steps of the load.
  void run();
  Shadow& shadow() { return shadow_; }

 private:
  std::size_t pick_size();
  void* pick_block();
  std::size_t below(std::size_t n) { return random_() % n; }
  void ask();
  void change();

  Subject& subject_;
  Violations& violations_;
  const Load load_;
  Shadow shadow_;
  std::mt19937_64 random_;
};

/// Runs a load and frees everything.
void run(Subject& subject, Violations& violations, const Load& load);

}  // namespace strata::conformance
