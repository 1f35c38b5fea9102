/// Runs every property over every composition, and sees to it that no header of the library is left out.

#include "library/conformance/compositions.hpp"
#include "library/conformance/properties.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

namespace strata::conformance {
namespace {

class Conforms : public testing::Test {
 public:
  Conforms(const Composition& composition, const Property& property)
      : composition_(composition), property_(property) {}

  void TestBody() override {
    Violations violations;
    violations.enter(property_.name);
    property_.check(composition_, violations);
    EXPECT_TRUE(violations.empty()) << composition_.traits.name << " breaks:\n" << violations.text();
  }

 private:
  const Composition& composition_;
  const Property& property_;
};

void register_all(const std::vector<Composition>& compositions) {
  for (const Composition& composition : compositions) {
    for (const Property& property : properties()) {
      if (!property.applies(composition.traits)) continue;
      testing::RegisterTest(composition.traits.name.c_str(), property.name.c_str(), nullptr, nullptr,
                            __FILE__, __LINE__,
                            [&]() -> Conforms* { return new Conforms(composition, property); });
    }
  }
}

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

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  strata::conformance::register_all(strata::conformance::sources());
  strata::conformance::register_all(strata::conformance::layers());
  strata::conformance::register_all(strata::conformance::finished_heaps());
  return RUN_ALL_TESTS();
}
