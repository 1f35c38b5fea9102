/// A chunk of a trace, decoded: up to 64 Ki events.
/// Needs:      the chunk block and the column blocks behind it.
/// Guarantees: every event is well formed: a known operation, an age that names an earlier birth. Whether
///             that object still lives is for the caller to see. No malloc; memory is taken by mmap once.
/// Threads:    one at a time.
/// Cost:       about 10 ns an event; 4 MiB of memory.
#pragma once

#include "trace/columns.hpp"
#include "trace/container.hpp"
#include "trace/mapped_array.hpp"

#include <cstdint>
#include <span>

namespace strata::trace {

class Chunk {
 public:
  Chunk();

  /// The bytes of any block of a trace, valid until the next call.
  Fault unpack(const Block& block, Bytes& raw);

  /// Decodes the chunk that begins at `block`, and moves `offset` past its columns.
  Fault decode(Bytes file, const Block& block, std::uint64_t& offset);

  std::span<const Event> events() const { return {events_.data(), header_.events}; }
  std::span<const TimeMark> times() const { return {times_.data(), times_.size()}; }
  std::uint64_t first_event() const { return header_.first_event; }
  std::uint64_t first_object() const { return header_.first_object; }
  std::size_t memory_bytes() const;  ///< resident

 private:
  const char* decode_column(std::uint16_t detail, Bytes raw);
  const char* decode_symbols(Bytes raw);
  const char* decode_ages(Bytes raw);
  const char* decode_alignments(Bytes raw);
  const char* decode_threads(Bytes raw);
  const char* decode_times(Bytes raw);
  const char* check_ages() const;

  ChunkHeader header_{};
  MappedArray<Event> events_;
  MappedArray<TimeMark> times_;
  MappedArray<Event> dictionary_;
  MappedArray<std::byte> room_;
  MappedArray<std::byte> workspace_;
  Unpacker unpacker_;
};

}  // namespace strata::trace
