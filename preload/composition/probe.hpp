/// What a layer adds to a block, found by allocating from it: so that no number is written twice.
///
/// A layer stands on a Probe in place of what it really stands on, with blocks of the same phase, which shows
/// what it was asked for.
#pragma once

#include "preload/composition/node.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/policy/boundary_tags.hpp>
#include <strata/source/mmap_heap.hpp>

#include <cstddef>
#include <cstdint>

namespace strata::composition {

template <HasPhase Like>
class Probe {
 public:
  static constexpr std::size_t alignment = Like::alignment;
  static constexpr std::size_t alignment_offset = Like::alignment_offset;

  void* malloc(std::size_t size) {
    std::byte* const pages = bytes_at(pages_.malloc(size + 3 * alignment)) + natural_alignment;
    void* const block =
        pages + (round_up(address_of(pages), alignment) - address_of(pages)) + alignment_offset;
    seen = {seen.requests + 1, size, block};
    return block;
  }
  void free(void*) {}
  std::size_t usable_size(void*) { return seen.asked; }

  struct Seen {
    std::size_t requests = 0;
    std::size_t asked = 0;
    void* given = nullptr;
  };
  /// By all instances, since a layer may keep its own to itself.
  static inline Seen seen;

 private:
  MmapHeap pages_;
};

/// For a layer that needs a header in front of its parent's blocks.
template <HasPhase Like>
struct HeadedProbe : Probe<Like> {
  static std::size_t& header(void* block) { return BoundaryTags::header(block); }
};

/// For a layer that needs boundary tags around them.
template <HasPhase Like>
struct TaggedProbe : Probe<Like>, BoundaryTags {
  using BoundaryTags::usable_size;
  static void* take(std::size_t) { return nullptr; }
  void* cut(std::size_t bytes) { return this->malloc(bytes - header_bytes); }
  static bool give_back(void*) { return false; }
  static void* remnant() { return nullptr; }
  static void remove(void*) {}
};

/// What two equal requests in a row came to.
struct Answer {
  std::size_t asked = 0;     // of the parent, for the first
  std::size_t in_front = 0;  // from where the parent's block begins to the first
  std::size_t header = 0;    // of that: the layer's own header
  std::size_t stride = 0;    // from the first to the second
  bool cut = false;          // the second came from the parent's block too
};

inline std::size_t distance(const void* from, const void* to) {
  return address_of(to) - address_of(from);
}

template <class Layer, class Parent>
Answer ask(std::size_t size) {
  Layer layer;
  const std::size_t before = Parent::seen.requests;
  void* const first = layer.malloc(size);
  Answer answer = {.asked = Parent::seen.asked, .in_front = distance(Parent::seen.given, first)};
  if constexpr (HasHeader<Layer>) answer.header = distance(&layer.header(first), first);
  void* const second = layer.malloc(size);
  answer.cut = Parent::seen.requests == before + 1;
  if (answer.cut) answer.stride = distance(first, second);
  return answer;
}

/// Which sizes `bytes_for(size)`, the whole block of a request, takes on.
template <class BytesFor>
void find_sizes(Added& added, BytesFor bytes_for) {
  constexpr std::size_t sizes = 256;
  added.least = bytes_for(std::size_t{1});
  added.step = any_size;
  for (std::size_t size = 1; size < sizes; ++size) {
    const std::size_t step = bytes_for(size + 1) - bytes_for(size);
    if (step != 0 && step < added.step) added.step = step;
  }
  if (added.step == any_size) added.step = added.least;
}

/// The least size for which a layer that cuts blocks from chunks takes a chunk for the block alone.
template <class Layer, class Parent>
std::size_t least_uncut() {
  std::size_t cut = 1;
  while (ask<Layer, Parent>(2 * cut).cut) cut *= 2;
  std::size_t uncut = 2 * cut;
  while (uncut - cut > 1) {
    const std::size_t middle = cut + (uncut - cut) / 2;
    (ask<Layer, Parent>(middle).cut ? cut : uncut) = middle;
  }
  return uncut;
}

/// What a layer over Parent, a Probe, adds.
template <class Layer, class Parent>
Added added_by() {
  const Answer one = ask<Layer, Parent>(1);
  Added added;
  if (one.cut) {
    find_sizes(added, [](std::size_t size) { return ask<Layer, Parent>(size).stride; });
    added.in_front = one.header;
    added.chunk = {one.asked, one.in_front - one.header, least_uncut<Layer, Parent>()};
  } else {
    added.in_front = one.in_front;
    find_sizes(added, [](std::size_t size) { return ask<Layer, Parent>(size).asked; });
  }
  return added;
}

}  // namespace strata::composition
