/// Files of a test: a folder that goes away, bytes in and out, a command's output.
#pragma once

#include "trace/container.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace strata::test {

class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::vector<std::byte> read_file(const std::string& path);
void write_file(const std::string& path, trace::Bytes bytes);

struct Output {
  int exit_status = 0;  ///< -1 when a signal ended it
  std::string out, err;
};

/// Runs a command line by the shell.
Output run(const std::string& command);

}  // namespace strata::test
