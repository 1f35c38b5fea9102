/// What the timed loop interprets: words of 8 bytes.
///
///     bits 0-2 what to do, 3-31 the slot that holds the object, 32-63 the size asked for
///
/// A realloc is followed by a word with the object's old size, an aligned birth by one with its alignment. A
/// `wide` word, for sizes of 4 GiB and more, names what to do in its size field and is followed by two words:
/// the size, and the old size or alignment (0 where there is none).
/// Needs:      fewer than 2^29 objects live at once.
/// Guarantees: layout only.
/// Threads:    plain values.
/// Cost:       8 bytes for nearly every event.
#pragma once

#include <cstdint>

namespace strata::replay {

enum class Action : std::uint8_t { free, malloc, calloc, realloc, aligned, wide };

using Word = std::uint64_t;

inline constexpr unsigned slot_bits = 29;
inline constexpr std::uint64_t max_slots = std::uint64_t{1} << slot_bits;
inline constexpr std::uint64_t max_narrow_size = UINT32_MAX;
inline constexpr std::uint64_t prefetch_distance = 64;  ///< words that may be read beyond the last one

inline constexpr Word encode(Action action, std::uint64_t slot, std::uint64_t size) {
  return static_cast<Word>(action) | slot << 3 | size << 32;
}
inline constexpr Action action_of(Word word) {
  return static_cast<Action>(word & 7);
}
inline constexpr std::uint64_t slot_of(Word word) {
  return word >> 3 & (max_slots - 1);
}
inline constexpr std::uint64_t size_of(Word word) {
  return word >> 32;
}

}  // namespace strata::replay
