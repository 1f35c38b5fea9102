/// Runs every property over every composition, and sees to it that no header of the library is left out.

#include "library/conformance/compositions.hpp"
#include "library/conformance/properties.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace strata::conformance {
namespace {

struct Case {
  const Composition* composition;
  const Property* property;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.property->name << " of " << each.composition->traits.name;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.composition->traits.name + "_" + info.param.property->name;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

std::vector<Case> cases_of(const std::vector<Composition>& compositions) {
  std::vector<Case> cases;
  for (const Composition& composition : compositions) {
    for (const Property& property : properties()) {
      if (property.applies(composition.traits)) cases.push_back({&composition, &property});
    }
  }
  return cases;
}

class Conformance : public testing::TestWithParam<Case> {};

TEST_P(Conformance, Holds) {
  const auto& [composition, property] = GetParam();
  Violations violations;
  violations.enter(property->name);
  property->check(*composition, violations);
  EXPECT_TRUE(violations.empty()) << composition->traits.name << " breaks\n" << violations.text();
}

INSTANTIATE_TEST_SUITE_P(Sources, Conformance, testing::ValuesIn(cases_of(sources())), name_of);
INSTANTIATE_TEST_SUITE_P(Layers, Conformance, testing::ValuesIn(cases_of(layers())), name_of);
INSTANTIATE_TEST_SUITE_P(Coalescing, Conformance, testing::ValuesIn(cases_of(coalescing_layers())), name_of);
INSTANTIATE_TEST_SUITE_P(Heaps, Conformance, testing::ValuesIn(cases_of(finished_heaps())), name_of);

TEST(CompositionList, NamesEveryHeaderOfTheLibrary) {
  const std::filesystem::path root = STRATA_HEADERS;
  std::set<std::string> listed;
  std::set<std::string> found;
  for (const Composition& composition : all_compositions()) {
    listed.insert(composition.traits.files.begin(), composition.traits.files.end());
  }
  for (const char* const folder : {"source", "layer", "combine", "heap"}) {
    for (const auto& file : std::filesystem::directory_iterator(root / folder)) {
      found.insert(folder + ("/" + file.path().filename().string()));
    }
  }
  EXPECT_FALSE(found.empty());
  for (const std::string& file : found) {
    EXPECT_TRUE(listed.contains(file))
        << file << " is in no composition: add one to conformance/compositions.cpp";
  }
  for (const std::string& file : listed) {
    EXPECT_TRUE(found.contains(file))
        << file << " is listed in conformance/compositions.cpp but is not there";
  }
}

}  // namespace
}  // namespace strata::conformance
