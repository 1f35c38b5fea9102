/// What becomes of a heap as a whole: cleared, destroyed, refused memory, beside another of its type.

#include "library/conformance/effort.hpp"
#include "library/conformance/properties.hpp"
#include "library/conformance/shadow.hpp"
#include "library/conformance/workload.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <memory>

namespace strata::conformance {

namespace {

/// Steps a load without freeing what is left at its end.
void half_way(Workload& workload, int steps) {
  for (int i = 0; i < steps; ++i) workload.step();
}

}  // namespace

/// Clear returns everything, blocks in use included, and leaves a heap as good as new; any number of times.
void check_clear(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  subject->clear();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Workload workload(*subject, violations, fit({.seed = seed}, composition.traits));
    half_way(workload, 600);
    workload.shadow().forget_all();
    subject->clear();
    expect_all_returned(*subject, violations, "by clear");
    if (violations.enough()) return;
  }
  subject->clear();
  run(*subject, violations, fit({.seed = 4, .operations = 600}, composition.traits));
  subject->destroy();
  expect_all_returned(*subject, violations, "by the destructor after clear");
}

/// The destructor returns what the layer holds: all of it, if the heap says so, and else once nothing is in use.
void check_destructor(const Composition& composition, Violations& violations) {
  composition.make()->destroy();
  for (const bool all_free : {true, false}) {
    if (!all_free && !composition.traits.takes_all_with_it) continue;
    const auto subject = composition.make();
    Workload workload(*subject, violations, fit({.seed = 5}, composition.traits));
    half_way(workload, 800);
    if (all_free) workload.shadow().free_all();
    subject->destroy();
    expect_all_returned(*subject, violations, all_free ? "by the destructor" : "by deleting the heap whole");
  }
}

/// The supply fails its every possible request in turn, once or for good. Null is passed on, whatever is handed
/// out meanwhile is sound, the heap works again afterwards, and nothing has leaked.
void check_refusals(const Composition& composition, Violations& violations) {
  const Load load =
      fit({.seed = 9, .operations = 200, .largest = 64 * KiB, .may_fail = true}, composition.traits);
  const auto undisturbed = composition.make();
  if (!undisturbed->supply().watched()) return;
  run(*undisturbed, violations, load);
  const std::size_t requests = std::min<std::size_t>(undisturbed->supply().requests(), 150 / restraint);
  undisturbed->destroy();
  violations.expect(requests != 0, "never asked its supply for anything");
  Load later = load;
  later.may_fail = false;
  for (std::size_t nth = 1; nth <= requests; ++nth) {
    for (const bool for_good : {false, true}) {
      if (violations.enough()) return;
      const auto subject = composition.make();
      subject->supply().refuse(nth, for_good);
      run(*subject, violations, load);
      subject->supply().refuse_none();
      run(*subject, violations, later);
      subject->destroy();
      expect_all_returned(*subject, violations, "after a refusal");
    }
  }
  // With a supply that has nothing, there is an end.
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  subject->supply().refuse(1, true);
  const std::size_t size = composition.traits.only_size != 0 ? composition.traits.only_size : 4 * KiB;
  violations.expect(shadow.malloc(size) == nullptr, "has memory that nobody gave it");
  subject->supply().refuse_none();
  violations.expect(shadow.malloc(size) != nullptr, "a refusal made it fail for ever");
  shadow.free_all();
}

/// Two heaps of one type share nothing: one is cleared or destroyed, and the other one's blocks are whole.
void check_instances(const Composition& composition, Violations& violations) {
  const auto one = composition.make();
  const auto two = composition.make();
  const Load load = fit({.seed = 13}, composition.traits);
  Workload in_one(*one, violations, load);
  Workload in_two(*two, violations, load);
  for (int i = 0; i < 500 && !violations.enough(); ++i) {
    in_one.step();
    in_two.step();
    for (std::size_t block = 0; block < in_one.shadow().count() && i % 50 == 0; ++block) {
      const std::uintptr_t first = address_of(in_one.shadow().at(block));
      for (std::size_t other = 0; other < in_two.shadow().count(); ++other) {
        violations.expect(first != address_of(in_two.shadow().at(other)),
                          "two heaps hand out the same block");
      }
    }
  }
  if (one->has(Capability::clear)) {
    in_one.shadow().forget_all();
    one->clear();
    in_two.shadow().check_all();
    half_way(in_one, 100);
  }
  in_one.shadow().free_all();
  one->destroy();
  in_two.shadow().check_all();
  half_way(in_two, 200);
  in_two.shadow().free_all();
  two->destroy();
  expect_all_returned(*one, violations, "by the first of two heaps");
  expect_all_returned(*two, violations, "by the second of two heaps");
}

}  // namespace strata::conformance
