/// The sources as nodes of a tree: where a composition's memory comes from.
#pragma once

#include "preload/composition/node.hpp"
#include "preload/composition/probe.hpp"
#include "preload/composition/walk.hpp"

#include <strata/platform/arithmetic.hpp>
#include <strata/platform/pages.hpp>
#include <strata/source/block_stack.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/malloc_heap.hpp>
#include <strata/source/mmap_heap.hpp>
#include <strata/source/null_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace strata::composition {

/// What BlockStack adds to a block, found by stacking two of them.
inline Added added_by_stack() {
  std::vector<std::byte> room(4 * KiB);
  const auto stride = [&](std::size_t size) {
    BlockStack stack(room.data(), room.data() + room.size());
    void* const first = stack.push(size);
    return distance(first, stack.push(size));
  };
  BlockStack stack(room.data(), room.data() + room.size());
  Added added = {.in_front = distance(stack.begin(), stack.push(1))};
  find_sizes(added, stride);
  return added;
}

inline Node stacked(std::vector<Parameter> parameters = {}) {
  Node node = node_with(added_by_stack(), std::move(parameters));
  node.made_of = {name_of<BlockStack>()};
  return node;
}

template <std::size_t Growth>
Described<SbrkHeap<Growth>> describe(Walk, const SbrkHeap<Growth>*) {
  return {stacked({{.name = "Growth", .bytes = Growth}})};
}

inline Described<BufferHeap> describe(Walk, const BufferHeap*) {
  return {stacked()};
}

inline Described<MmapHeap> describe(Walk, const MmapHeap*) {
  const auto whole = [](std::size_t size) {
    MmapHeap heap;
    heap.malloc(size);
    return heap.footprint().current;
  };
  MmapHeap heap;
  Added added = {.in_front = address_of(heap.malloc(1)) % page_size};
  find_sizes(added, whole);
  return {node_with(added)};
}

inline Described<MallocHeap> describe(Walk, const MallocHeap*) {
  return {};
}

inline Described<NullHeap> describe(Walk, const NullHeap*) {
  return {node_with(Added{})};
}

}  // namespace strata::composition
