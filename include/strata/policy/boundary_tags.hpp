/// How a block tells its size and its neighbours (PLDI01 Table 1, "object representation"; Knuth's boundary tags).
///
/// Blocks lie one behind the other, each behind a header of one word: the block's size, header included, a multiple
/// of 16, with flags in the low bits. The header lies at phase 8, so that the object behind it is at a multiple of 16.
///
///   in use   | size, flags | object ...                                  |
///   free     | size, flags | links of a list ...             | size      |   the last word is the footer
///
/// A footer is there only while its block is free; the next block's header says whether it is. Behind the last block
/// of a segment lies a header of size 0, the fence, which is never free.
#pragma once

#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>

#include <concepts>
#include <cstddef>

namespace strata {

/// The words around an object, given the object's address.
struct BoundaryTags {
  static constexpr std::size_t header_bytes = sizeof(std::size_t);
  static constexpr std::size_t granule = 16;
  /// A free block's header, two links and footer.
  static constexpr std::size_t smallest = 32;

  static constexpr std::size_t free_flag = 1;           // never set while the block is in use
  static constexpr std::size_t previous_free_flag = 2;  // the block in front is free, and has a footer
  static constexpr std::size_t mapped_flag = 4;         // a mapping of its own, with no neighbours
  static constexpr std::size_t flags = granule - 1;

  /// What a block for an object of `size` bytes takes.
  static constexpr std::size_t bytes_for(std::size_t size) {
    const std::size_t bytes = round_up(size + header_bytes, granule);
    return bytes < smallest ? smallest : bytes;
  }

  static std::size_t& header(void* object) { return static_cast<std::size_t*>(object)[-1]; }
  static std::size_t size(void* object) { return header(object) & ~flags; }
  static std::size_t usable_size(void* object) { return size(object) - header_bytes; }

  static bool is_free(void* object) { return (header(object) & free_flag) != 0; }
  static bool is_mapped(void* object) { return (header(object) & mapped_flag) != 0; }
  static bool previous_is_free(void* object) { return (header(object) & previous_free_flag) != 0; }

  static void* next(void* object) { return bytes_at(object) + size(object); }
  /// Of the block in front, which must be free: its footer.
  static std::size_t previous_size(void* object) { return static_cast<std::size_t*>(object)[-2]; }

  /// A free block between two in use, and what its neighbour says of it.
  static void mark_free(void* object, std::size_t bytes) {
    void* const behind = bytes_at(object) + bytes;
    static_cast<std::size_t*>(behind)[-2] = bytes;
    header(behind) |= previous_free_flag;
    header(object) = bytes | free_flag;  // last: who reads it next need not load it
  }

  /// Turns all of a free block, or what is left of it, into one in use.
  static void mark_used(void* object, std::size_t bytes) {
    header(object) = bytes;
    header(bytes_at(object) + bytes) &= ~previous_free_flag;
  }
};

/// Blocks are laid out as above. `cut(bytes)` is a new one, in use, of just so many bytes with its header; null if there
/// is no memory. The last one of a segment may be handed back: `give_back(block)` is true if it was taken. `remnant()`
/// is, once, what was left of a segment that another one has replaced: a block in use; else null.
template <class H>
concept HasBoundaryTags =
    std::derived_from<H, BoundaryTags> && requires(H& heap, void* block, std::size_t bytes) {
      { heap.cut(bytes) } -> std::same_as<void*>;
      { heap.give_back(block) } -> std::same_as<bool>;
      { heap.remnant() } -> std::same_as<void*>;
    };

}  // namespace strata
