/// Arithmetic on sizes and addresses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata {

inline constexpr std::size_t KiB = 1024;
inline constexpr std::size_t MiB = 1024 * KiB;

/// The least multiple of `step` (a power of two) that is not below `n`; the caller knows that it
/// fits.
constexpr std::size_t round_up(std::size_t n, std::size_t step) {
  return (n + step - 1) & ~(step - 1);
}

constexpr std::size_t round_down(std::size_t n, std::size_t step) {
  return n & ~(step - 1);
}

/// The position of the highest bit of n, which is not 0.
constexpr std::size_t log2_floor(std::size_t n) {
  return static_cast<unsigned>(63 ^ __builtin_clzl(n));
}

inline std::uintptr_t address_of(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

inline std::byte* bytes_at(void* p) {
  return static_cast<std::byte*>(p);
}

}  // namespace strata
