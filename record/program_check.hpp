/// Whether the recorder can be preloaded into a program, found out before it is started.
///
/// Needs:      a name as the user gave it, looked up in PATH like a shell would.
/// Guarantees: one clear line and the exit status to leave with when nothing could be recorded. Scripts are
/// followed
///             to their interpreter.
/// Threads:    any.
/// Cost:       a few reads.
#pragma once

#include <string>

namespace strata::record {

struct ProgramCheck {
  std::string path;   ///< what to execute
  std::string error;  ///< empty when it can be recorded
  int status = 0;     ///< 126 or 127 with an error
};

ProgramCheck check_program(const std::string& name);

}  // namespace strata::record
