/// Writes one stream of a trace: events in, columns out.
/// Needs:      an open BlockWriter that nobody else writes to before finish(); ages that are right.
/// Guarantees: what it writes a StreamCursor reads back, event by event. A failed write shows in the
///             BlockWriter's error().
/// Threads:    one at a time.
/// Cost:       about 40 ns an event and the memory of one chunk.
#pragma once

#include "trace/block_writer.hpp"
#include "trace/columns.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace strata::trace {

class StreamWriter {
 public:
  StreamWriter(BlockWriter& output, std::uint32_t id, const StreamStart& start, std::string_view text);

  void add(const Event& event);

  /// Where the clock stands, relative to the stream's start, before the next event.
  void mark_time(std::uint64_t nanoseconds);

  /// Writes what is left. `totals` need not hold events and objects. Returns the index entry.
  StreamEntry finish(StreamTotals totals);

  std::uint64_t events() const { return first_event_ + events_.size(); }
  std::uint64_t objects() const { return objects_; }

 private:
  void flush();
  void append_column(Column column, ColumnType type, const std::vector<std::byte>& payload);
  void pack_symbols();

  BlockWriter& output_;
  std::uint32_t id_;
  std::uint64_t begin_;
  std::uint64_t first_event_ = 0;
  std::uint64_t first_object_ = 0;
  std::uint64_t objects_ = 0;
  std::vector<Event> events_;
  std::vector<TimeMark> times_;
  std::uint64_t last_time_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> dictionary_;
  std::vector<std::byte> symbols_, ages_, alignments_, threads_, clock_;
};

}  // namespace strata::trace
