/// What a finished trace tells about how much of the program's memory it covers.
///
/// Needs:      a trace that convert() wrote.
/// Guarantees: one line a finding; none for a trace that covers its program.
/// Threads:    any.
/// Cost:       reads the index and the end of every stream.
#pragma once

#include <string>
#include <vector>

namespace strata::record {

void add_findings(const std::string& trace_path, const std::string& program,
                  std::vector<std::string>& warnings);

}  // namespace strata::record
