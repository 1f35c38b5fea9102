/// Size-class maps: how requests are rounded up to the sizes that bins hold.
#pragma once

#include <strata/contract/size_classes.hpp>
#include <strata/platform/arithmetic.hpp>

#include <bit>
#include <cstddef>

namespace strata {

/// 8, 16, 32, ... 2^(Count+2): Kingsley's classes (PLDI01 section 6.1; there, Count is 29). At
/// worst a block is twice what was asked for; a request for a power of two fits exactly, because
/// headers are not counted.
template <std::size_t Count = 29>
struct PowerOfTwoClasses {
  static constexpr std::size_t count = Count;
  static constexpr std::size_t class_of(std::size_t size) { return log2_floor((size - 1) | 7) - 2; }
  static constexpr std::size_t size_of(std::size_t index) { return std::size_t{8} << index; }
};

/// `Steps` classes (a power of two) from each power of two to the next, so that at most 1/Steps of
/// a block is lost to rounding; below 32*Steps bytes, one class for every 16. The sizes are
/// multiples of 16 plus 8: what is left of a 16-byte granule behind an 8-byte header.
template <std::size_t Steps, std::size_t Doublings = 28>
struct SteppedClasses {
  static_assert(std::has_single_bit(Steps), "SteppedClasses: Steps must be a power of two");

  static constexpr std::size_t count = Steps * Doublings + 1;
  static constexpr std::size_t class_of(std::size_t size) {
    const std::size_t granules = (size + 7) / 16;  // of 16 bytes, behind the first 8
    if (granules <= 2 * Steps) return granules;
    const std::size_t shift = log2_floor(granules - 1) - log2_floor(Steps);
    return shift * Steps + ((granules - 1) >> shift) + 1;
  }
  static constexpr std::size_t class_below(std::size_t size) {
    const std::size_t granules = (size + 8) / 16 - 1;
    if (granules <= 2 * Steps) return granules;
    const std::size_t shift = log2_floor(granules) - log2_floor(Steps);
    return shift * Steps + (granules >> shift);
  }
  static constexpr std::size_t size_of(std::size_t index) {
    if (index <= 2 * Steps) return index * 16 + 8;
    const std::size_t shift = (index - 1) / Steps - 1;
    return ((index - shift * Steps) << shift) * 16 + 8;
  }
};

/// The classes of another map from the one of `Least` on; what is smaller belongs to that.
template <SizeClasses Classes, std::size_t Least>
struct ClassesFrom {
  static constexpr std::size_t first = Classes::class_of(Least);
  static constexpr std::size_t count = Classes::count - first;
  static constexpr std::size_t class_of(std::size_t size) {
    return Classes::class_of(size < Least ? Least : size) - first;
  }
  static constexpr std::size_t class_below(std::size_t size) {
    return strata::class_below<Classes>(size) - first;
  }
  static constexpr std::size_t size_of(std::size_t index) { return Classes::size_of(index + first); }
};

/// One class for every granule of 16 bytes, of sizes as SteppedClasses has them, from the one that holds `Least` to
/// the one that holds `Most` bytes.
template <std::size_t Least, std::size_t Most>
struct GranuleClasses {
  static constexpr std::size_t least = round_up(Least + 8, 16) - 8;
  static constexpr std::size_t count = (round_up(Most + 8, 16) - 8 - least) / 16 + 1;
  static constexpr std::size_t class_of(std::size_t size) {
    // Without a branch: which of the smallest sizes a program asks for next cannot be predicted.
    const auto granules = static_cast<std::ptrdiff_t>(size - least + 15) >> 4;
    return static_cast<std::size_t>(granules & ~(granules >> 63));
  }
  static constexpr std::size_t class_below(std::size_t size) { return (size + 8) / 16 - (least + 8) / 16; }
  static constexpr std::size_t size_of(std::size_t index) { return least + index * 16; }
};

static_assert(SizeClasses<PowerOfTwoClasses<>> && SizeClasses<SteppedClasses<4>> &&
              SizeClasses<ClassesFrom<SteppedClasses<4>, 24>> && SizeClasses<GranuleClasses<24, 64>>);

}  // namespace strata
