/// A size-class map: which bin serves a size, and how large the blocks of a bin are.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace strata {

/// `count` bins; `class_of(size)` for 1 <= size <= PTRDIFF_MAX, at or beyond `count` when no bin is
/// large enough; `size_of(index)` is the largest size of bin `index`. Both are monotone, and
/// `class_of(size_of(i)) == i`.
template <class C>
concept SizeClasses = requires(std::size_t n) {
  // A member that is not static, or no constant, is rejected here; further down it would be an error.
  { &C::count } -> std::same_as<const std::size_t*>;
  typename std::integral_constant<std::size_t, C::count>;
  requires(C::count > 0);
  { C::class_of(n) } -> std::same_as<std::size_t>;
  { C::size_of(n) } -> std::same_as<std::size_t>;
  typename std::integral_constant<std::size_t, C::class_of(C::size_of(0))>;
  requires C::class_of(C::size_of(0)) == 0;
  requires C::class_of(C::size_of(C::count - 1)) == C::count - 1;
  requires C::class_of(C::size_of(C::count - 1) + 1) >= C::count;
};

/// The largest class whose blocks are no larger than `size`: where a block of that size serves every request of its
/// class. Beyond `count` when there is none. A map may have a shorter way to tell.
template <SizeClasses C>
constexpr std::size_t class_below(std::size_t size) {
  if constexpr (requires { C::class_below(size); }) {
    return C::class_below(size);
  } else {
    return C::class_of(size + 1) - 1;
  }
}

/// The first class whose bin may hold blocks larger than its size, for blocks that end on a granule of 16 bytes behind
/// a header of 8.
template <SizeClasses C>
consteval std::size_t first_inexact_class() {
  for (std::size_t index = 0; index + 1 < C::count; ++index) {
    const std::size_t largest_there = (C::size_of(index + 1) - 9) / 16 * 16 + 8;
    if (largest_there > C::size_of(index)) return index;
  }
  return C::count - 1;
}

}  // namespace strata
