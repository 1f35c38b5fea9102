/// The bytes that a heap has asked from the OS: what the papers call memory consumption is the
/// peak.
///
/// Counted at the source and per instance: the sum of the bins' peaks is not the heap's peak, and a
/// static counter would be shared by every heap of one type.
#pragma once

#include <cstddef>

namespace strata {

struct Footprint {
  std::size_t current = 0;
  std::size_t peak = 0;

  constexpr void grow(std::size_t bytes) {
    current += bytes;
    if (current > peak) peak = current;
  }
  constexpr void shrink(std::size_t bytes) { current -= bytes; }
};

/// A source's own footprint, which can be counted into that of a heap with several sources: there, too, the sum
/// of the peaks is not the peak.
class FootprintCounter {
 public:
  constexpr FootprintCounter() = default;

  constexpr void grow(std::size_t bytes) {
    own_.grow(bytes);
    if (whole_ != nullptr) whole_->grow(bytes);
  }
  constexpr void shrink(std::size_t bytes) {
    own_.shrink(bytes);
    if (whole_ != nullptr) whole_->shrink(bytes);
  }
  constexpr void count_into(FootprintCounter& whole) { whole_ = &whole; }
  constexpr const Footprint& own() const { return own_; }

 private:
  Footprint own_;
  FootprintCounter* whole_ = nullptr;
};

}  // namespace strata
