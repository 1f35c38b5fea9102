/// What every block must be.

#include "library/conformance/effort.hpp"
#include "library/conformance/properties.hpp"
#include "library/conformance/shadow.hpp"
#include "library/conformance/workload.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

namespace strata::conformance {

void check_capabilities(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  const std::set<Capability> found = subject->capabilities();
  const std::set<Capability>& listed = composition.traits.capabilities;
  for (const Capability each : found) {
    violations.expect(listed.contains(each), "has ", name_of(each), ", which the list does not say");
  }
  for (const Capability each : listed) {
    violations.expect(found.contains(each), "has no ", name_of(each), ", as the list says it has");
  }
}

void check_empty(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  for (const std::size_t size : {std::size_t{1}, std::size_t{16}, 4 * KiB, 1 * MiB}) {
    violations.expect(subject->malloc(size) == nullptr, "has memory for ", size, " bytes");
  }
}

/// Every telling size, all in use at once, then again in another order.
void check_sizes(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  std::vector<std::size_t> sizes = telling_sizes(composition.traits);
  for (int round = 0; round < 2 && !violations.enough(); ++round) {
    for (const std::size_t size : sizes) {
      violations.expect(shadow.malloc(size) != nullptr, "no usable block for a request of ", size);
    }
    shadow.free_all();
    std::reverse(sizes.begin(), sizes.end());
  }
  subject->destroy();
  expect_no_complaints(*subject, violations);
}

/// Random operations, with everything in use filled to its last usable byte.
void check_contents(const Composition& composition, Violations& violations) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto subject = composition.make();
    run(*subject, violations, fit({.seed = seed, .operations = 4000 / restraint}, composition.traits));
    subject->destroy();
    expect_no_complaints(*subject, violations);
    if (violations.enough()) return;
  }
}

/// What was freed is handed out again: a second round of the same requests takes nothing more from the supply.
void check_reuse(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  const Supply& supply = subject->supply();
  if (!supply.watched()) return;
  std::vector<std::size_t> sizes = telling_sizes(composition.traits);
  std::size_t taken = 0;
  for (int round = 0; round < 4; ++round) {
    Shadow shadow(*subject, violations);
    for (const std::size_t size : sizes) shadow.malloc(size);
    shadow.free_all();
    if (round == 0) taken = supply.peak();
    std::rotate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 3), sizes.end());
  }
  // Where big blocks come and go one by one, another order may need a stretch more.
  violations.expect(supply.peak() <= taken + taken / 2, "took ", supply.peak(), " bytes for requests that ",
                    taken, " had been enough for");
}

}  // namespace strata::conformance
