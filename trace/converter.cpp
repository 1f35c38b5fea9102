#include "trace/converter.hpp"

#include "trace/live_map.hpp"
#include "trace/live_totals.hpp"
#include "trace/merge.hpp"
#include "trace/recording.hpp"
#include "trace/stream_writer.hpp"

#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace strata::trace {
namespace {

/// Replaces addresses by objects, in the order of events.
class StreamConverter {
 public:
  explicit StreamConverter(StreamWriter& output) : output_(output) {}

  void step(ThreadRows& rows) {
    const strata::Event& event = rows.event();
    if (rows.gives_up_old()) {
      Object old{};
      rows.given_up.known = live_.take(event.old_address, old);
      rows.given_up.object = old.number;
      rows.given_up.size = old.size;
      return;
    }
    switch (event.operation) {
      case strata::Operation::free:
        return die(rows.thread(), event.address);
      case strata::Operation::realloc: {
        const ThreadRows::GivenUp& old = rows.given_up;
        if (old.known)
          totals_.died(old.size);
        else
          ++foreign_frees_;
        return be_born(rows.thread(), event, Operation::realloc, old.known ? age_of(old.object) : 0);
      }
      case strata::Operation::calloc:
        return be_born(rows.thread(), event, Operation::calloc, 0);
      case strata::Operation::aligned:
        return be_born(rows.thread(), event, Operation::aligned, 0);
      default:
        return be_born(rows.thread(), event, Operation::malloc, 0);
    }
  }

  StreamTotals totals() const {
    StreamTotals totals{};
    totals.peak_live_objects = totals_.peak_objects;
    totals.peak_live_bytes = totals_.peak_bytes;
    totals.foreign_frees = foreign_frees_;
    totals.unseen_frees = unseen_frees_;
    return totals;
  }

 private:
  struct Object {
    std::uint64_t number;
    std::uint64_t size;
  };

  std::uint64_t age_of(std::uint64_t object) const { return output_.objects() - object; }

  void die(std::uint32_t thread, std::uint64_t address) {
    Object object;
    if (!live_.take(address, object)) {
      ++foreign_frees_;
      return;
    }
    totals_.died(object.size);
    output_.add({Operation::free, 0, thread, 0, age_of(object.number)});
  }

  void be_born(std::uint32_t thread, const strata::Event& event, Operation operation, std::uint64_t age) {
    if (live_.find(event.address) != nullptr) {
      ++unseen_frees_;
      die(thread, event.address);
    }
    live_.insert(event.address, {output_.objects(), event.size});
    totals_.born(event.size);
    const int log2 = operation == Operation::aligned ? std::countr_zero(event.alignment) : 0;
    output_.add({operation, static_cast<std::uint8_t>(log2), thread, event.size, age});
  }

  StreamWriter& output_;
  LiveMap<Object> live_;
  LiveTotals totals_;
  std::uint64_t foreign_frees_ = 0;
  std::uint64_t unseen_frees_ = 0;
};

void warn(std::vector<std::string>& warnings, std::uint32_t stream, std::uint64_t count, const char* what) {
  if (count == 0) return;
  warnings.push_back("stream " + std::to_string(stream) + ": " + std::to_string(count) + " " + what);
}

StreamEntry convert_stream(const Recording& recording, std::uint32_t id, const Recording::Stream& stream,
                           BlockWriter& output, std::vector<std::string>& warnings, Conversion& result) {
  Merge merge(recording, stream);
  const StreamNotes& notes = merge.notes();
  StreamWriter writer(output, id, {notes.pid, notes.parent_pid, notes.begin_nanoseconds}, notes.text);
  StreamConverter converter(writer);
  while (ThreadRows* rows = merge.next()) {
    if (rows->nanoseconds() > notes.begin_nanoseconds)
      writer.mark_time(rows->nanoseconds() - notes.begin_nanoseconds);
    converter.step(*rows);
    if (!output.ok()) break;
  }
  StreamTotals totals = converter.totals();
  totals.threads = merge.threads();
  totals.dropped = notes.dropped;
  totals.nanoseconds = notes.end_nanoseconds - notes.begin_nanoseconds;
  totals.peak_resident_bytes = notes.ended ? notes.peak_resident_bytes : unknown;
  totals.complete = notes.ended && stream.whole && notes.damaged_rows == 0 && notes.dropped == 0;
  result.complete = result.complete && totals.complete != 0;
  result.read_everything = result.read_everything && notes.damaged_rows == 0;
  warn(warnings, id, notes.damaged_rows, "buffers hold rows that cannot be read: left out from there");
  warn(warnings, id, notes.dropped, "events could not be recorded: use more slots (--slots)");
  warn(warnings, id, totals.unseen_frees, "frees were not seen by the recorder: put in");
  if (!notes.ended)
    warnings.push_back("stream " + std::to_string(id) + ": process " + std::to_string(notes.pid) +
                       " did not tell its end: killed, or left by a raw system call");
  return writer.finish(totals);
}

}  // namespace

Conversion convert(const std::string& part_path, const char* slots_path_or_null,
                   const std::string& trace_path, std::vector<std::string>& warnings) {
  Conversion result;
  Recording recording;
  result.error = recording.open(part_path, slots_path_or_null, warnings);
  if (!result.error.empty()) return result;

  const std::string unfinished = trace_path + ".new";
  BlockWriter output;
  output.open(unfinished, Content::columns);
  std::vector<StreamEntry> index;
  if (recording.streams().empty()) warnings.push_back(part_path + ": no process was recorded");
  result.complete = !recording.streams().empty();
  result.read_everything = recording.read_everything();
  for (const auto& [id, stream] : recording.streams()) {
    index.push_back(convert_stream(recording, id, stream, output, warnings, result));
    result.events += index.back().events;
  }
  result.complete = result.complete && result.read_everything;
  const Trailer trailer{output.bytes(), result.complete ? 1U : 0U};
  output.append(BlockKind::index, 0, 0, std::as_bytes(std::span(index)));
  output.append(BlockKind::trailer, 0, 0, std::as_bytes(std::span(&trailer, 1)));
  if (!output.close())
    result.error = output.error();
  else if (std::rename(unfinished.c_str(), trace_path.c_str()) != 0)
    result.error = trace_path + ": " + std::strerror(errno);
  if (!result.error.empty()) ::unlink(unfinished.c_str());
  return result;
}

}  // namespace strata::trace
