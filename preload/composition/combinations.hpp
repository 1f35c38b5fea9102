/// The combining heaps as nodes of a tree: one overload of `describe` each, which says which part serves what.
#pragma once

#include "preload/composition/node.hpp"
#include "preload/composition/probe.hpp"
#include "preload/composition/walk.hpp"

#include <strata/combine/hybrid_heap.hpp>
#include <strata/combine/seg_heap.hpp>
#include <strata/combine/select_mmap_heap.hpp>
#include <strata/combine/sourced_heap.hpp>
#include <strata/combine/strict_seg_heap.hpp>
#include <strata/combine/threshold_heap.hpp>
#include <strata/contract/size_classes.hpp>

#include <cstddef>
#include <vector>

namespace strata::composition {

template <SizeClasses Classes>
std::vector<std::size_t> sizes_of() {
  std::vector<std::size_t> sizes(Classes::count);
  for (std::size_t index = 0; index < Classes::count; ++index) sizes[index] = Classes::size_of(index);
  return sizes;
}

template <SizeClasses Classes>
Parameter parameter_of() {
  return {.name = "Classes", .type = name_of<Classes>(), .sizes = sizes_of<Classes>()};
}

/// Bins that hold what was freed, one for every class.
template <SizeClasses Classes, class Bin>
Part bins_of() {
  return {.node = node_of<Bin>(), .name = "Bin", .takes = Takes::freed_blocks, .copies = Classes::count};
}

template <class Source, class SharingHeap>
Described<SourcedHeap<Source, SharingHeap>> describe(Walk, const SourcedHeap<Source, SharingHeap>*) {
  return {node_with(Added{}, {},
                    {{.node = node_of<SharingHeap>(), .name = "SharingHeap"},
                     {.node = node_of<Source>(), .name = "Source", .takes = Takes::references}})};
}

template <class Classes, class Bin, class Little, class Big>
Described<StrictSegHeap<Classes, Bin, Little, Big>> describe(
    Walk, const StrictSegHeap<Classes, Bin, Little, Big>*) {
  const std::size_t largest = Classes::size_of(Classes::count - 1);
  return {node_with(Added{.classes = sizes_of<Classes>()}, {parameter_of<Classes>()},
                    {bins_of<Classes, Bin>(),
                     {.node = node_of<Little>(), .name = "Little", .up_to = largest},
                     {.node = node_of<Big>(), .name = "Big"}})};
}

template <class Classes, class Bin, std::size_t Scan, class Super>
Described<SegHeap<Classes, Bin, Scan, Super>> describe(Walk, const SegHeap<Classes, Bin, Scan, Super>*) {
  using Probed = SegHeap<Classes, Bin, Scan, Probe<Super>>;
  return {node_with(added_by<Probed, Probe<Super>>(),
                    {parameter_of<Classes>(), {.name = "Scan", .count = Scan}},
                    {bins_of<Classes, Bin>(), {.node = node_of<Super>(), .name = "Super"}})};
}

template <class Classes, class Bin, std::size_t FlushFrom, std::size_t Hold, class Super>
Described<ThresholdHeap<Classes, Bin, FlushFrom, Hold, Super>> describe(
    Walk, const ThresholdHeap<Classes, Bin, FlushFrom, Hold, Super>*) {
  return {node_with(
      Added{.classes = sizes_of<Classes>()},
      {parameter_of<Classes>(), {.name = "FlushFrom", .bytes = FlushFrom}, {.name = "Hold", .bytes = Hold}},
      {bins_of<Classes, Bin>(), {.node = node_of<Super>(), .name = "Super"}})};
}

template <std::size_t Limit, class Small, class Super>
Described<HybridHeap<Limit, Small, Super>> describe(Walk, const HybridHeap<Limit, Small, Super>*) {
  return {node_with(Added{}, {{.name = "Limit", .bytes = Limit}},
                    {{.node = node_of<Small>(), .name = "Small", .up_to = Limit},
                     {.node = node_of<Super>(), .name = "Super"}})};
}

template <std::size_t Threshold, std::size_t Limit, class Mmap, class Super>
Described<SelectMmapHeap<Threshold, Limit, Mmap, Super>> describe(
    Walk, const SelectMmapHeap<Threshold, Limit, Mmap, Super>*) {
  SelectMmapHeap<Threshold, Limit, Probe<Mmap>, TaggedProbe<Super>> probed;
  void* const mapped = probed.malloc(Threshold);
  return {node_with(
      Added{}, {{.name = "Threshold", .bytes = Threshold}, {.name = "Limit", .bytes = Limit}},
      {{.node = node_of<Super>(), .name = "Super", .up_to = Threshold - 1},
       {.node = node_of<Mmap>(), .name = "Mmap", .in_front = distance(Probe<Mmap>::seen.given, mapped)}})};
}

}  // namespace strata::composition
