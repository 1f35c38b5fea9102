/// Runs strata-record in a folder of the test's own, and reads what it left.
#pragma once

#include "tests/trace/files.hpp"
#include "trace/columns.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace strata::test {

struct Stream {
  trace::StreamStart start{};
  std::string executable;
  std::vector<std::string> command;
  trace::StreamTotals totals{};
  std::vector<trace::Event> events;

  /// Births of this exact size.
  std::size_t births(std::uint64_t size) const;
  /// Ends (frees and reallocs) of objects of this exact size.
  std::size_t deaths(std::uint64_t size) const;
};

struct Outcome {
  int wait_status = 0;
  std::string out, err;

  int exit_status() const;  ///< -1 when a signal ended it
};

/// Where the test's helper programs lie.
std::string helper(const std::string& name);

class RecordingFolder : public Folder {
 public:
  /// Runs a command in the folder to its end.
  Outcome run(const std::vector<std::string>& command) const;
  /// Starts one and does not wait. Its output goes where run's does.
  pid_t start(const std::vector<std::string>& command) const;
  Outcome wait(pid_t pid) const;

  /// strata-record -o t.trace OPTIONS -- PROGRAM
  Outcome record(const std::vector<std::string>& program, const std::vector<std::string>& options = {}) const;
  std::vector<std::string> record_command(const std::vector<std::string>& program,
                                          const std::vector<std::string>& options = {}) const;

  /// Every stream of t.trace, checked event by event by the reader; fails the test when it is not whole.
  std::vector<Stream> streams() const;
};

/// The stream with the most births of this size; fails the test when there is none.
Stream stream_with(const std::vector<Stream>& streams, std::uint64_t size);

}  // namespace strata::test
