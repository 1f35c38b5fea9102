/// What layers add to a block is found by allocating; here it is held against what their headers say.

#include "composition/examples.hpp"
#include "preload/composition/probe.hpp"

#include <strata/platform/pages.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace strata::composition {
namespace {

struct At8 {
  static constexpr std::size_t alignment = 16, alignment_offset = 8;
};
struct At0 {
  static constexpr std::size_t alignment = 16, alignment_offset = 0;
};

template <class T>
Added added() {
  return *node_of<T>().added;
}

void expect(const Added& added, std::size_t in_front, std::size_t least, std::size_t step) {
  EXPECT_EQ(added.in_front, in_front);
  EXPECT_EQ(added.least, least);
  EXPECT_EQ(added.step, step);
}

TEST(Added, ByAHeader) {
  expect(added_by<SizeHeap<Probe<At8>>, Probe<At8>>(), 8, 16, 8);
  expect(added_by<SizeHeap<Probe<At0>>, Probe<At0>>(), 16, 24, 8);
}

TEST(Added, NothingByLayersThatPassOn) {
  expect(added<FreelistHeap<Sized>>(), 0, 1, 1);
  expect(added<AlignedHeap<Sized>>(), 0, 1, 1);
  expect(added<AnsiWrapper<Sized>>(), 0, 1, 1);
  expect(added<LockedHeap<Mutex, Sized>>(), 0, 1, 1);
  EXPECT_FALSE(added<AnsiWrapper<Sized>>().chunk);
}

TEST(Added, ByCuttingFromChunks) {
  const Added chunked = added<ChunkHeap<4096, MallocHeap>>();
  expect(chunked, 0, 16, 16);
  ASSERT_TRUE(chunked.chunk);
  EXPECT_LE(chunked.chunk->bytes, 4096U);
  EXPECT_GT(chunked.chunk->bytes, 4000U);
  EXPECT_EQ(chunked.chunk->in_front, 8U);
  EXPECT_EQ(chunked.chunk->own_from, 4096U / 8 + 1);
}

TEST(Added, ByBoundaryTags) {
  const Added extended = added<CoalesceableHeap<4096, SbrkHeap<>>>();
  expect(extended, 8, 32, 16);
  ASSERT_TRUE(extended.chunk);
  EXPECT_EQ(extended.chunk->bytes, 4096U);
  EXPECT_FALSE(extended.chunk->own_from) << "a segment that can be extended serves every size";
  EXPECT_TRUE((added<CoalesceableHeap<4096, MallocHeap>>().chunk->own_from));
  const auto blocks = node_of<LeaMedium<{}, MmapHeap>>();
  expect(*blocks.added, 0, 24, 16);
}

TEST(Added, ByALinkInAFreeBlock) {
  expect(added<AdaptHeap<DLList, MallocHeap>>(), 0, sizeof(DLList::Entry), 1);
}

TEST(Added, BySources) {
  expect(added<SbrkHeap<>>(), 16, 32, 16);
  expect(added<BufferHeap>(), 16, 32, 16);
  expect(added<MmapHeap>(), 32, page_size, page_size);
  EXPECT_FALSE(node_of<MallocHeap>().added);
}

TEST(Added, ToMappedBlocksAlone) {
  const Node lea = node_of<LeaHeap<>>();
  const Node& select = lea.parts[0].node;
  expect(*select.added, 0, 1, 1);
  EXPECT_EQ(select.parts[0].in_front, 0U);
  EXPECT_EQ(select.parts[1].in_front, 16U);
}

/// The class that a tree says a request is rounded up to.
std::size_t class_for(const Added& added, std::size_t size) {
  for (const std::size_t each : added.classes) {
    if (size <= each) return each;
  }
  return size;
}

TEST(Added, ByClassesIsWhatThePartBelowIsAskedFor) {
  using Classes = GranuleClasses<24, 100>;
  using Bins = FreelistHeap<NullHeap>;
  const Added told = added<ThresholdHeap<Classes, Bins, 4096, 65536, Sized>>();
  using Asking = ThresholdHeap<Classes, Bins, 4096, 65536, Probe<At0>>;
  for (std::size_t size = 1; size < 300; ++size) {
    EXPECT_EQ((ask<Asking, Probe<At0>>(size).asked), class_for(told, size)) << size;
  }
}

TEST(Added, ByStrictClassesIsWhatCanBeUsed) {
  using Stepped = SteppedClasses<4, 6>;
  using Heap = StrictSegHeap<Stepped, FreelistHeap<NullHeap>, SizeHeap<MmapHeap>, SizeHeap<MmapHeap>>;
  const Added told = added<Heap>();
  for (std::size_t size = 1; size < 3000; size += 7) {
    Heap heap;
    void* const block = heap.malloc(size);
    EXPECT_EQ(heap.usable_size(block), round_up(class_for(told, size), 8)) << size;
    heap.free(block);
  }
}

}  // namespace
}  // namespace strata::composition
