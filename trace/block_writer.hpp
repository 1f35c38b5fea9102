/// Writes a container: the file header, then one block a call.
/// Needs:      a path that can be written.
/// Guarantees: the file always ends with a whole block, also after a failed write (a full disk):
/// the part
///             of a block that was written is cut off again, and every later append is refused.
/// Threads:    one at a time.
/// Cost:       zstd at the level asked for, one pwritev a block; no fsync.
#pragma once

#include "trace/container.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

struct ZSTD_CCtx_s;

namespace strata::trace {

class BlockWriter {
 public:
  BlockWriter() = default;
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Creates (or empties) the file. False when that failed; `error()` says why.
  bool open(const std::string& path, Content content, int zstd_level = 3);

  /// Appends a block, stored when compression does not make it smaller. False when the file could
  /// not take it.
  bool append(BlockKind kind, std::uint32_t stream, std::uint32_t thread, Bytes payload,
              std::uint16_t detail = 0);

  /// Closes the file; false when it or any append before it failed.
  bool close();

  std::uint64_t bytes() const { return bytes_; }       ///< of the file so far: the next block's offset
  const std::string& error() const { return error_; }  ///< empty, or "PATH: No space left on device"
  bool ok() const { return descriptor_ >= 0 && error_.empty(); }

 private:
  bool write_all(Bytes head, Bytes payload);
  bool fail(int error_number);

  std::string path_;
  std::string error_;
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
  ZSTD_CCtx_s* context_ = nullptr;
  std::vector<std::byte> packed_;
};

}  // namespace strata::trace
