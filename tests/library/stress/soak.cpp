#include "library/stress/soak.hpp"

#include "library/conformance/properties.hpp"
#include "library/stress/last_words.hpp"
#include "library/stress/mailbox.hpp"
#include "library/stress/occupancy.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace strata::stress {

namespace {

using conformance::Composition;

/// How long the next heap is used: as its seed has it, even if that is more than was asked for.
std::size_t draw_life(Random& random, std::size_t operations) {
  const std::size_t longest = std::clamp<std::size_t>(operations / 4, 2048, std::size_t{1} << 25);
  return random.magnitude(10, log2_floor(longest));
}

/// Whether a heap is deleted with blocks in use.
bool left_full(Random& random, const Subject& subject) {
  return subject.traits().takes_all_with_it && random.once_in(2);
}

struct Worker {
  Violations violations;
  std::unique_ptr<Program> program;
};

}  // namespace

Outcome soak(const Composition& composition, std::size_t operations, std::uint64_t seed,
             const OnFailure& on_failure) {
  Outcome outcome;
  Occupancy occupancy;
  Violations violations;
  violations.enter("stress");
  for (; outcome.tally.operations < operations && violations.empty(); ++outcome.heaps) {
    const std::uint64_t own_seed = seed + outcome.heaps;
    Random random(own_seed);
    const std::size_t life = draw_life(random, operations);
    const auto subject = composition.make();
    Program program(*subject, occupancy, violations, random());
    const LastWords last_words(composition.traits.name, own_seed, program.tally().operations);
    program.run(life);
    if (left_full(random, *subject)) {
      program.shadow().forget_all();
    } else {
      program.drain();
    }
    if (violations.empty()) {
      subject->destroy();
      conformance::expect_all_returned(*subject, violations, "by the destructor");
    }
    outcome.tally.add(program.tally());
    if (!violations.empty()) on_failure({own_seed, program.tally().operations, violations.text()});
  }
  return outcome;
}

/// A thread allocates nothing but from the heap: where that moves the program break, so may the C library's malloc.
Outcome soak(const Composition& composition, std::size_t threads, std::size_t operations, std::uint64_t seed,
             const OnFailure& on_failure) {
  Outcome outcome;
  Occupancy occupancy;
  std::string broken;
  for (; outcome.tally.operations < operations && broken.empty(); ++outcome.heaps) {
    const std::uint64_t own_seed = seed + outcome.heaps;
    Random random(own_seed);
    const std::size_t life = draw_life(random, operations) / threads + 1;
    const auto subject = composition.make();
    Mailbox mailbox;
    std::vector<Worker> workers(threads);
    for (Worker& worker : workers) {
      worker.violations.enter("stress by threads");
      worker.program = std::make_unique<Program>(*subject, occupancy, worker.violations, random(), &mailbox);
    }
    const LastWords last_words(composition.traits.name, own_seed,
                               workers.front().program->tally().operations);
    std::latch ready(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::thread> running;
    running.reserve(threads);
    for (Worker& worker : workers) {
      running.emplace_back([&] {
        ready.arrive_and_wait();
        worker.program->run(life);
      });
    }
    for (std::thread& thread : running) thread.join();

    Program& last = *workers.front().program;
    for (std::size_t slot = 0; slot < Mailbox::slots; ++slot) {
      const Live left = mailbox.exchange(slot, {});
      if (left.block != nullptr) last.shadow().adopt(left);
    }
    const bool full = left_full(random, *subject);
    Tally tally;
    for (Worker& worker : workers) {
      if (worker.violations.empty()) full ? worker.program->shadow().forget_all() : worker.program->drain();
      tally.add(worker.program->tally());
      broken += worker.violations.text();
    }
    if (broken.empty()) {
      Violations violations;
      violations.enter("stress by threads");
      subject->destroy();
      conformance::expect_all_returned(*subject, violations, "by the destructor");
      broken = violations.text();
    }
    outcome.tally.add(tally);
    if (!broken.empty()) on_failure({own_seed, tally.operations, broken});
  }
  return outcome;
}

}  // namespace strata::stress
