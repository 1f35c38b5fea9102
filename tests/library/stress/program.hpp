/// One thread of a program that uses a heap, phase by phase, through the shadow model. Repeatable by its seed.
#pragma once

#include "library/conformance/subject.hpp"
#include "library/conformance/violations.hpp"
#include "library/stress/fast_shadow.hpp"
#include "library/stress/mailbox.hpp"
#include "library/stress/occupancy.hpp"
#include "library/stress/phase.hpp"
#include "library/stress/random.hpp"

#include <cstddef>
#include <cstdint>

namespace strata::stress {

/// What was done.
struct Tally {
  std::size_t operations = 0;
  std::size_t asked = 0;
  std::size_t freed = 0;
  std::size_t changed = 0;
  std::size_t refused = 0;
  std::size_t most_blocks = 0;
  std::size_t most_bytes = 0;

  void add(const Tally& other);
};

class Program {
 public:
  /// Alone with the heap, or, with a mailbox, one of several threads that hand blocks on.
  Program(Subject& subject, Occupancy& occupancy, Violations& violations, std::uint64_t seed,
          Mailbox* mailbox = nullptr);

  /// About so many operations; fewer if the heap never reuses memory, or has broken a promise.
  void run(std::size_t operations);
  void drain();
  FastShadow& shadow() { return shadow_; }
  const Tally& tally() const { return tally_; }

 private:
  void live_through(const Phase& phase, std::size_t end);
  void step(const Phase& phase);
  void ask(const Phase& phase);
  void change(const Phase& phase);
  bool resize(std::size_t index, std::size_t size);
  void drop(Order order);
  void hand_on();
  void rest();
  void check_account();
  void count(bool served, std::size_t& kind);
  bool exhausted() const;

  Subject& subject_;
  Violations& violations_;
  Mailbox* const mailbox_;
  Random random_;
  const Limits limits_;
  FastShadow shadow_;
  Tally tally_;
  std::size_t bytes_in_all_ = 0;
  std::size_t comb_ = 0;
  bool rising_ = true;
  bool starved_ = false;
  const bool ansi_, aligns_, extends_, shrinks_, remaps_;
};

}  // namespace strata::stress
