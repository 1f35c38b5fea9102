/// What requests take is found by allocating; here it is held against what can be told by hand.

#include "preload/composition/requests.hpp"

#include "composition/examples.hpp"

#include <strata/platform/pages.hpp>
#include <strata/platform/program_break.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace strata::composition {
namespace {

TEST(Requests, OfMappingsAreWholePages) {
  for (const std::size_t size : {std::size_t{1}, page_size - 32, page_size - 31, 100 * KiB}) {
    const Request request = request_of<MmapHeap>(size);
    EXPECT_EQ(request.usable, round_up(size + 32, page_size) - 32);
    EXPECT_DOUBLE_EQ(request.taken.value(), static_cast<double>(round_up(size + 32, page_size)));
  }
}

TEST(Requests, TakeTheirShareOfAChunk) {
  constexpr std::size_t chunk = 64 * KiB;
  using Heap = BumpHeap<{.chunk = chunk}>;
  // 8 of header and 4096 of block, rounded up to 16: of a chunk without its link and its mapping's, as many as fit.
  const double blocks = (chunk - 16) / 4112;
  EXPECT_NEAR(request_of<Heap>(4096).taken.value(), (chunk + page_size) / blocks, 2.0 * page_size / blocks);
  EXPECT_NEAR(request_of<Heap>(24).taken.value(), 32, 2.1);
  EXPECT_GE(request_of<Heap>(24).taken.value(), 32);
}

TEST(Requests, OfBlocksOneBehindTheOtherTakeWhatLiesBetween) {
  // Each is moved up to by several growths of the source, which alone would tell less than a block.
  EXPECT_GE(request_of<SbrkHeap<128 * KiB>>(1 * MiB).taken.value(), 1 * MiB + 16);
  EXPECT_NEAR(request_of<SbrkHeap<128 * KiB>>(1 * MiB).taken.value(), 1 * MiB + 16, 200);
  EXPECT_NEAR(request_of<SbrkHeap<4 * KiB>>(100).taken.value(), 112 + 16, 0.1);
}

template <class Heap>
void expect_sane() {
  for (const Request& request : requests_of<Heap>()) {
    EXPECT_GE(request.usable, request.bytes);
    ASSERT_TRUE(request.taken);
    EXPECT_GT(*request.taken, static_cast<double>(request.usable)) << request.bytes;
    EXPECT_LT(*request.taken, 2.3 * static_cast<double>(request.bytes) + 64) << request.bytes;
  }
}

TEST(Requests, TakeMoreThanCanBeUsedAndNotTooMuch) {
  expect_sane<KingsleyHeap<>>();
  expect_sane<KingsleyDropIn<{.steps = 16}>>();
  expect_sane<LeaDropIn<>>();
  expect_sane<CoalescingKingsleyHeap<>>();
  expect_sane<BumpDropIn<>>();
}

TEST(Requests, AreTheSameWhereverTheDataSegmentEnds) {
  const double before = request_of<LeaDropIn<>>(100).taken.value();
  ASSERT_TRUE(move_program_break(3 * static_cast<std::intptr_t>(page_size) + 8));
  EXPECT_DOUBLE_EQ(request_of<LeaDropIn<>>(100).taken.value(), before);
}

TEST(Requests, LeaveTheDataSegmentAsItWas) {
  const std::byte* const before = program_break();
  request_of<LeaDropIn<>>(100);
  EXPECT_EQ(program_break(), before);
}

TEST(Requests, OfAHeapThatDoesNotCountAreNotMadeUp) {
  EXPECT_FALSE(request_of<Sized>(100).taken);
  EXPECT_EQ(request_of<Sized>(100).usable, 104U);
}

}  // namespace
}  // namespace strata::composition
