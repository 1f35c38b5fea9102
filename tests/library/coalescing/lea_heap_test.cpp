/// What LeaHeap promises beyond being a heap: quick lists and when they are emptied, mappings, realloc in place, the
/// top given back.

#include "library/coalescing/guarded_source.hpp"
#include "library/coalescing/walk.hpp"
#include "library/conformance/supply.hpp"

#include <strata/contract/footprint.hpp>
#include <strata/heap/coalescing_kingsley_heap.hpp>
#include <strata/heap/lea_heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/pages.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/mmap_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace strata::coalescing {
namespace {

using conformance::the_system;

/// Quick lists over a heap that can be walked.
template <LeaTunables Tunables>
struct Quick {
  void expect(std::size_t used, std::size_t free, const char* when) {
    const Walked walked = walk(segments);
    EXPECT_TRUE(walked.faults.empty()) << walked.faults.front() << " " << when;
    EXPECT_EQ(walked.used.size(), used) << when;
    EXPECT_EQ(walked.free.size(), free) << when;
  }

  Segments segments;
  LeaBlocks<Tunables, GrowingSource> heap{segments};
};

constexpr LeaTunables small_hold = {.hold = 4 * KiB, .flush_from = 1 * KiB};

TEST(QuickLists, KeepSmallObjectsUncoalescedLastInFirstOut) {
  Quick<small_hold> quick;
  void* const first = quick.heap.malloc(64);
  void* const second = quick.heap.malloc(64);
  void* const medium = quick.heap.malloc(80);
  void* const last = quick.heap.malloc(24);
  quick.heap.free(first);
  quick.heap.free(second);
  quick.expect(4, 0, "with two small objects kept");
  quick.heap.free(medium);
  quick.expect(3, 1, "with a medium object freed");
  EXPECT_EQ(quick.heap.malloc(60), second);
  EXPECT_EQ(quick.heap.malloc(64), first);
  EXPECT_NE(quick.heap.malloc(64), last);
}

TEST(QuickLists, AreEmptiedWhenALargeObjectIsAskedFor) {
  Quick<small_hold> quick;
  std::array<void*, 10> blocks{};
  for (void*& block : blocks) block = quick.heap.malloc(40);
  void* const barrier = quick.heap.malloc(24);
  for (void* const block : blocks) quick.heap.free(block);
  void* const medium = quick.heap.malloc(1 * KiB - 1);
  quick.expect(12, 0, "before a large object");
  void* const large = quick.heap.malloc(1 * KiB);
  quick.expect(3, 1, "after a large object");
  quick.heap.free(medium);
  quick.heap.free(large);
  quick.heap.free(barrier);
}

TEST(QuickLists, AreEmptiedWhenTheyHoldTooMuch) {
  Quick<small_hold> quick;
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(quick.heap.malloc(64));
  void* const barrier = quick.heap.malloc(24);
  std::size_t freed = 0;
  while (walk(quick.segments).free.empty()) {
    ASSERT_LT(freed, blocks.size()) << "never emptied";
    quick.heap.free(blocks[freed++]);
  }
  EXPECT_GT(freed * 72, small_hold.hold) << "emptied too early";
  EXPECT_LE((freed - 2) * 72, small_hold.hold) << "emptied too late";
  quick.expect(blocks.size() - freed + 1, 1, "after too much was held");
  quick.heap.free(barrier);
}

TEST(QuickLists, AreEmptiedBeforeMemoryIsSaidToHaveRunOut) {
  std::vector<std::byte> buffer(64 * KiB);
  LeaBlocks<{.growth = 4 * KiB}, BufferHeap> heap{std::span(buffer)};
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> blocks;
    while (void* const block = heap.malloc(40)) blocks.push_back(block);
    EXPECT_GE(blocks.size() * 48, buffer.size() - 8 * KiB) << "much of the buffer is lost";
    for (void* const block : blocks) heap.free(block);
    void* const medium = heap.malloc(40 * KiB);
    EXPECT_NE(medium, nullptr) << "although everything is free";
    if (medium != nullptr) heap.free(medium);
  }
}

/// The bytes that the system has given so far, and what an operation adds.
template <class Operation>
std::ptrdiff_t taken_by(Operation operation) {
  const auto before = static_cast<std::ptrdiff_t>(the_system().outstanding());
  operation();
  return static_cast<std::ptrdiff_t>(the_system().outstanding()) - before;
}

constexpr LeaTunables fixed = {.mmap_limit = 16 * KiB};

TEST(Mappings, AreWhatObjectsFromTheThresholdOnGetAndGoAtOnce) {
  the_system().begin();
  LeaHeap<fixed> heap;
  heap.malloc(1000);
  for (const std::size_t size : {128 * KiB, 128 * KiB + 1, 200 * KiB, 3 * MiB}) {
    for (int round = 0; round < 3; ++round) {
      void* block = nullptr;
      const auto rounded = static_cast<std::ptrdiff_t>(round_up(size + 64, page_size));
      EXPECT_EQ(taken_by([&] { block = heap.malloc(size); }), rounded);
      EXPECT_EQ(taken_by([&] { heap.free(block); }), -rounded);
    }
  }
  // Just below the threshold nothing goes back before there is much of it.
  void* block = nullptr;
  taken_by([&] { block = heap.malloc(128 * KiB - 1); });
  EXPECT_EQ(taken_by([&] { heap.free(block); }), 0);
  EXPECT_EQ(taken_by([&] { block = heap.malloc(128 * KiB - 1); }), 0);
}

TEST(Mappings, RaiseTheThresholdWhenTheyAreFreed) {
  the_system().begin();
  LeaHeap<> heap;
  void* const first = heap.malloc(1 * MiB);
  EXPECT_LT(taken_by([&] { heap.free(first); }), -static_cast<std::ptrdiff_t>(1 * MiB) + 1);
  void* second = heap.malloc(1 * MiB);
  EXPECT_EQ(taken_by([&] { heap.free(second); }), 0) << "a size that was freed once is wanted again";
  void* larger = nullptr;
  EXPECT_GT(taken_by([&] { larger = heap.malloc(2 * MiB); }), static_cast<std::ptrdiff_t>(2 * MiB));
  EXPECT_LT(taken_by([&] { heap.free(larger); }), -static_cast<std::ptrdiff_t>(2 * MiB));
  // Beyond the limit a mapping stays one.
  for (int round = 0; round < 2; ++round) {
    void* const huge = heap.malloc(40 * MiB);
    EXPECT_LT(taken_by([&] { heap.free(huge); }), -static_cast<std::ptrdiff_t>(40 * MiB));
  }
  heap.clear();
  void* const again = heap.malloc(1 * MiB);
  EXPECT_LT(taken_by([&] { heap.free(again); }), 0) << "clear does not forget the threshold";
}

TEST(Mappings, AreMovedByReallocWithTheirContents) {
  LeaHeap<> heap;
  auto* block = static_cast<unsigned char*>(heap.malloc(200 * KiB));
  for (std::size_t i = 0; i < 200 * KiB; ++i) block[i] = static_cast<unsigned char>(i * 31 >> 3);
  for (std::size_t size = 400 * KiB; size <= 64 * MiB; size *= 2) {
    heap.malloc(300 * KiB);  // in the way, perhaps
    block = static_cast<unsigned char*>(heap.realloc(block, size));
    ASSERT_NE(block, nullptr);
    block[size - 1] = 1;
  }
  block = static_cast<unsigned char*>(heap.realloc(block, 200 * KiB));
  for (std::size_t i = 0; i < 200 * KiB; ++i) ASSERT_EQ(block[i], static_cast<unsigned char>(i * 31 >> 3));
}

template <class Heap>
class CoalescingHeap : public testing::Test {};
using Heaps = testing::Types<LeaHeap<>, LeaDropIn<>, LeaHeap<{}, MmapHeap>, CoalescingKingsleyHeap<>,
                             CoalescingKingsleyDropIn<{}, MmapHeap>>;
TYPED_TEST_SUITE(CoalescingHeap, Heaps);

TYPED_TEST(CoalescingHeap, ReallocatesInPlaceWhereTheNeighbourIsFree) {
  TypeParam heap;
  void* const first = heap.malloc(1000);
  void* const second = heap.malloc(1000);
  void* const third = heap.malloc(1000);
  heap.free(second);
  EXPECT_EQ(heap.realloc(first, 1900), first);
  EXPECT_NE(heap.realloc(first, 3000), first) << "over what is in use";
  EXPECT_EQ(heap.realloc(third, 300), third);
}

TYPED_TEST(CoalescingHeap, ReallocatesInPlaceAtTheTop) {
  TypeParam heap;
  auto* block = static_cast<char*>(heap.malloc(100));
  for (std::size_t size = 200; size < 100 * KiB; size += 1000) {
    ASSERT_EQ(heap.realloc(block, size), block) << "at " << size;
    block[size - 1] = 'x';
  }
}

TYPED_TEST(CoalescingHeap, GivesTheTopBack) {
  // Beforehand, so that the C library does not move the break above the heap's.
  std::vector<void*> blocks(40000);
  the_system().begin();
  TypeParam heap;
  for (int round = 0; round < 3; ++round) {
    for (void*& block : blocks) block = heap.malloc(1000);
    EXPECT_GT(heap.footprint().current, blocks.size() * 1000);
    if (round == 1) std::reverse(blocks.begin(), blocks.end());
    for (void* const block : blocks) heap.free(block);
    EXPECT_LT(heap.footprint().current, 2 * MiB) << "the top is kept";
    EXPECT_EQ(heap.footprint().current, the_system().outstanding());
  }
}

/// The sum of the peaks is not the peak.
TEST(FootprintOfSeveralSources, HasThePeakOfTheirSum) {
  FootprintCounter whole;
  MmapHeap first, second;
  first.count_into(whole);
  second.count_into(whole);
  void* block = first.malloc(1 * MiB);
  first.free(block);
  block = second.malloc(1 * MiB);
  EXPECT_EQ(whole.own().peak, first.footprint().peak);
  EXPECT_EQ(whole.own().current, second.footprint().current);
  void* const beside = first.malloc(1 * MiB);
  EXPECT_EQ(whole.own().peak, first.footprint().peak + second.footprint().peak);
  first.free(beside);
  second.free(block);
  EXPECT_EQ(whole.own().current, 0U);

  std::vector<std::byte> memory(64 * KiB);
  BufferHeap third{std::span(memory)};
  third.count_into(whole);
  third.malloc(1000);
  second.malloc(1000);
  EXPECT_EQ(whole.own().current, third.footprint().current + second.footprint().current);
  third.clear();
  EXPECT_EQ(whole.own().current, second.footprint().current);
  second.clear();
  EXPECT_EQ(whole.own().current, 0U);
}

}  // namespace
}  // namespace strata::coalescing
