/// The command line of strata-record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::record {

struct Options {
  std::string trace;   ///< where the trace goes
  std::string report;  ///< where the JSON report goes; empty: nowhere
  std::uint32_t slots = 512;
  std::vector<char*> program;  ///< its name and arguments, and a null
};

/// Nothing when there is nothing to do: `status` is then what to exit with, and the user was told why.
std::optional<Options> parse_options(int count, char** arguments, int& status);

}  // namespace strata::record
