/// Seeded mutants: the suite, applied to a heap with a known defect, must say so, and under the property that is
/// about that defect. Every property has a mutant that it catches.

#include "library/conformance/block_mutants.hpp"
#include "library/conformance/capability_mutants.hpp"
#include "library/conformance/effort.hpp"
#include "library/conformance/properties.hpp"
#include "library/conformance/resize_mutants.hpp"
#include "library/conformance/subject_of.hpp"
#include "library/stress/soak.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace strata::conformance {
namespace {

struct Mutant {
  Composition composition;
  std::string caught_by;
};

template <class Heap>
Mutant mutant(const char* name, const char* caught_by, Traits traits = {}) {
  traits.name = name;
  traits.capabilities = capabilities_of<Heap>();
  return {over_ledger<Heap>(traits), caught_by};
}

void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << mutant.composition.traits.name;
}

const std::vector<Mutant>& mutants() {
  const Traits one_size = {.only_size = 64};
  const Traits never_reuses = {.reuses = false};
  const Traits shared = {.thread_safe = true};
  using Locked = LockedHeap<Mutex, DropsForeignFree>;
  static const std::vector<Mutant> list = {
      mutant<Misaligned>("Misaligned", "sizes"),
      mutant<WrongPhase>("WrongPhase", "sizes"),
      mutant<UsableTooLarge>("UsableTooLarge", "sizes"),
      mutant<UsableTooSmall>("UsableTooSmall", "sizes"),
      mutant<InheritedUsableSize>("InheritedUsableSize", "sizes"),
      mutant<Overlapping>("Overlapping", "sizes", never_reuses),
      mutant<WritesBehind>("WritesBehind", "sizes"),
      mutant<Clobbering>("Clobbering", "contents"),
      mutant<DoubleHandOut>("DoubleHandOut", "contents", one_size),
      mutant<NeverReuses>("NeverReuses", "reuse", one_size),
      mutant<NotEmpty>("NotEmpty", "empty", {.largest = 0}),
      {over_ledger<LosesCapability>({.name = "LosesCapability",
                                     .capabilities = capabilities_of<Rich>(),
                                     .only_size = 64,
                                     .largest = 0}),
       "capabilities"},
      mutant<LeakyDestructor>("LeakyDestructor", "destructor", one_size),
      mutant<FreesTwice>("FreesTwice", "destructor"),
      mutant<SwallowedNull>("SwallowedNull", "refusals"),
      mutant<CutsFromNull>("CutsFromNull", "refusals", never_reuses),
      mutant<Sulks>("Sulks", "refusals"),
      mutant<ForgetfulClear>("ForgetfulClear", "clear", one_size),
      mutant<ClearKeepsMemory>("ClearKeepsMemory", "clear", one_size),
      mutant<SharedState>("SharedState", "instances", one_size),
      mutant<InteriorMemalign>("InteriorMemalign", "memalign"),
      mutant<SwappedMemalign>("SwappedMemalign", "memalign"),
      mutant<SmallMemalign>("SmallMemalign", "memalign"),
      mutant<LyingTryExtend>("LyingTryExtend", "try_extend"),
      mutant<ClobberingTryExtend>("ClobberingTryExtend", "try_extend"),
      mutant<IdleShrink>("IdleShrink", "shrink"),
      mutant<ShrinksTooFar>("ShrinksTooFar", "shrink"),
      mutant<ClobberingShrink>("ClobberingShrink", "shrink"),
      mutant<InheritedShrink>("InheritedShrink", "shrink", one_size),
      mutant<IdleRemap>("IdleRemap", "remap"),
      mutant<RemapForgetsContents>("RemapForgetsContents", "remap"),
      mutant<RemapLosesBlock>("RemapLosesBlock", "remap"),
      mutant<RemapKeepsBlock>("RemapKeepsBlock", "remap"),
      mutant<AlwaysZeroed>("AlwaysZeroed", "zeroed"),
      mutant<NeverZeroed>("NeverZeroed", "zeroed"),
      mutant<InheritedZeroed>("InheritedZeroed", "zeroed", {.only_size = 64 * KiB}),
      mutant<TakeAsksSource>("TakeAsksSource", "take"),
      mutant<TakesTooSmall>("TakesTooSmall", "take"),
      mutant<TakesTwice>("TakesTwice", "take"),
      mutant<IdleRemove>("IdleRemove", "remove", one_size),
      mutant<RemovesAnother>("RemovesAnother", "remove", one_size),
      mutant<RemoveLeaks>("RemoveLeaks", "remove", one_size),
      mutant<OwnsEverything>("OwnsEverything", "owns"),
      mutant<OwnsNothing>("OwnsNothing", "owns"),
      mutant<LyingTrim>("LyingTrim", "trim"),
      mutant<FootprintOnlyGrows>("FootprintOnlyGrows", "footprint"),
      mutant<FootprintWithoutPeak>("FootprintWithoutPeak", "footprint"),
      mutant<NoBlockOfZero>("NoBlockOfZero", "edges"),
      mutant<FreeChangesErrno>("FreeChangesErrno", "edges"),
      mutant<CallocOverflows>("CallocOverflows", "calloc"),
      mutant<CallocOfUsedMemory>("CallocOfUsedMemory", "calloc"),
      mutant<ReallocLosesBlock>("ReallocLosesBlock", "realloc"),
      mutant<ReallocForgetsTail>("ReallocForgetsTail", "realloc"),
      mutant<UnlockedMalloc>("UnlockedMalloc", "lock"),
      mutant<UnlockedMemalign>("UnlockedMemalign", "lock"),
      mutant<Locked>("DropsForeignFree", "threads", shared),
      mutant<KeepsLockInChild>("KeepsLockInChild", "fork"),
  };
  return list;
}

std::set<std::string> properties_in(const Violations& violations) {
  std::set<std::string> names;
  for (const Violation& violation : violations.list()) names.insert(violation.property);
  return names;
}

/// What the stress program does not do: ask for nothing or too much, use two heaps at a time, hold a lock at a fork,
/// take a freed block out of the heap; nor does it mind a heap that does less than it could.
const std::set<std::string>& beyond_stress() {
  static const std::set<std::string> names = {
      "NeverReuses",     "NotEmpty",         "LosesCapability", "SharedState",      "NoBlockOfZero",
      "CallocOverflows", "FreeChangesErrno", "UnlockedMalloc",  "UnlockedMemalign", "KeepsLockInChild",
      "IdleShrink",      "IdleRemap",        "NeverZeroed",     "IdleRemove",       "RemovesAnother",
      "RemoveLeaks",     "TakeAsksSource",   "TakesTooSmall",   "TakesTwice"};
  return names;
}

constexpr std::size_t enough_operations = 100000 / restraint;

class SeededMutant : public testing::TestWithParam<Mutant> {};

TEST_P(SeededMutant, IsCaught) {
  const auto& [composition, caught_by] = GetParam();
  Violations violations;
  check_all(composition, violations);
  EXPECT_FALSE(violations.empty()) << composition.traits.name << " passes the whole suite";
  EXPECT_TRUE(properties_in(violations).contains(caught_by))
      << composition.traits.name << " is not caught by '" << caught_by << "' but by:\n"
      << violations.text();
}

std::vector<Mutant> mutants_for_stress() {
  std::vector<Mutant> some = mutants();
  std::erase_if(
      some, [](const Mutant& mutant) { return beyond_stress().contains(mutant.composition.traits.name); });
  return some;
}

class MutantUnderStress : public SeededMutant {};

/// The stress program's shadow looks at less of each operation; so it may take more of them.
TEST_P(MutantUnderStress, IsCaught) {
  const Mutant& mutant = GetParam();
  std::vector<stress::Failure> failures;
  const auto note = [&](const stress::Failure& failure) { failures.push_back(failure); };
  stress::soak(mutant.composition, enough_operations, 1, note);
  if (failures.empty() && mutant.composition.traits.thread_safe) {
    stress::soak(mutant.composition, 3, enough_operations, 1, note);
  }
  EXPECT_EQ(failures.size(), 1U) << mutant.composition.traits.name << " survives the stress program";
}

std::string name_of(const testing::TestParamInfo<Mutant>& info) {
  return info.param.composition.traits.name;
}
INSTANTIATE_TEST_SUITE_P(All, SeededMutant, testing::ValuesIn(mutants()), name_of);
INSTANTIATE_TEST_SUITE_P(All, MutantUnderStress, testing::ValuesIn(mutants_for_stress()), name_of);

/// What the mutants of the standard's corner cases are made from has no defect of its own.
TEST(SeededMutants, TheirBaseIsSound) {
  Violations violations;
  for (const Mutant& base : {mutant<Ansi>("Ansi", ""), mutant<Rich>("Rich", ""),
                             mutant<Removing>("Removing", "", {.only_size = 64}),
                             mutant<LockedHeap<Mutex, Ansi>>("Locked", "", {.thread_safe = true})}) {
    check_all(base.composition, violations);
    const auto note = [&](const stress::Failure& failure) { violations.expect(false, failure.text); };
    stress::soak(base.composition, enough_operations, 1, note);
    if (base.composition.traits.thread_safe) stress::soak(base.composition, 3, enough_operations, 1, note);
  }
  EXPECT_TRUE(violations.empty()) << violations.text();
}

TEST(SeededMutants, ThereIsOneForEveryProperty) {
  std::set<std::string> caught;
  for (const Mutant& each : mutants()) caught.insert(each.caught_by);
  for (const Property& property : properties()) {
    EXPECT_TRUE(caught.contains(property.name)) << "no mutant shows that '" << property.name << "' can fail";
  }
}

}  // namespace
}  // namespace strata::conformance
