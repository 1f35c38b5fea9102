/// Random operations on every finished heap against the shadow model, as many as one asks for.
///
///   test-library-stress [OPERATIONS [SEED]]
///
/// Prints a line a heap; exit status 1, and what was wrong, if one breaks a promise.

#include "library/conformance/compositions.hpp"
#include "library/conformance/properties.hpp"
#include "library/conformance/workload.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace strata::conformance {
namespace {

/// In spans of their own, so that what never reuses memory ends and begins anew.
bool stress(const Composition& composition, std::size_t operations, std::uint64_t seed) {
  constexpr std::size_t span = 20000;
  Violations violations;
  violations.enter("stress");
  std::size_t done = 0;
  std::size_t begun = 0;
  while (done < operations && violations.empty()) {
    const auto subject = composition.make();
    const Load load = fit({.seed = seed + done,
                           .operations = std::min(span, operations - done),
                           .most_blocks = 2000,
                           .most_bytes = 64 * MiB,
                           .largest = 1 * MiB},
                          composition.traits);
    begun = done;
    done += load.operations;
    run(*subject, violations, load);
    subject->destroy();
    expect_all_returned(*subject, violations, "by the destructor");
  }
  std::printf("%s: %s\n", composition.traits.name.c_str(), violations.empty() ? "sound" : "BROKEN");
  if (!violations.empty()) {
    std::printf("between operation %zu and %zu of seed %zu:\n%s", begun, done, static_cast<std::size_t>(seed),
                violations.text().c_str());
  }
  return violations.empty();
}

/// The number in an argument, or `standard` without one; ends the program if it is none.
std::size_t number(int argc, char** argv, int index, std::size_t standard) {
  if (argc <= index) return standard;
  char* end = nullptr;
  const std::size_t value = std::strtoull(argv[index], &end, 10);
  if (end != argv[index] && *end == '\0') return value;
  std::fprintf(stderr, "%s: not a number: %s; usage: test-library-stress [OPERATIONS [SEED]]\n", argv[0],
               argv[index]);
  std::exit(2);
}

}  // namespace
}  // namespace strata::conformance

int main(int argc, char** argv) {
  using namespace strata::conformance;
  const std::size_t operations = number(argc, argv, 1, 100000);
  const std::size_t seed = number(argc, argv, 2, 1);
  bool sound = true;
  for (const Composition& heap : finished_heaps()) sound = stress(heap, operations, seed) && sound;
  return sound ? 0 : 1;
}
