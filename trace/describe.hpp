/// A trace as JSON, as `strata-trace info` prints it.
/// Needs:      an open TraceFile.
/// Guarantees: what precedes damage is described; where it lies is among the warnings and in `damage`.
/// Threads:    one at a time.
/// Cost:       one pass over the events.
#pragma once

#include "trace/trace_file.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace strata::trace {

struct Description {
  nlohmann::ordered_json json;
  Fault damage;              ///< the first
  std::uint64_t events = 0;  ///< that could be read
};

Description describe(const TraceFile& file, const std::string& path, std::uint64_t curve_points);

}  // namespace strata::trace
