/// What a recording left behind, as one view: the buffers of rows in TRACE.part and those that were still in
/// the slots file, by stream and thread, in the order they were filled.
/// Needs:      a part file that nobody appends to.
/// Guarantees: a buffer that stands in both files is there once; what precedes damage in the part file is
///             there; what is missing is told in `warnings`, per stream in `Stream::whole`.
/// Threads:    read-only once open.
/// Cost:       one pass over the part file, and 48 bytes a buffer of 64 KiB.
#pragma once

#include "trace/container.hpp"
#include "trace/mapped_array.hpp"
#include "trace/mapped_file.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace strata::trace {

class Recording {
 public:
  struct Buffer {
    std::uint64_t sequence;
    std::uint64_t block;  ///< offset in the part file, when `slot` is empty
    Bytes slot;           ///< rows that still lie in the slots file
  };
  struct Stream {
    std::map<std::uint32_t, std::vector<Buffer>> threads;
    bool whole = true;  ///< no buffer is known to be missing
  };

  Recording();

  /// Empty, or why there is nothing to convert.
  std::string open(const std::string& part_path, const char* slots_path_or_null,
                   std::vector<std::string>& warnings);

  const std::map<std::uint32_t, Stream>& streams() const { return streams_; }

  /// The rows of a buffer, in `room` or in the file.
  Bytes rows(const Buffer& buffer, std::vector<std::byte>& room) const;

  /// False when damage hides a part of either file.
  bool read_everything() const { return read_everything_; }

 private:
  std::string open_part(const std::string& path, std::vector<std::string>& warnings);
  void open_slots(const std::string& path, std::vector<std::string>& warnings);
  void add(std::uint32_t stream, std::uint32_t thread, Buffer buffer);
  void put_in_order(std::vector<std::string>& warnings);

  MappedFile part_;
  MappedFile slots_;
  std::map<std::uint32_t, Stream> streams_;
  bool read_everything_ = true;
  MappedArray<std::byte> workspace_;
  mutable Unpacker unpacker_;
};

}  // namespace strata::trace
