#include "trace/describe.hpp"

#include "trace/statistics.hpp"

#include <string_view>

namespace strata::trace {
namespace {

using Json = nlohmann::ordered_json;

/// Program texts are bytes; JSON needs UTF-8, so that what is not gets its replacement character.
Json text(std::string_view bytes) {
  const std::string quoted = Json(bytes).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(quoted);
}

void describe_identity(Json& stream, const StreamStart& start, std::string_view words) {
  stream["pid"] = start.pid;
  stream["parent_pid"] = start.parent_pid;
  Json command = Json::array();
  std::string_view program;
  for (bool first = true; !words.empty(); first = false) {
    const std::string_view word = words.substr(0, words.find('\0'));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (first)
      program = word;
    else
      command.push_back(text(word));
  }
  stream["program"] = text(program);
  stream["command"] = std::move(command);
}

Json histogram(const std::array<std::uint64_t, 65>& counts, const char* bound) {
  Json result = Json::array();
  for (std::size_t power = 0; power < counts.size(); ++power) {
    if (counts[power] == 0) continue;
    const std::uint64_t limit = power < 64 ? std::uint64_t{1} << power : unknown;
    result.push_back({{bound, limit}, {"count", counts[power]}});
  }
  return result;
}

void describe_events(Json& stream, const Statistics& seen, const StreamTotals* totals) {
  const auto count = [&seen](Operation operation) {
    return seen.operations[static_cast<std::size_t>(operation)];
  };
  stream["threads"] = seen.threads();
  stream["events"] = seen.events;
  stream["mallocs"] = count(Operation::malloc);
  stream["callocs"] = count(Operation::calloc);
  stream["reallocs"] = count(Operation::realloc);
  stream["aligned"] = count(Operation::aligned);
  stream["frees"] = count(Operation::free);
  stream["foreign_frees"] = totals != nullptr ? totals->foreign_frees : 0;
  stream["bytes_allocated"] = seen.bytes_allocated;
  stream["peak_live_bytes"] = seen.live.peak_bytes;
  stream["peak_live_objects"] = seen.live.peak_objects;
  stream["live_bytes_at_end"] = seen.live.bytes;
  stream["live_objects_at_end"] = seen.live.objects;
  const std::uint64_t nanoseconds = totals != nullptr ? totals->nanoseconds : seen.nanoseconds;
  stream["seconds"] = static_cast<double>(nanoseconds) * 1e-9;
  stream["peak_resident_bytes"] = nullptr;
  if (totals != nullptr && totals->peak_resident_bytes != unknown)
    stream["peak_resident_bytes"] = totals->peak_resident_bytes;
  stream["complete"] = totals != nullptr && totals->complete != 0;
  stream["sizes"] = histogram(seen.sizes, "bytes_to");
  stream["lifetimes"] = histogram(seen.lifetimes, "allocations_to");
}

void warn(Json& warnings, std::uint64_t stream, const StreamTotals& totals) {
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count != 0)
      warnings.push_back("stream " + std::to_string(stream) + ": " + std::to_string(count) + " " + what);
  };
  add(totals.dropped, "events could not be recorded");
  add(totals.unseen_frees, "frees were not seen by the recorder: put in");
}

Json describe_stream(const TraceFile& file, const StreamEntry& entry, std::uint64_t curve_points,
                     Chunk& chunk, Fault& fault, Json& warnings) {
  Json stream = {{"id", entry.id}};
  StreamCursor cursor(file, entry, chunk);
  Statistics seen(entry.events, curve_points);
  StreamStart start{};
  std::string_view words;
  fault = cursor.start(start, words);
  describe_identity(stream, start, words);

  bool whole = false;
  while (!fault && !whole) {
    const StreamCursor::Step step = cursor.next();
    whole = step == StreamCursor::Step::end;
    if (step == StreamCursor::Step::fault) fault = cursor.fault();
    if (step != StreamCursor::Step::chunk) continue;
    if (const char* why = seen.add(chunk)) fault = {cursor.chunk_offset(), why};
  }
  seen.finish();
  if (whole) warn(warnings, entry.id, cursor.totals());
  describe_events(stream, seen, whole ? &cursor.totals() : nullptr);
  if (curve_points != 0)
    stream["curve"] = {{"event", seen.curve.event},
                       {"seconds", seen.curve.seconds},
                       {"live_bytes", seen.curve.live_bytes},
                       {"live_objects", seen.curve.live_objects}};
  return stream;
}

}  // namespace

Description describe(const TraceFile& file, const std::string& path, std::uint64_t curve_points) {
  Description result;
  result.damage = file.damage();
  bool complete = file.finished();
  Json warnings = Json::array();
  Json streams = Json::array();
  Chunk chunk;
  for (const StreamEntry& entry : file.streams()) {
    Fault fault;
    Json stream = describe_stream(file, entry, curve_points, chunk, fault, warnings);
    const std::string name = "stream " + std::to_string(entry.id) + ": ";
    const auto events = stream["events"].get<std::uint64_t>();
    if (fault)
      warnings.push_back(name + "damaged at byte " + std::to_string(fault.offset) + " (" + fault.why +
                         "): its first " + std::to_string(events) + " events are told");
    else if (!stream["complete"].get<bool>())
      warnings.push_back(name + "was not recorded to its end");
    if (fault && !result.damage) result.damage = fault;
    complete = complete && stream["complete"].get<bool>();
    result.events += events;
    streams.push_back(std::move(stream));
  }
  if (!file.finished())
    warnings.push_back("the trace has no end: it was cut short or damaged at byte " +
                       std::to_string(file.damage().offset));
  result.json = {{"format", format_version}, {"trace", path},        {"file_bytes", file.bytes().size()},
                 {"complete", complete},     {"warnings", warnings}, {"streams", streams}};
  return result;
}

}  // namespace strata::trace
