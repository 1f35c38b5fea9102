/// Turns what a recording left (rows by thread, in TRACE.part and in the slots file) into a trace
/// (columns in the order of events). Needs:      a part file; the slots file too when the recording
/// was not drained to its end (else null). Guarantees: what precedes damage in the part file is
/// kept. The trace is written beside its final name and
///             renamed when whole, so that TRACE never is half a conversion; neither input is
///             removed.
/// Threads:    none of its own; reentrant.
/// Cost:       memory for the live objects and one block of every thread; about 100 ns an event.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strata::trace {

struct Conversion {
  std::string error;             ///< empty, or one line that says why there is no trace
  bool complete = false;         ///< every stream was recorded to its end
  bool read_everything = false;  ///< nothing in the inputs was unreadable: they are no longer needed
  std::uint64_t events = 0;      ///< of all streams
};

/// One line a warning is appended to `warnings`.
Conversion convert(const std::string& part_path, const char* slots_path_or_null,
                   const std::string& trace_path, std::vector<std::string>& warnings);

}  // namespace strata::trace
