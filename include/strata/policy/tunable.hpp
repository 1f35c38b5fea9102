/// A tunable as the lab sees it: a named value with a default, a range and a sentence.
///
/// A heap's tunables are a plain struct of std::size_t members, given as a template argument, so
/// that what is fixed at compile time costs nothing. `describe()` lists the members for those who
/// search over them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata {

enum class TunableStep : std::uint8_t { any, power_of_two };

struct Tunable {
  const char* name;
  std::size_t standard;
  std::size_t low;
  std::size_t high;
  TunableStep step;
  const char* what;
};

/// Whether a value lies in the range of its description and on its grid.
constexpr bool admits(const Tunable& tunable, std::size_t value) {
  const bool on_grid = tunable.step == TunableStep::any || (value != 0 && (value & (value - 1)) == 0);
  return value >= tunable.low && value <= tunable.high && on_grid;
}

}  // namespace strata
