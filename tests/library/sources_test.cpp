/// SbrkHeap when the break is not its own, and MmapHeap.

#include "library/conformance/supply.hpp"

#include <strata/platform/arithmetic.hpp>
#include <strata/platform/program_break.hpp>
#include <strata/source/mmap_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

namespace strata {
namespace {

using conformance::Supply;
using conformance::the_system;

constexpr std::size_t growth = 64 * KiB;
using Sbrk = SbrkHeap<growth>;

Supply& fresh_account() {
  the_system().begin();
  return the_system();
}

/// Moves the break as another user of it would, and back when it goes out of scope.
class SomebodyElse {
 public:
  explicit SomebodyElse(std::intptr_t bytes) : bytes_(bytes), block_(::sbrk(bytes)) {
    std::memset(block_, 0x5E, static_cast<std::size_t>(bytes));
  }
  ~SomebodyElse() { ::sbrk(-bytes_); }
  SomebodyElse(const SomebodyElse&) = delete;
  SomebodyElse& operator=(const SomebodyElse&) = delete;

  bool undisturbed() const {
    const auto* const bytes = static_cast<const unsigned char*>(block_);
    return std::all_of(bytes, bytes + bytes_, [](unsigned char byte) { return byte == 0x5E; });
  }

 private:
  const std::intptr_t bytes_;
  void* const block_;
};

bool is_mapped(const void* address) {
  void* const page = reinterpret_cast<void*>(round_down(address_of(address), page_size));
  return ::msync(page, page_size, MS_ASYNC) == 0;
}

void* filled_block(Sbrk& heap, std::size_t size, int value) {
  void* const block = heap.malloc(size);
  if (block != nullptr) std::memset(block, value, size);
  return block;
}

bool holds(void* block, std::size_t size, int value) {
  const auto* const bytes = static_cast<const unsigned char*>(block);
  return std::all_of(bytes, bytes + size, [&](unsigned char byte) { return byte == value; });
}

TEST(SbrkHeap, GrowsInSteps) {
  Supply& supply = fresh_account();
  Sbrk heap;
  EXPECT_EQ(heap.footprint().current, 0U);
  heap.malloc(100);
  EXPECT_EQ(heap.footprint().current % page_size, 0U);
  EXPECT_LE(heap.footprint().current, growth);
  heap.malloc(growth);
  EXPECT_LE(heap.footprint().current, 3 * growth);
  EXPECT_EQ(heap.footprint().current, supply.outstanding());
}

TEST(SbrkHeap, GivesBackAtTheTopOnly) {
  Supply& supply = fresh_account();
  Sbrk heap;
  std::array<void*, 64> blocks{};
  for (void*& block : blocks) block = heap.malloc(growth / 2);
  const std::size_t full = supply.outstanding();
  std::for_each(blocks.begin(), blocks.end() - 1, [&](void* block) { heap.free(block); });
  EXPECT_EQ(supply.outstanding(), full) << "the topmost block is in use";
  heap.free(blocks.back());
  EXPECT_LE(supply.outstanding(), 2 * growth) << "now everything is free";
  EXPECT_TRUE(heap.trim(0));
  EXPECT_EQ(heap.footprint().current, 0U);
  EXPECT_EQ(supply.outstanding(), 0U);
  EXPECT_FALSE(heap.trim(0));
  EXPECT_EQ(heap.footprint().peak, full);
}

TEST(SbrkHeap, MapsWhenSomebodyElseMovedTheBreak) {
  Supply& supply = fresh_account();
  {
    Sbrk heap;
    void* const before = filled_block(heap, 1000, 1);
    const SomebodyElse other(3000);
    std::vector<void*> after;
    for (int i = 0; i < 20; ++i) {
      after.push_back(filled_block(heap, 20000, 2));
      ASSERT_NE(after.back(), nullptr);
      EXPECT_TRUE(heap.owns(after.back()));
    }
    EXPECT_EQ(supply.outstanding(), heap.footprint().current + 3000);
    EXPECT_TRUE(holds(before, 1000, 1));
    for (void* const block : after) EXPECT_TRUE(holds(block, 20000, 2));
    EXPECT_FALSE(heap.trim(0)) << "there is nothing of its own at the top";
    heap.free(before);
    for (void* const block : after) heap.free(block);
    EXPECT_NE(heap.malloc(100000), nullptr);
    EXPECT_TRUE(other.undisturbed());
  }
  EXPECT_EQ(supply.outstanding(), 0U);
}

TEST(SbrkHeap, LeavesAHoleUnderSomebodyElsesMemory) {
  Supply& supply = fresh_account();
  auto* const heap = new Sbrk;
  void* const block = heap->malloc(10 * page_size);
  const SomebodyElse other(100);
  EXPECT_TRUE(is_mapped(bytes_at(block) + 5 * page_size));
  delete heap;
  EXPECT_FALSE(is_mapped(bytes_at(block) + 5 * page_size));
  EXPECT_EQ(supply.outstanding(), 100U);
  EXPECT_TRUE(other.undisturbed());
}

TEST(SbrkHeap, UsesTheBreakAgainAfterClear) {
  fresh_account();
  Sbrk heap;
  heap.malloc(1000);
  {
    const SomebodyElse other(page_size);
    heap.malloc(2 * growth);
    heap.clear();
    EXPECT_EQ(heap.footprint().current, 0U);
    EXPECT_NE(heap.malloc(1000), nullptr);
    EXPECT_GT(heap.footprint().current, 0U);
    EXPECT_TRUE(other.undisturbed());
    heap.clear();
  }
  EXPECT_NE(filled_block(heap, 3 * growth, 7), nullptr);
}

TEST(SbrkHeap, StartsAtAnOddBreak) {
  Supply& supply = fresh_account();
  const SomebodyElse other(24);
  {
    Sbrk heap;
    for (int i = 0; i < 100; ++i) {
      void* const block = filled_block(heap, 3000, i);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(address_of(block) % 16, 0U);
    }
  }
  EXPECT_EQ(supply.outstanding(), 24U);
  EXPECT_TRUE(other.undisturbed());
}

TEST(SbrkHeap, MapsWhenTheSystemWillNotMoveTheBreak) {
  Supply& supply = fresh_account();
  Sbrk heap;
  supply.refuse(1, false);
  void* const block = filled_block(heap, 1000, 9);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(heap.footprint().current, supply.outstanding());
  supply.refuse(1, true);
  EXPECT_EQ(heap.malloc(4 * growth), nullptr);
  EXPECT_TRUE(holds(block, 1000, 9));
  supply.refuse_none();
  EXPECT_NE(heap.malloc(4 * growth), nullptr);
}

/// Private memory of this process, as RLIMIT_DATA counts it.
std::size_t data_in_use() {
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  std::array<char, 256> line{};
  std::size_t kilobytes = 0;
  while (status != nullptr && std::fgets(line.data(), line.size(), status) != nullptr) {
    if (std::sscanf(line.data(), "VmData: %zu kB", &kilobytes) == 1) break;
  }
  if (status != nullptr) std::fclose(status);
  return kilobytes * KiB;
}

TEST(SbrkHeap, EndsInNullUnderALimit) {
  const pid_t child = ::fork();
  if (child == 0) {
    Sbrk heap;
    const rlimit limit = {data_in_use() + MiB, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_DATA, &limit) != 0) ::_exit(2);
    std::size_t blocks = 0;
    while (void* const block = heap.malloc(10000)) {
      std::memset(block, 1, 10000);
      if (++blocks > 1000) ::_exit(3);
    }
    if (blocks < 20) ::_exit(4);
    heap.clear();
    ::_exit(heap.malloc(10000) != nullptr ? 0 : 5);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(MmapHeap, MapsWholePagesAndUnmapsThemAtOnce) {
  Supply& supply = fresh_account();
  MmapHeap heap;
  for (const std::size_t size :
       {std::size_t{1}, page_size - 33, page_size - 32, page_size - 31, page_size, 10 * page_size}) {
    void* const block = heap.malloc(size);
    ASSERT_NE(block, nullptr);
    const std::size_t usable = heap.usable_size(block);
    EXPECT_GE(usable, size);
    EXPECT_LT(usable, size + page_size);
    EXPECT_TRUE(holds(block, usable, 0)) << "a fresh block is not zeroed";
    std::memset(block, 1, usable);
    EXPECT_EQ(heap.footprint().current % page_size, 0U);
    heap.free(block);
    EXPECT_EQ(supply.outstanding(), 0U);
    EXPECT_FALSE(is_mapped(block));
  }
}

TEST(MmapHeap, UnlinksInAnyOrder) {
  std::array<int, 4> order = {0, 1, 2, 3};
  do {
    Supply& supply = fresh_account();
    {
      MmapHeap heap;
      std::array<void*, 4> blocks{};
      for (void*& block : blocks) block = heap.malloc(100);
      for (int i = 0; i < 3; ++i)
        heap.free(blocks[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
      void* const last = blocks[static_cast<std::size_t>(order[3])];
      EXPECT_TRUE(heap.owns(last));
      EXPECT_EQ(heap.footprint().current, page_size);
    }
    EXPECT_EQ(supply.outstanding(), 0U);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(MmapHeap, ExtendsIntoFreeAddressesOnly) {
  Supply& supply = fresh_account();
  MmapHeap heap;
  // The system places one mapping below the one before, so the second has the first behind it.
  std::array<void*, 8> blocks{};
  for (void*& block : blocks) block = heap.malloc(page_size);
  std::sort(blocks.begin(), blocks.end());
  bool refused = false;
  for (void* const block : blocks) refused = !heap.try_extend(block, 4 * MiB) || refused;
  EXPECT_TRUE(refused) << "eight mappings were all extended by megabytes";
  EXPECT_EQ(heap.footprint().current, supply.outstanding());
  // With a hole behind it, one can be.
  heap.clear();
  void* const low = heap.malloc(100);
  const std::size_t one = heap.footprint().current;
  void* const hole = bytes_at(low) - sizeof(void*) * 4 + one;
  if (!is_mapped(hole)) {
    EXPECT_TRUE(heap.try_extend(low, page_size));
    EXPECT_EQ(heap.footprint().current, 2 * one);
    EXPECT_TRUE(holds(low, page_size, 0));
  }
  EXPECT_EQ(heap.footprint().current, supply.outstanding());
}

}  // namespace
}  // namespace strata
