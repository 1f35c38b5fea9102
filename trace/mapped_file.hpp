/// A whole file, mapped for reading.
/// Needs:      a regular file that nobody cuts short meanwhile.
/// Guarantees: no malloc.
/// Threads:    the mapping may be read by any.
/// Cost:       one mmap.
#pragma once

#include "trace/container.hpp"

namespace strata::trace {

class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Null, or why the file cannot be read ("No such file or directory", "is a directory", ...).
  const char* open(const char* path);

  Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace strata::trace
