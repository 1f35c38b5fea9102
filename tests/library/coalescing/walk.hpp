/// Walks through a heap with boundary tags, block by block, and says what is wrong with it.
///
/// A segment: two links, a header; the objects, one behind the other, from 32 bytes in; a header of size 0.
#pragma once

#include "library/coalescing/guarded_source.hpp"

#include <strata/policy/boundary_tags.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace strata::coalescing {

struct Walked {
  std::vector<void*> free;
  std::vector<void*> used;
  /// Of the blocks, headers included.
  std::size_t free_bytes = 0;
  std::size_t used_bytes = 0;
  std::vector<std::string> faults;
};

inline void walk_segment(std::byte* segment, std::size_t bytes, Walked& walked) {
  using Tags = BoundaryTags;
  const auto expect = [&](bool holds, const std::string& what) {
    if (!holds) walked.faults.push_back(what);
    return holds;
  };
  std::byte* object = segment + 32;
  std::byte* const end = segment + bytes;
  bool after_free = false;
  while (Tags::size(object) != 0) {
    const std::size_t size = Tags::size(object);
    if (!expect(size >= Tags::smallest && object + size <= end, "a block reaches out of its segment")) return;
    expect(Tags::previous_is_free(object) == after_free, "a header is wrong about the block in front");
    expect(!Tags::is_mapped(object), "a block among others is told to be a mapping");
    const bool is_free = Tags::is_free(object);
    if (is_free) {
      expect(!after_free, "two free blocks are neighbours");
      expect(static_cast<std::size_t*>(Tags::next(object))[-2] == size, "a footer is wrong");
    }
    (is_free ? walked.free : walked.used).push_back(object);
    (is_free ? walked.free_bytes : walked.used_bytes) += size;
    after_free = is_free;
    object += size;
  }
  expect(object <= end, "the fence lies outside the segment");
  expect(!Tags::is_free(object), "the fence is free");
  // Under the top no block is free; behind the last of a segment that has been left, one may be.
  expect(Tags::previous_is_free(object) == after_free, "the fence is wrong about the block in front");
}

inline Walked walk(const Segments& segments) {
  Walked walked;
  for (const auto& [segment, bytes] : segments) walk_segment(segment, bytes, walked);
  return walked;
}

/// Also that every free block is in the bins once, and nothing else is. Bins is the heap's base that holds them.
template <class Bins, class Heap>
Walked walk_with_bins(const Segments& segments, Heap& heap) {
  Walked walked = walk(segments);
  Bins& bins = heap;
  std::set<void*> kept;
  while (void* const block = bins.take(1)) {
    if (!kept.insert(block).second) {
      walked.faults.push_back("a block is in the bins twice");
      return walked;
    }
  }
  for (void* const block : kept) bins.free(block);
  if (kept != std::set<void*>(walked.free.begin(), walked.free.end())) {
    walked.faults.push_back("the bins do not hold just what is free");
  }
  return walked;
}

}  // namespace strata::coalescing
