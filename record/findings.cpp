#include "record/findings.hpp"

#include "trace/trace_file.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace strata::record {
namespace {

constexpr std::uint64_t large_resident = std::uint64_t{64} << 20;
constexpr std::uint64_t small_share = 8;  // of the resident set: less than one part in so many

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

void add_findings(const std::string& trace_path, const std::string& program,
                  std::vector<std::string>& warnings) {
  trace::TraceFile file;
  if (file.open(trace_path.c_str())) return;
  std::uint64_t events = 0;
  auto chunk = std::make_unique<trace::Chunk>();
  for (const trace::StreamEntry& stream : file.streams()) {
    events += stream.events;
    trace::StreamCursor cursor(file, stream, *chunk);
    trace::StreamStart start;
    std::string_view text;
    trace::Block end;
    trace::Bytes raw;
    trace::StreamTotals totals;
    if (cursor.start(start, text)) continue;
    const std::string executable(text.substr(0, text.find('\0')));  // `text` holds until the next block
    if (read_block(file.bytes(), stream.end, end) || chunk->unpack(end, raw) || raw.size() < sizeof totals)
      continue;
    std::memcpy(&totals, raw.data(), sizeof totals);
    const std::uint64_t resident = totals.peak_resident_bytes;
    if (resident == trace::unknown || resident < large_resident ||
        totals.peak_live_bytes > resident / small_share)
      continue;
    warnings.push_back(
        executable + " (process " + std::to_string(start.pid) + ") had " + mebibytes(resident) +
        " resident, but at most " + mebibytes(totals.peak_live_bytes) +
        " from malloc: it brings its own allocator or maps memory itself, which is not recorded");
  }
  if (events == 0)
    warnings.push_back(program + ": no events were recorded: it calls no malloc that can be preloaded");
}

}  // namespace strata::record
