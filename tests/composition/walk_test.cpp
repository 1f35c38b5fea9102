/// The tree of a composition is its type's: no layer is left out, no header of the library lacks a description.

#include "preload/composition/walk.hpp"

#include "composition/examples.hpp"

#include <cxxabi.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

namespace strata::composition {
namespace {

using Names = std::vector<std::string>;

/// From a node down to the first that has several parts, or none.
Names chain(const Node& node) {
  Names names = {node.layer};
  if (node.parts.size() == 1) {
    for (std::string& name : chain(node.parts[0].node)) names.push_back(std::move(name));
  }
  return names;
}

TEST(Walk, FindsTheOutermostLayerThroughFinishedHeaps) {
  const Node root = node_of<KingsleyDropIn<>>();
  EXPECT_EQ(chain(root), (Names{"AnsiWrapper", "LockedHeap", "AlignedHeap", "SourcedHeap"}));
  EXPECT_EQ(root.finished, "KingsleyDropIn");
  EXPECT_EQ(root.parts[0].node.finished, "");
  EXPECT_EQ(root.parts[0].node.parameters[0].type, "ElidedLock");
  const Node& sourced = root.parts[0].node.parts[0].node.parts[0].node;
  ASSERT_EQ(sourced.parts.size(), 2U);
  const Node& bins = sourced.parts[0].node;
  EXPECT_EQ(bins.layer, "StrictSegHeap");
  EXPECT_EQ(bins.finished, "KingsleyBins");
  ASSERT_EQ(bins.parts.size(), 3U);
  EXPECT_EQ(chain(bins.parts[0].node), (Names{"FreelistHeap", "NullHeap"}));
  EXPECT_EQ(chain(bins.parts[1].node), (Names{"SizeHeap", "ChunkHeap", "UniqueHeap"}));
  EXPECT_EQ(chain(bins.parts[2].node), (Names{"SizeHeap", "UniqueHeap"}));
}

TEST(Walk, ShowsWhatIsShared) {
  const Node root = node_of<KingsleyHeap<{}, BufferHeap>>();
  const Node& sourced = root.parts[0].node.parts[0].node;
  EXPECT_EQ(sourced.parts[1].takes, Takes::references);
  EXPECT_EQ(sourced.parts[1].node.layer, "BufferHeap");
  const Node& bins = sourced.parts[0].node;
  EXPECT_EQ(bins.parts[1].node.parts[0].node.parts[0].node.refers_to, "BufferHeap");
  EXPECT_EQ(bins.parts[2].node.parts[0].node.refers_to, "BufferHeap");
}

TEST(Walk, TellsWhichPartServesWhat) {
  const Node lea = node_of<LeaHeap<{.quick = 100, .mmap_threshold = 65536}>>();
  const Node& select = lea.parts[0].node;
  EXPECT_EQ(select.layer, "SelectMmapHeap");
  EXPECT_EQ(select.parameters[0].bytes, 65536U);
  EXPECT_EQ(select.parts[0].up_to, 65535U);
  EXPECT_EQ(select.parts[1].up_to, any_size);
  const Node& quick = select.parts[0].node;
  EXPECT_EQ(quick.layer, "ThresholdHeap");
  EXPECT_EQ(quick.parts[0].takes, Takes::freed_blocks);
  EXPECT_EQ(quick.parts[0].copies, quick.parameters[0].sizes.size());
  EXPECT_GE(quick.parameters[0].sizes.back(), 100U);
  const Node kingsley = node_of<KingsleyHeap<{.steps = 4}>>();
  const Node& bins = kingsley.parts[0].node.parts[0].node.parts[0].node;
  EXPECT_EQ(bins.parts[0].copies, SteppedClasses<4>::count);
  EXPECT_EQ(bins.parts[1].up_to, SteppedClasses<4>::size_of(SteppedClasses<4>::count - 1));
}

TEST(Walk, KeepsALayerThatIsThereTwice) {
  const Node root = node_of<Twice>();
  EXPECT_EQ(chain(root), (Names{"SizeHeap", "ChunkHeap", "SizeHeap", "BufferHeap"}));
  EXPECT_EQ(root.finished, "Twice");
}

TEST(Walk, TellsThePhaseAndTheSizeOfTheObject) {
  const Node chunked = node_of<ChunkHeap<4096, MallocHeap>>();
  EXPECT_EQ(chunked.alignment, 16U);
  EXPECT_EQ(chunked.alignment_offset, 8U);
  EXPECT_EQ(chunked.object_bytes, sizeof(ChunkHeap<4096, MallocHeap>));
}

const std::filesystem::path library = STRATA_HEADERS;
constexpr const char* folders[] = {"source", "layer", "combine"};

bool is_layer(const std::string& name) {
  for (const char* const folder : folders) {
    if (std::filesystem::exists(library / folder / (header_name(name) + ".hpp"))) return true;
  }
  return false;
}

TEST(Walk, DescribesEveryHeaderOfTheLibrary) {
  std::set<std::string> names;
  const auto collect_all = [&]<class... T>(const std::tuple<T...>*) { (collect(node_of<T>(), names), ...); };
  collect_all(static_cast<const Examples*>(nullptr));
  std::set<std::string> described;
  for (const std::string& name : names) described.insert(header_name(name));
  std::size_t found = 0;
  for (const char* const folder : folders) {
    for (const auto& file : std::filesystem::directory_iterator(library / folder)) {
      ++found;
      EXPECT_TRUE(described.contains(file.path().stem().string()))
          << file.path()
          << " is in no tree: describe() it in preload/composition, and add an example to examples.hpp";
    }
  }
  EXPECT_GT(found, 20U);
}

/// The names of the bases of a class, as the compiler wrote them down.
void collect_bases(const std::type_info& type, std::set<std::string>& names) {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), &std::free);
  std::string name = text.get();
  name.resize(std::min(name.find('<'), name.size()));
  names.insert(name.substr(name.rfind(':') + 1));
  if (const auto* one = dynamic_cast<const abi::__si_class_type_info*>(&type)) {
    collect_bases(*one->__base_type, names);
  } else if (const auto* several = dynamic_cast<const abi::__vmi_class_type_info*>(&type)) {
    for (unsigned i = 0; i < several->__base_count; ++i) {
      collect_bases(*several->__base_info[i].__base_type, names);
    }
  }
}

template <class T>
class NoLayerIsLeftOut : public testing::Test {};

template <class Tuple>
struct TypesOf;
template <class... T>
struct TypesOf<std::tuple<T...>> {
  using Types = testing::Types<T...>;
};
TYPED_TEST_SUITE(NoLayerIsLeftOut, TypesOf<Examples>::Types);

TYPED_TEST(NoLayerIsLeftOut, OfTheBasesOfAHeap) {
  std::set<std::string> shown;
  std::set<std::string> bases;
  collect(node_of<TypeParam>(), shown);
  collect_bases(typeid(TypeParam), bases);
  EXPECT_GT(bases.size(), 1U);
  for (const std::string& base : bases) {
    EXPECT_TRUE(!is_layer(base) || shown.contains(base)) << base << " is a base, and not in the tree";
  }
}

}  // namespace
}  // namespace strata::composition
