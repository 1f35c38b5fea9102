/// DLList and AdaptHeap: first in, first out, and out of any place.

#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/dl_list.hpp>
#include <strata/source/null_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace strata {
namespace {

using Entry = DLList::Entry;

constinit DLList initialised_at_compile_time;

class List : public testing::Test {
 protected:
  void SetUp() override {
    for (Entry& entry : entries) list.insert(&entry);
  }
  /// The numbers of what is left, in order.
  std::vector<std::ptrdiff_t> taken() {
    std::vector<std::ptrdiff_t> numbers;
    while (Entry* const entry = list.take()) numbers.push_back(entry - entries.data());
    return numbers;
  }

  std::array<Entry, 5> entries{};
  DLList list;
};
using Numbers = std::vector<std::ptrdiff_t>;

TEST_F(List, IsFirstInFirstOut) {
  EXPECT_EQ(taken(), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(list.take(), nullptr);
  list.insert(&entries[3]);
  list.insert(&entries[1]);
  EXPECT_EQ(list.take(), &entries[3]);
  list.insert(&entries[0]);
  EXPECT_EQ(taken(), (Numbers{1, 0}));
}

TEST_F(List, LetsGoOfAnyEntry) {
  DLList::remove(&entries[0]);
  DLList::remove(&entries[2]);
  DLList::remove(&entries[4]);
  EXPECT_EQ(taken(), (Numbers{1, 3}));
  list.insert(&entries[2]);
  DLList::remove(&entries[2]);
  EXPECT_EQ(list.take(), nullptr);
}

TEST_F(List, TakesTheOldestThatFits) {
  const auto is_odd = [&](Entry* entry) { return (entry - entries.data()) % 2 == 1; };
  EXPECT_EQ(list.take_if(is_odd, 1), nullptr) << "looked further than told";
  EXPECT_EQ(list.take_if(is_odd, 2), &entries[1]);
  EXPECT_EQ(list.take_if(is_odd, 100), &entries[3]);
  EXPECT_EQ(list.take_if(is_odd, 100), nullptr);
  EXPECT_EQ(taken(), (Numbers{0, 2, 4}));
}

TEST_F(List, ForgetsAll) {
  list.clear();
  EXPECT_EQ(list.take(), nullptr);
  list.insert(&entries[0]);
  EXPECT_EQ(taken(), (Numbers{0}));
}

TEST_F(List, IsInitialisedAtCompileTime) {
  EXPECT_EQ(initialised_at_compile_time.take(), nullptr);
  initialised_at_compile_time.insert(&entries[0]);
  EXPECT_EQ(initialised_at_compile_time.take(), &entries[0]);
}

TEST(AdaptHeap, KeepsTheOrderOfItsDictionary) {
  AdaptHeap<DLList, NullHeap> bin;
  alignas(16) std::array<std::array<std::byte, 64>, 4> blocks{};
  for (auto& block : blocks) bin.free(block.data());
  AdaptHeap<DLList, NullHeap>::remove(blocks[1].data());
  EXPECT_EQ(bin.malloc(64), blocks[0].data());
  bin.free(blocks[0].data());
  for (const std::size_t number : {2U, 3U, 0U}) EXPECT_EQ(bin.malloc(64), blocks[number].data());
  EXPECT_EQ(bin.malloc(64), nullptr);
}

}  // namespace
}  // namespace strata
