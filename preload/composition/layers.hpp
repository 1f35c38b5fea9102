/// The layers as nodes of a tree: one overload of `describe` each, which says what the layer stands on, and which
/// of its template's arguments matter.
#pragma once

#include "preload/composition/node.hpp"
#include "preload/composition/probe.hpp"
#include "preload/composition/walk.hpp"

#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/aligned_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/chunk_heap.hpp>
#include <strata/layer/coalesce_heap.hpp>
#include <strata/layer/coalesceable_heap.hpp>
#include <strata/layer/freelist_heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/layer/size_heap.hpp>
#include <strata/layer/unique_heap.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace strata::composition {

/// A layer with one parent; `Probed` is the layer over `Parent`, a probe with the parent's phase.
template <class Super, class Probed, class Parent = Probe<Super>>
Node over(std::vector<Parameter> parameters = {}) {
  return node_with(added_by<Probed, Parent>(), std::move(parameters), {{.node = node_of<Super>()}});
}

template <class Super>
Described<AnsiWrapper<Super>> describe(Walk, const AnsiWrapper<Super>*) {
  return {over<Super, AnsiWrapper<Probe<Super>>>()};
}

template <class L, class Super>
Described<LockedHeap<L, Super>> describe(Walk, const LockedHeap<L, Super>*) {
  return {over<Super, LockedHeap<L, Probe<Super>>>({{.name = "Lock", .type = name_of<L>()}})};
}

template <class Super>
Described<AlignedHeap<Super>> describe(Walk, const AlignedHeap<Super>*) {
  return {over<Super, AlignedHeap<HeadedProbe<Super>>, HeadedProbe<Super>>()};
}

template <class Super>
Described<SizeHeap<Super>> describe(Walk, const SizeHeap<Super>*) {
  return {over<Super, SizeHeap<Probe<Super>>>()};
}

template <std::size_t Chunk, class Super>
Described<ChunkHeap<Chunk, Super>> describe(Walk, const ChunkHeap<Chunk, Super>*) {
  return {over<Super, ChunkHeap<Chunk, Probe<Super>>>({{.name = "Chunk", .bytes = Chunk}})};
}

template <class Super>
Described<FreelistHeap<Super>> describe(Walk, const FreelistHeap<Super>*) {
  return {over<Super, FreelistHeap<Probe<Super>>>()};
}

template <class Shared>
Described<UniqueHeap<Shared>> describe(Walk, const UniqueHeap<Shared>*) {
  Node node = node_with(Added{});
  node.refers_to = name_of<Shared>();
  return {node};
}

template <class Dictionary, class Super>
Described<AdaptHeap<Dictionary, Super>> describe(Walk, const AdaptHeap<Dictionary, Super>*) {
  Node node = over<Super, AdaptHeap<Dictionary, Probe<Super>>>(
      {{.name = "Dictionary", .type = name_of<Dictionary>()}});
  node.made_of = {name_of<Dictionary>()};
  return {node};
}

template <class Super>
Described<CoalesceHeap<Super>> describe(Walk, const CoalesceHeap<Super>*) {
  return {over<Super, CoalesceHeap<TaggedProbe<Super>>, TaggedProbe<Super>>()};
}

template <std::size_t Growth, class Super>
Described<CoalesceableHeap<Growth, Super>> describe(Walk, const CoalesceableHeap<Growth, Super>*) {
  Added added = added_by<CoalesceableHeap<Growth, Probe<Super>>, Probe<Super>>();
  // The probe does not extend what it gave; where Super does, one segment serves blocks of any size.
  if (added.chunk && HasTryExtend<Super>) added.chunk->own_from.reset();
  return {node_with(added, {{.name = "Growth", .bytes = Growth}}, {{.node = node_of<Super>()}})};
}

}  // namespace strata::composition
