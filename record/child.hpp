/// The program under recording: started with the recorder preloaded, signalled as a user expects.
///
/// Needs:      one Child in a process: it owns the process's signal handlers.
/// Guarantees: the program starts with the signal mask, dispositions and environment that strata-record was
/// started
///             with, but for LD_PRELOAD (ours first) and STRATA_SLOTS. Keys such as Ctrl-C reach it from the
///             terminal; SIGTERM and SIGHUP sent to strata-record are passed on.
/// Threads:    one at a time.
/// Cost:       a fork.
#pragma once

#include <strata/event/slot_file.hpp>

#include <sys/types.h>

#include <optional>
#include <string>

namespace strata::record {

class Child {
 public:
  /// From here on a full quota is an error to strata-record, not the end of it.
  Child();

  struct Environment {
    std::string recorder;  ///< path of libstrata-recorder.so
    std::string slots;     ///< absolute path of TRACE.slots
  };

  /// Empty, or why the program could not be executed. Its end interrupts Drainer::wait on `slots`.
  std::string start(const std::string& path, char* const* arguments, const Environment& environment,
                    slots::Header& slots);

  /// What wait(2) says of the program once it has ended.
  std::optional<int> ended();

 private:
  pid_t pid_ = -1;
};

}  // namespace strata::record
