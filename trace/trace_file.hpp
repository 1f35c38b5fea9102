/// A trace on disk: its streams, and a cursor over the events of one.
/// Needs:      a file that nobody changes meanwhile.
/// Guarantees: no malloc. A file that is not a readable trace gives a Fault. One without its trailer is read
///             up to its last good block: `finished()` is false and `damage()` says where it ends.
/// Threads:    a TraceFile may be read by any; a StreamCursor belongs to one.
/// Cost:       open() reads the trailer, or every block when there is none.
#pragma once

#include "trace/chunk.hpp"
#include "trace/columns.hpp"
#include "trace/container.hpp"
#include "trace/mapped_array.hpp"
#include "trace/mapped_file.hpp"

#include <span>
#include <string_view>

namespace strata::trace {

class TraceFile {
 public:
  /// `Fault::offset` of a file that cannot be read at all.
  static constexpr std::uint64_t nowhere = unknown;

  Fault open(const char* path);

  Bytes bytes() const { return file_.bytes(); }
  std::span<const StreamEntry> streams() const { return {streams_.data(), streams_.size()}; }
  bool finished() const { return finished_; }
  Fault damage() const { return damage_; }
  std::size_t memory_bytes() const { return streams_.bytes(); }

 private:
  bool read_index();
  void scan();

  MappedFile file_;
  MappedArray<StreamEntry> streams_;
  bool finished_ = false;
  Fault damage_;
};

class StreamCursor {
 public:
  enum class Step { chunk, end, fault };

  /// Decodes into `chunk`, which must outlive it.
  StreamCursor(const TraceFile& file, const StreamEntry& stream, Chunk& chunk)
      : file_(file.bytes()), stream_(stream), chunk_(&chunk), offset_(stream.begin) {}

  /// First call: who the stream is. `text` holds until the next call.
  Fault start(StreamStart& start, std::string_view& text);

  /// Decodes the next chunk; at the end the totals are known.
  Step next();

  const StreamTotals& totals() const { return totals_; }
  std::uint64_t chunk_offset() const { return chunk_offset_; }  ///< of the chunk just decoded
  Fault fault() const { return fault_; }

 private:
  Step fail(Fault fault);

  Bytes file_;
  StreamEntry stream_;
  Chunk* chunk_;
  std::uint64_t offset_;
  std::uint64_t chunk_offset_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t objects_ = 0;
  StreamTotals totals_{};
  Fault fault_;
};

}  // namespace strata::trace
