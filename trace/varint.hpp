/// LEB128: seven bits a byte, the lowest first, the high bit set on every byte but the last.
/// Needs:      nothing.
/// Guarantees: `take_varint` never reads beyond its bytes and refuses what does not fit 64 bits.
/// Threads:    functions of their arguments only.
/// Cost:       a byte per 7 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::trace {

/// Appends to anything that has push_back(std::byte).
template <class Output>
void put_varint(Output& output, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) output.push_back(static_cast<std::byte>(value | 0x80));
  output.push_back(static_cast<std::byte>(value));
}

/// Takes one value off the front; false when there is none.
inline bool take_varint(std::span<const std::byte>& input, std::uint64_t& value) {
  value = 0;
  for (std::size_t at = 0; at < input.size() && at < 10; ++at) {
    const auto byte = static_cast<std::uint64_t>(input[at]);
    if (at == 9 && byte > 1) return false;
    value |= (byte & 0x7F) << (7 * at);
    if (byte < 0x80) {
      input = input.subspan(at + 1);
      return true;
    }
  }
  return false;
}

}  // namespace strata::trace
