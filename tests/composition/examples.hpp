/// Compositions that have every layer of the library in them between them, so that what holds for their trees holds
/// for each.
#pragma once

#include "preload/composition/combinations.hpp"
#include "preload/composition/layers.hpp"
#include "preload/composition/sources.hpp"

#include <strata/heap/bump_heap.hpp>
#include <strata/heap/coalescing_kingsley_heap.hpp>
#include <strata/heap/kingsley_heap.hpp>
#include <strata/heap/lea_heap.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <tuple>

namespace strata::composition {

using Sized = SizeHeap<MallocHeap>;

/// A finished heap that is no template, and has a layer twice.
class Twice : public SizeHeap<ChunkHeap<4096, SizeHeap<BufferHeap>>> {};

using Examples =
    std::tuple<KingsleyHeap<>, KingsleyDropIn<{.steps = 4}>, KingsleyHeap<{}, BufferHeap>, BumpHeap<>,
               BumpDropIn<>, LeaHeap<>, LeaDropIn<>, CoalescingKingsleyHeap<>, CoalescingKingsleyDropIn<>,
               Twice, FreelistHeap<Sized>, HybridHeap<64, FreelistHeap<Sized>, Sized>>;

/// The names of all classes with a header of their own in a tree.
inline void collect(const Node& node, std::set<std::string>& names) {
  names.insert(node.layer);
  names.insert(node.made_of.begin(), node.made_of.end());
  for (const Part& part : node.parts) collect(part.node, names);
}

/// FreelistHeap -> freelist_heap, DLList -> dl_list: how the header of a class is called.
inline std::string header_name(const std::string& name) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::string header;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool begins_word =
        upper(name[i]) && i > 0 && (!upper(name[i - 1]) || (i + 1 < name.size() && !upper(name[i + 1])));
    if (begins_word) header += '_';
    header += upper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return header;
}

}  // namespace strata::composition
