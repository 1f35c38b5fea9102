/// The finished heaps as their users see them: side by side, deleted whole, ready before any constructor has run.

#include "library/conformance/supply.hpp"

#include <strata/heap/bump_heap.hpp>
#include <strata/heap/coalescing_kingsley_heap.hpp>
#include <strata/heap/kingsley_heap.hpp>
#include <strata/heap/lea_heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

namespace strata {
namespace {

using conformance::the_system;

bool is_mapped(const void* address) {
  void* const page = reinterpret_cast<void*>(round_down(address_of(address), page_size));
  return ::msync(page, page_size, MS_ASYNC) == 0;
}

template <class Heap>
std::vector<void*> use(Heap& heap, int value) {
  std::vector<void*> blocks;
  for (std::size_t size = 1; size < 300000; size += size / 2 + 1) {
    void* const block = heap.malloc(size);
    std::memset(block, value, size);
    blocks.push_back(block);
    heap.free(heap.malloc(size));
    blocks.push_back(heap.memalign(256, size));
  }
  return blocks;
}

template <class Heap>
class FinishedHeap : public testing::Test {};

using Heaps = testing::Types<KingsleyHeap<>, KingsleyDropIn<>, KingsleyHeap<{}, MmapHeap>,
                             KingsleyDropIn<{}, MmapHeap>, BumpHeap<>, BumpDropIn<>, CoalescingKingsleyHeap<>,
                             CoalescingKingsleyDropIn<>, CoalescingKingsleyHeap<{}, MmapHeap>, LeaHeap<>,
                             LeaDropIn<>, LeaHeap<{}, MmapHeap>, LeaDropIn<{}, MmapHeap>>;
TYPED_TEST_SUITE(FinishedHeap, Heaps);

/// Whichever goes first, its mappings go with it, and nobody else's do.
TYPED_TEST(FinishedHeap, IsDeletedWholeBesideOthers) {
  the_system().begin();
  for (const auto& order : {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{1, 2, 0}}) {
    std::array<std::unique_ptr<TypeParam>, 3> heaps;
    std::array<std::vector<void*>, 3> blocks;
    for (std::size_t i = 0; i < 3; ++i) {
      heaps[i] = std::make_unique<TypeParam>();
      blocks[i] = use(*heaps[i], static_cast<int>(i) + 1);
    }
    std::size_t counted = 0;
    for (const auto& heap : heaps) counted += heap->footprint().current;
    EXPECT_EQ(counted, the_system().outstanding());
    for (const int index : order) {
      const auto gone = static_cast<std::size_t>(index);
      heaps[gone].reset();
      // What is larger than a page has pages of its own.
      EXPECT_FALSE(is_mapped(bytes_at(blocks[gone].back()) + 2 * page_size));
      for (std::size_t i = 0; i < 3; ++i) {
        if (heaps[i] == nullptr) continue;
        for (std::size_t block = 0; block < blocks[i].size(); block += 2) {
          EXPECT_EQ(*static_cast<char*>(blocks[i][block]), static_cast<char>(i + 1));
        }
      }
    }
    EXPECT_EQ(the_system().outstanding(), 0U);
  }
}

TYPED_TEST(FinishedHeap, IsClearedWhole) {
  the_system().begin();
  TypeParam heap;
  std::size_t peak = 0;
  for (int i = 0; i < 5; ++i) {
    use(heap, i);
    peak = std::max(peak, heap.footprint().current);
    heap.clear();
    EXPECT_EQ(heap.footprint().current, 0U);
    EXPECT_EQ(the_system().outstanding(), 0U);
  }
  EXPECT_GE(heap.footprint().peak, peak);
}

/// A request for exactly a power of two must not double because of a header.
TYPED_TEST(FinishedHeap, TakesLittleMoreForAPowerOfTwo) {
  TypeParam heap;
  for (int i = 0; i < 2000; ++i) heap.malloc(4096);
  EXPECT_LT(heap.footprint().current, std::size_t{2000} * 4096 * 5 / 4);
}

/// As a drop-in holds its heap: initialised at compile time, and never destroyed.
template <class Heap>
union Undying {
  constexpr Undying() : heap() {}
  constexpr ~Undying() {}
  Heap heap;
};
constinit Undying<KingsleyDropIn<>> kingsley;
constinit Undying<KingsleyDropIn<{}, MmapHeap>> kingsley_in_mappings;
constinit Undying<BumpDropIn<>> bump;
constinit Undying<CoalescingKingsleyDropIn<>> coalescing_kingsley;
constinit Undying<LeaDropIn<>> lea;

TEST(DropInHeaps, AreInitialisedAtCompileTime) {
  EXPECT_NE(kingsley.heap.malloc(1), nullptr);
  EXPECT_NE(kingsley_in_mappings.heap.malloc(1), nullptr);
  EXPECT_NE(bump.heap.malloc(1), nullptr);
  EXPECT_NE(coalescing_kingsley.heap.malloc(1), nullptr);
  EXPECT_NE(lea.heap.malloc(1), nullptr);
  EXPECT_NE(lea.heap.malloc(1 * MiB), nullptr);
}

TEST(KingsleyHeap, HandsOutWhatWasFreedLast) {
  KingsleyHeap<> heap;
  void* const first = heap.malloc(100);
  void* const second = heap.malloc(100);
  heap.free(first);
  heap.free(second);
  EXPECT_EQ(heap.malloc(128), second) << "of the same class";
  EXPECT_EQ(heap.malloc(65), first);
  EXPECT_NE(heap.malloc(64), first) << "of another class";
}

TEST(KingsleyHeap, ReusesABlockThatWasAligned) {
  KingsleyHeap<> heap;
  void* const aligned = heap.memalign(4096, 100);
  EXPECT_GE(heap.usable_size(aligned), 100U);
  heap.free(aligned);
  void* const plain = heap.malloc(100 + 4096 - 16);
  EXPECT_LE(plain, aligned);
  EXPECT_GE(bytes_at(plain) + heap.usable_size(plain), bytes_at(aligned) + 100);
}

template <class Heap>
void expect_no_copies() {
  static_assert(!std::is_copy_constructible_v<Heap> && !std::is_copy_assignable_v<Heap>);
  static_assert(!std::is_move_constructible_v<Heap> && !std::is_move_assignable_v<Heap>);
}

/// Two copies would free one another's memory.
TEST(FinishedHeaps, CannotBeCopied) {
  expect_no_copies<KingsleyHeap<>>();
  expect_no_copies<KingsleyDropIn<>>();
  expect_no_copies<KingsleyHeap<{}, MmapHeap>>();
  expect_no_copies<BumpHeap<>>();
  expect_no_copies<BumpDropIn<>>();
  expect_no_copies<CoalescingKingsleyHeap<>>();
  expect_no_copies<CoalescingKingsleyDropIn<>>();
  expect_no_copies<LeaHeap<>>();
  expect_no_copies<LeaDropIn<>>();
}

}  // namespace
}  // namespace strata
