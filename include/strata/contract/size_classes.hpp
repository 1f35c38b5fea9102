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

}  // namespace strata
