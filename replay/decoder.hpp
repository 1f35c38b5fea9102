/// Turns a stream's events into words for the interpreter, a window at a time, outside the timed stretch.
/// Needs:      a readable stream; the windows interpreted in order.
/// Guarantees: slots are recycled, so that there are as many as objects were ever live at once; a trace that
///             ends an object twice is refused. No malloc.
/// Threads:    one at a time.
/// Cost:       about 30 ns an event; all its memory is present and counted by memory_bytes().
#pragma once

#include "replay/instruction.hpp"
#include "trace/live_map.hpp"
#include "trace/live_totals.hpp"
#include "trace/mapped_array.hpp"
#include "trace/trace_file.hpp"

#include <cstdint>
#include <span>

namespace strata::replay {

class Decoder {
 public:
  /// A stretch of a window after which the memory in use may be sampled.
  struct Segment {
    std::uint64_t words_end;   ///< within the window
    std::uint64_t events_end;  ///< within the stream
    std::uint64_t live_bytes;  ///< after it
  };

  /// `segment_events`: how many events a segment has, the last one apart.
  Decoder(const trace::TraceFile& file, const trace::StreamEntry& stream, std::uint64_t segment_events);

  /// Back to the stream's first event; nothing is live.
  trace::Fault rewind();

  /// Decodes the next window; false at the end of the stream and at a fault.
  bool next();
  trace::Fault fault() const { return fault_; }

  std::span<const Word> words() const { return {words_.data(), words_.size()}; }
  std::span<const Segment> segments() const { return {segments_.data(), segments_.size()}; }
  std::uint64_t slots() const { return slots_; }  ///< that the words so far use
  const trace::LiveTotals& live() const { return totals_; }
  std::uint64_t memory_bytes() const;

  template <class Visit>
  void for_each_live_slot(Visit visit) const {
    live_.for_each([&visit](std::uint64_t, const Object& object) { visit(object.slot); });
  }

 private:
  struct Object {
    std::uint64_t size;
    std::uint64_t slot;
  };

  bool take_chunk();
  const char* decode(const trace::Event& event);
  void put(Action action, std::uint64_t slot, std::uint64_t size, std::uint64_t operand);
  std::uint64_t take_slot();
  void end_segment();

  const trace::TraceFile& file_;
  trace::StreamEntry stream_;
  trace::Chunk chunk_;
  trace::StreamCursor cursor_;
  trace::LiveMap<Object> live_;
  trace::LiveTotals totals_;
  trace::MappedArray<std::uint64_t> free_slots_;
  trace::MappedArray<Word> words_;
  trace::MappedArray<Segment> segments_;
  std::uint64_t segment_events_;
  std::uint64_t slots_ = 0;
  std::uint64_t births_ = 0;
  std::uint64_t events_ = 0;
  trace::Fault fault_;
};

}  // namespace strata::replay
