/// Random numbers at a nanosecond each: what an operation of the stress program can afford. Repeatable by their seed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata::stress {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed * 0xD1342543DE82EF95U + 1) {
    for (int i = 0; i < 4; ++i) (*this)();
  }

  constexpr std::uint64_t operator()() {
    state_ = state_ * 0x5851F42D4C957F2DU + 0x14057B7EF767814FU;
    const std::uint64_t mixed = (state_ ^ (state_ >> 32U)) * 0xD6E8FEB86659FD93U;
    return mixed ^ (mixed >> 32U);
  }

  /// One of 0 ... n - 1, where n fits in 32 bits.
  constexpr std::size_t below(std::size_t n) { return ((*this)() >> 32U) * n >> 32U; }

  /// A power of two between 2^low and 2^high, and some more, so that every magnitude is as likely.
  constexpr std::size_t magnitude(std::size_t low, std::size_t high) {
    const std::size_t power = std::size_t{1} << (low + below(high - low + 1));
    return power + below(power);
  }

  /// True once in `n` times.
  constexpr bool once_in(std::size_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace strata::stress
