/// One layer of a composition as a picture shows it: what it is called, what it adds to a block, and what it
/// stands on.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strata::composition {

/// A template argument that matters: a number of bytes, a number of something else, or a type; a map of size
/// classes with their sizes.
struct Parameter {
  std::string name = {};
  std::optional<std::size_t> bytes = {};
  std::optional<std::size_t> count = {};
  std::string type = {};
  std::vector<std::size_t> sizes = {};
};

/// A stretch that blocks are cut from.
struct Chunk {
  std::size_t bytes = 0;
  std::size_t in_front = 0;
  std::optional<std::size_t> own_from = {};  // a block of this size, or a larger one, has a chunk of its own
};

/// What a layer makes of a request: `least` bytes or more, `in_front` of them in front of the block, in steps of
/// `step`. Of a request of one of `classes` or less, that class.
struct Added {
  std::size_t in_front = 0;
  std::size_t least = 1;
  std::size_t step = 1;
  std::vector<std::size_t> classes = {};
  std::optional<Chunk> chunk = {};
};

/// What a layer hands on to a part that it stands on.
enum class Takes { requests, freed_blocks, references };

struct Part;

struct Node {
  std::string layer = {};
  std::string finished = {};  // the class that gives this composition a name of its own; empty if none does
  std::string refers_to =
      {};  // the layer that this one shares with others; empty if it owns what it stands on
  std::vector<Parameter> parameters = {};
  std::vector<std::string> made_of = {};  // classes with a header of their own in the layer's folder
  std::optional<Added> added = {};        // nothing: not ours to know
  std::size_t alignment = 1;
  std::size_t alignment_offset = 0;
  std::size_t object_bytes = 0;  // of the heap from here on down: what an instance takes
  std::vector<Part> parts;
};

inline constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();

struct Part {
  Node node = {};
  std::string name = {};  // as the layer's template calls it; empty for the only one
  Takes takes = Takes::requests;
  std::size_t copies = 1;
  std::size_t up_to = any_size;  // requests beyond this go to a later part
  std::size_t in_front = 0;      // of a block of this part alone
};

/// What `describe` tells of a layer; the rest of the node follows from its type.
inline Node node_with(std::optional<Added> added, std::vector<Parameter> parameters = {},
                      std::vector<Part> parts = {}) {
  Node node;
  node.added = std::move(added);
  node.parameters = std::move(parameters);
  node.parts = std::move(parts);
  return node;
}

}  // namespace strata::composition
