#include "replay/replay.hpp"

#include "replay/decoder.hpp"

#include <time.h>

#include <algorithm>
#include <cstdlib>

namespace strata::replay {
namespace {

/// Short enough for a curve of a small trace, long enough that a clock around it costs under 1 %.
constexpr std::uint64_t min_segment_events = 8192;
constexpr std::uint64_t max_segment_events = 65536;
constexpr std::uint64_t segments_wanted = 500;

/// Processor time of this thread: what other processes take meanwhile is no cost of the heap's.
std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

trace::Fault replay(const trace::TraceFile& file, const trace::StreamEntry& stream, const Options& options,
                    ResidentMeter& meter, Result& result) {
  Decoder decoder(file, stream,
                  std::clamp(stream.events / segments_wanted, min_segment_events, max_segment_events));
  trace::MappedArray<void*> slots(1024);
  const auto engine_bytes = [&] {
    return decoder.memory_bytes() + slots.bytes() + meter.memory_bytes() + file.memory_bytes() +
           result.nanoseconds.bytes();
  };
  result.nanoseconds.resize(options.repeats);
  for (std::uint64_t round = 0; round < options.repeats; ++round) {
    if (trace::Fault fault = decoder.rewind()) return fault;
    std::uint64_t events = 0;
    std::uint64_t failed = 0;
    while (decoder.next()) {
      slots.resize(std::max<std::size_t>(decoder.slots(), slots.size()));
      if (events == 0 && round == 0) meter.begin(engine_bytes());
      if (round == 0) meter.begin_window();
      std::uint64_t word = 0;
      for (const Decoder::Segment& segment : decoder.segments()) {
        const auto words = decoder.words().subspan(word, segment.words_end - word);
        const std::uint64_t begin = now();
        failed += interpret(words, slots.data(), options.touch);
        result.nanoseconds[round] += now() - begin;
        word = segment.words_end;
        events = segment.events_end;
        if (round == 0) meter.sample(events, segment.live_bytes, engine_bytes());
      }
      if (round == 0) meter.end_window(engine_bytes());
    }
    if (decoder.fault()) return decoder.fault();
    if (round == 0) {
      result.events = events;
      result.failed_allocations = failed;
      result.peak_live_bytes = decoder.live().peak_bytes;
      result.heap = heap_under_test();
    }
    if (round + 1 < options.repeats)
      decoder.for_each_live_slot([&slots](std::uint64_t slot) { std::free(slots[slot]); });
  }
  return {};
}

}  // namespace strata::replay
