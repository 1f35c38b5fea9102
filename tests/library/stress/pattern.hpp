/// What is written into a block: words that only its seed makes, each at its own place.
///
/// A small block is filled. Of a larger one the ends are, where heaps keep what they must not lose, and a few words
/// in between; but one in 64, or of the largest one in 4096, is filled too, as its seed decides.
#pragma once

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strata::stress {

class Pattern {
 public:
  Pattern(std::size_t bytes, std::uint64_t seed) : bytes_(bytes), seed_(seed) {}

  void write(void* block) const {
    for_words([&](std::size_t at, std::size_t bytes) {
      const std::uint64_t word = word_at(at);
      std::memcpy(bytes_at(block) + at, &word, bytes);
    });
  }

  /// Whether it is still there.
  bool in(const void* block) const {
    return differences(block, [this](std::size_t at) { return word_at(at); }) == 0;
  }

  /// Whether what of it lies in the first `limit` bytes is still there.
  bool in(const void* block, std::size_t limit) const {
    bool same = true;
    for_words([&](std::size_t at, std::size_t bytes) {
      if (at >= limit) return;
      const std::uint64_t word = word_at(at);
      same &= std::memcmp(start(block) + at, &word, std::min(bytes, limit - at)) == 0;
    });
    return same;
  }

  /// Whether there is nothing where it is to be written.
  bool zero_in(const void* block) const {
    return differences(block, [](std::size_t) { return std::uint64_t{0}; }) == 0;
  }

 private:
  static constexpr std::size_t word_size = sizeof(std::uint64_t);
  static constexpr std::size_t small = 16, edge = 4, between = 5;  // words
  static constexpr std::size_t often_filled = 64 * KiB;

  static const std::byte* start(const void* block) { return static_cast<const std::byte*>(block); }
  std::uint64_t word_at(std::size_t at) const { return seed_ ^ (at + 1) * 0x9E3779B97F4A7C15U; }
  bool filled() const { return seed_ % (bytes_ <= often_filled ? 64 : 4096) == 0; }

  template <class Expected>
  std::uint64_t differences(const void* block, Expected expected) const {
    std::uint64_t all = 0;
    for_words([&](std::size_t at, std::size_t bytes) {
      std::uint64_t found = 0;
      std::memcpy(&found, start(block) + at, bytes);
      std::uint64_t wanted = expected(at);
      if (bytes < word_size) wanted &= (std::uint64_t{1} << (8 * bytes)) - 1;
      all |= found ^ wanted;
    });
    return all;
  }

  /// Calls `visit(offset, bytes)` for every word of the pattern.
  template <class Visit>
  void for_words(Visit visit) const {
    const std::size_t words = bytes_ / word_size;
    if (words <= small) {
      for (std::size_t i = 0; i < words; ++i) visit(i * word_size, word_size);
    } else {
      for (std::size_t i = 0; i < edge; ++i) visit(i * word_size, word_size);
      const std::size_t stride = filled() ? 1 : words / between;
      for (std::size_t i = edge + (seed_ >> 32U) % stride; i < words - edge; i += stride)
        visit(i * word_size, word_size);
      for (std::size_t i = words - edge; i < words; ++i) visit(i * word_size, word_size);
    }
    if (const std::size_t rest = bytes_ % word_size; rest != 0) visit(words * word_size, rest);
  }

  std::size_t bytes_;
  std::uint64_t seed_;
};

}  // namespace strata::stress
