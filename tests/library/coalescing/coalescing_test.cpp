/// What coalescing promises, seen by walking through the heap: neighbours are made one in every order, splitting loses
/// nothing, and nothing is written outside a segment.

#include "library/coalescing/guarded_source.hpp"
#include "library/coalescing/walk.hpp"

#include <strata/combine/seg_heap.hpp>
#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/coalesce_heap.hpp>
#include <strata/layer/coalesceable_heap.hpp>
#include <strata/layer/dl_list.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/pages.hpp>
#include <strata/policy/boundary_tags.hpp>
#include <strata/policy/size_class_maps.hpp>
#include <strata/source/null_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace strata::coalescing {
namespace {

using Bin = AdaptHeap<DLList, NullHeap>;
using Fine = ClassesFrom<SteppedClasses<8>, 24>;
using Coarse = ClassesFrom<PowerOfTwoClasses<29>, 16>;

/// A heap over segments that can be walked.
template <class Source, std::size_t Growth, class Classes, std::size_t Scan>
struct Walkable {
  using Bins = SegHeap<Classes, Bin, Scan, CoalesceableHeap<Growth, Source>>;
  using Heap = CoalesceHeap<Bins>;

  Walked walk() { return walk_with_bins<Bins>(segments, *heap); }
  Walked expect_whole(const std::string& when) {
    const Walked walked = walk();
    for (const std::string& fault : walked.faults) ADD_FAILURE() << fault << " " << when;
    return walked;
  }

  Segments segments;
  std::unique_ptr<Heap> heap = std::make_unique<Heap>(segments);
};

template <class Stand>
class Coalescing : public testing::Test {
 public:
  Stand stand;
};
/// Segments that a few blocks do not fill.
template <class Stand>
class Neighbours : public Coalescing<Stand> {};

using Stands =
    testing::Types<Walkable<FixedSource, 8 * KiB, Fine, 4>, Walkable<FixedSource, 8 * KiB, Coarse, 1>,
                   Walkable<FixedSource, 256, Coarse, 16>, Walkable<GrowingSource, 8 * KiB, Fine, 0>,
                   Walkable<GrowingSource, 64 * KiB, Coarse, 1>>;
TYPED_TEST_SUITE(Coalescing, Stands);
using LargeStands =
    testing::Types<Walkable<FixedSource, 8 * KiB, Fine, 4>, Walkable<FixedSource, 8 * KiB, Coarse, 1>,
                   Walkable<GrowingSource, 8 * KiB, Fine, 0>, Walkable<GrowingSource, 64 * KiB, Coarse, 1>>;
TYPED_TEST_SUITE(Neighbours, LargeStands);

TYPED_TEST(Neighbours, BecomeOneInEveryOrder) {
  auto& heap = *this->stand.heap;
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  // Of one segment, whose top they do not touch.
  void* const large = heap.malloc(2048);
  void* const barrier = heap.malloc(24);
  heap.free(large);
  do {
    std::array<void*, 4> blocks{};
    for (void*& block : blocks) block = heap.malloc(300);
    for (std::size_t i = 1; i < 4; ++i) ASSERT_EQ(BoundaryTags::next(blocks[i - 1]), blocks[i]);
    for (const std::size_t index : order) {
      heap.free(blocks[index]);
      this->stand.expect_whole("between frees");
    }
    void* const whole = heap.malloc(2048);
    EXPECT_EQ(whole, large) << "what was split is not one again";
    heap.free(whole);
  } while (std::next_permutation(order.begin(), order.end()));
  heap.free(barrier);
}

TYPED_TEST(Neighbours, AreAllThatSplittingLeaves) {
  auto& heap = *this->stand.heap;
  void* const large = heap.malloc(4096);
  void* const barrier = heap.malloc(24);
  for (std::size_t size = 1; size <= 4096; size += 13) {
    heap.free(large);
    void* const block = heap.malloc(size);
    ASSERT_EQ(block, large);
    EXPECT_GE(heap.usable_size(block), size);
    const Walked walked = this->stand.expect_whole("after splitting");
    const std::size_t bytes = BoundaryTags::bytes_for(size), whole = BoundaryTags::bytes_for(4096);
    EXPECT_EQ(walked.used_bytes + walked.free_bytes, whole + BoundaryTags::smallest);
    // What is left is free, unless it is too small to be a block.
    EXPECT_EQ(walked.free_bytes, whole - bytes < BoundaryTags::smallest ? 0 : whole - bytes);
    heap.free(block);
    ASSERT_EQ(heap.malloc(4096), large);
  }
  heap.free(large);
  heap.free(barrier);
}

TYPED_TEST(Neighbours, AreWhatABlockIsExtendedInto) {
  auto& heap = *this->stand.heap;
  void* const first = heap.malloc(200);
  void* const second = heap.malloc(200);
  void* const third = heap.malloc(200);
  std::memset(first, 1, 200);
  std::memset(third, 3, 200);
  EXPECT_FALSE(heap.try_extend(first, 300)) << "although its neighbour is in use";
  heap.free(second);
  EXPECT_FALSE(heap.try_extend(first, 500)) << "although there is not so much";
  this->stand.expect_whole("after a refusal");
  ASSERT_TRUE(heap.try_extend(first, 260));
  EXPECT_GE(heap.usable_size(first), 260U);
  EXPECT_EQ(this->stand.expect_whole("after an extension").free.size(), 1U);
  // All that is left, which alone is no block, comes along.
  const std::size_t all = 2 * BoundaryTags::bytes_for(200) - BoundaryTags::header_bytes;
  ASSERT_TRUE(heap.try_extend(first, all - 8));
  EXPECT_EQ(heap.usable_size(first), all);
  EXPECT_EQ(BoundaryTags::next(first), third);
  EXPECT_TRUE(this->stand.expect_whole("after taking all").free.empty());
  EXPECT_EQ(static_cast<char*>(first)[199], 1);
  EXPECT_EQ(static_cast<char*>(third)[0], 3);
  heap.free(first);
  heap.free(third);
}

TYPED_TEST(Neighbours, TakeWhatShrinkCutsOff) {
  auto& heap = *this->stand.heap;
  void* const block = heap.malloc(1500);
  void* const barrier = heap.malloc(24);
  heap.shrink(block, 1490);
  EXPECT_TRUE(this->stand.expect_whole("after cutting off too little for a block").free.empty());
  heap.shrink(block, 1000);
  heap.shrink(block, 468);
  EXPECT_EQ(this->stand.expect_whole("after shrinking").free.size(), 1U) << "what was cut off is not one";
  void* const rest = heap.malloc(1024);
  EXPECT_EQ(rest, BoundaryTags::next(block));
  heap.free(block);
  heap.free(rest);
  heap.free(barrier);
}

TYPED_TEST(Coalescing, GivesBackWhatLiesAroundAnAlignedBlock) {
  auto& heap = *this->stand.heap;
  for (std::size_t boundary = 32; boundary <= 64 * KiB; boundary *= 2) {
    void* const before = heap.malloc(40);
    void* const aligned = heap.memalign(boundary, 100);
    void* const behind = heap.malloc(40);
    EXPECT_EQ(address_of(aligned) % boundary, 0U);
    const Walked walked = this->stand.expect_whole("around an aligned block");
    EXPECT_LE(walked.used_bytes, 2 * BoundaryTags::bytes_for(40) + BoundaryTags::bytes_for(100) + 32);
    heap.free(aligned);
    heap.free(before);
    heap.free(behind);
    EXPECT_TRUE(this->stand.expect_whole("after an aligned block").used.empty());
  }
}

/// Every byte of every block is written; the source finds what was written outside its segments, and the page behind
/// them lets nobody read or write.
TYPED_TEST(Coalescing, WritesNothingOutsideASegment) {
  auto& heap = *this->stand.heap;
  std::vector<void*> blocks;
  const auto take = [&](std::size_t size) {
    void* const block = heap.malloc(size);
    ASSERT_NE(block, nullptr);
    std::memset(block, 0xC3, heap.usable_size(block));
    blocks.push_back(block);
  };
  for (std::size_t pages = 1; pages <= 4; ++pages) {
    for (std::size_t less = 0; less <= 128; less += 8) take(pages * page_size - less);
  }
  for (std::size_t size = 1; size < 700; ++size) take(size);
  this->stand.expect_whole("with all in use");
  // One in two, then the rest: each free block's footer is the last word before a neighbour, or before the fence.
  for (std::size_t i = 0; i < blocks.size(); i += 2) heap.free(blocks[i]);
  this->stand.expect_whole("with one in two free");
  for (std::size_t i = 1; i < blocks.size(); i += 2) heap.free(blocks[i]);
  EXPECT_TRUE(this->stand.expect_whole("with all free").used.empty());
  this->stand.heap.reset();
  EXPECT_TRUE(this->stand.segments.empty()) << "the destructor kept a segment";
}

TYPED_TEST(Coalescing, KeepsOneSegmentOnceAllIsFree) {
  auto& heap = *this->stand.heap;
  for (const bool backwards : {false, true}) {
    std::vector<void*> blocks;
    for (std::size_t i = 0; i < 3000; ++i) blocks.push_back(heap.malloc(1 + i % 400));
    if (backwards) std::reverse(blocks.begin(), blocks.end());
    for (void* const block : blocks) heap.free(block);
    const Walked walked = this->stand.expect_whole("once all is free");
    EXPECT_EQ(this->stand.segments.size(), 1U);
    EXPECT_TRUE(walked.free.empty()) << "what is free is not above the top";
    EXPECT_LE(this->stand.segments.begin()->second, 400 * KiB);
  }
}

TYPED_TEST(Coalescing, StaysWholeUnderRandomOperations) {
  auto& heap = *this->stand.heap;
  std::mt19937 random(7);
  std::vector<void*> blocks;
  const auto size = [&] {
    return 1 + random() % (random() % 20 == 0 ? 20000 : random() % 4 == 0 ? 1000 : 100);
  };
  for (int i = 0; i < 40000; ++i) {
    const auto kind = random() % 100;
    if (blocks.empty() || kind < 48) {
      blocks.push_back(kind < 4 ? heap.memalign(std::size_t{16} << random() % 9, size())
                                : heap.malloc(size()));
    } else {
      void*& block = blocks[random() % blocks.size()];
      if (kind < 56) {
        heap.shrink(block, 1 + random() % heap.usable_size(block));
      } else if (kind < 64) {
        heap.try_extend(block, heap.usable_size(block) + random() % 400);
      } else {
        heap.free(block);
        block = blocks.back();
        blocks.pop_back();
      }
    }
    if (i % 500 == 0) {
      EXPECT_EQ(this->stand.expect_whole("in operation " + std::to_string(i)).used.size(), blocks.size());
    }
  }
  for (void* const block : blocks) heap.free(block);
  EXPECT_TRUE(this->stand.expect_whole("at the end").used.empty());
}

}  // namespace
}  // namespace strata::coalescing
