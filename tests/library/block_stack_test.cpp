/// BlockStack at its edges: stretches that are empty, too small or odd, and blocks that are freed out of order.

#include <strata/platform/arithmetic.hpp>
#include <strata/source/block_stack.hpp>
#include <strata/source/buffer_heap.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

namespace strata {
namespace {

struct alignas(64) Stretch {
  std::array<std::byte, 1024> bytes;
  std::byte* begin() { return bytes.data(); }
  std::byte* end() { return bytes.data() + bytes.size(); }
};

TEST(BlockStack, OfNothing) {
  BlockStack none;
  EXPECT_EQ(none.push(1), nullptr);
  EXPECT_EQ(none.room(), 0U);
  EXPECT_FALSE(none.contains(nullptr));
  EXPECT_FALSE(none.contains(&none));
}

TEST(BlockStack, InAStretchTooSmallToAlignIn) {
  Stretch stretch;
  for (std::ptrdiff_t from = 1; from < 16; ++from) {
    for (std::ptrdiff_t to = from; to < from + 16; ++to) {
      BlockStack blocks(stretch.begin() + from, stretch.begin() + to);
      EXPECT_EQ(blocks.push(1), nullptr) << "in bytes " << from << " to " << to;
    }
  }
}

TEST(BlockStack, FillsToTheLastByte) {
  Stretch stretch;
  BlockStack blocks(stretch.begin(), stretch.end());
  EXPECT_EQ(blocks.push(1024 - 15), nullptr);
  void* const all = blocks.push(1024 - 16);
  ASSERT_EQ(all, stretch.begin() + 16);
  EXPECT_EQ(BlockStack::size_of(all), 1008U);
  EXPECT_EQ(blocks.room(), 0U);
  EXPECT_EQ(blocks.push(1), nullptr);
  blocks.release(all);
  EXPECT_EQ(blocks.top(), blocks.begin());
}

TEST(BlockStack, AlignsInAnOddStretch) {
  Stretch stretch;
  BlockStack blocks(stretch.begin() + 3, stretch.end() - 3);
  while (void* const block = blocks.push(5)) {
    EXPECT_EQ(address_of(block) % 16, 0U);
    EXPECT_GE(bytes_at(block), stretch.begin() + 3);
    EXPECT_LE(bytes_at(block) + BlockStack::size_of(block), stretch.end() - 3);
  }
}

TEST(BlockStack, TopDropsOnceEverythingAboveIsFree) {
  Stretch stretch;
  BlockStack blocks(stretch.begin(), stretch.end());
  void* const low = blocks.push(10);
  std::byte* const above_low = blocks.top();
  void* const middle = blocks.push(20);
  void* const high = blocks.push(30);
  std::byte* const above_high = blocks.top();
  blocks.release(middle);
  EXPECT_EQ(blocks.top(), above_high);
  EXPECT_TRUE(blocks.contains(middle)) << "the place of a freed block under the top is still the stack's";
  blocks.release(high);
  EXPECT_EQ(blocks.top(), above_low);
  EXPECT_FALSE(blocks.contains(high));
  blocks.release(low);
  EXPECT_EQ(blocks.top(), blocks.begin());
}

TEST(BlockStack, ExtendsOnlyItsTopmostBlockAndOnlyIntoItsRoom) {
  Stretch stretch;
  BlockStack blocks(stretch.begin(), stretch.end());
  void* const low = blocks.push(16);
  void* const high = blocks.push(16);
  EXPECT_TRUE(blocks.extend(low, 16));
  EXPECT_FALSE(blocks.extend(low, 17));
  EXPECT_FALSE(blocks.extend(high, 16 + blocks.room() + 1));
  EXPECT_EQ(BlockStack::size_of(high), 16U);
  EXPECT_TRUE(blocks.extend(high, 16 + blocks.room()));
  EXPECT_EQ(blocks.room(), 0U);
  EXPECT_TRUE(blocks.extend(high, 1)) << "less than there is";
  std::memset(high, 0xFF, BlockStack::size_of(high));
  blocks.release(high);
  EXPECT_TRUE(blocks.extend(low, 100)) << "it is the topmost one now";
}

TEST(BlockStack, GrowsAtItsEnd) {
  Stretch stretch;
  BlockStack blocks(stretch.begin(), stretch.begin() + 64);
  EXPECT_NE(blocks.push(48), nullptr);
  EXPECT_EQ(blocks.push(48), nullptr);
  blocks.move_end(stretch.begin() + 128);
  EXPECT_NE(blocks.push(48), nullptr);
}

TEST(BufferHeap, CountsWhatLiesUnderTheTop) {
  Stretch stretch;
  BufferHeap heap(std::span(stretch.bytes));
  void* const low = heap.malloc(16);
  void* const high = heap.malloc(100);
  EXPECT_EQ(heap.footprint().current, 32U + 128U);
  heap.free(low);
  EXPECT_EQ(heap.footprint().current, 32U + 128U) << "the top has not moved";
  heap.free(high);
  EXPECT_EQ(heap.footprint().current, 0U);
  EXPECT_EQ(heap.footprint().peak, 32U + 128U);
  EXPECT_EQ(heap.malloc(16), low) << "and what was freed at the top is handed out again";
  EXPECT_EQ(heap.malloc(5000), nullptr);
  EXPECT_FALSE(heap.owns(stretch.end()));
}

TEST(BufferHeap, OfNoBuffer) {
  BufferHeap heap{std::span<std::byte>()};
  EXPECT_EQ(heap.malloc(1), nullptr);
  heap.clear();
  EXPECT_EQ(heap.malloc(1), nullptr);
}

}  // namespace
}  // namespace strata
