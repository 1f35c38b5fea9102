/// Replays one stream of a trace on the malloc of this process and measures it.
/// Needs:      an open trace.
/// Guarantees: deterministic; calls the malloc under test for the trace's events only.
/// Threads:    one.
/// Cost:       decoding comes on top of what is measured, about 30 ns an event.
#pragma once

#include "replay/heap_under_test.hpp"
#include "replay/interpreter.hpp"
#include "replay/resident.hpp"
#include "trace/trace_file.hpp"

#include <cstdint>

namespace strata::replay {

struct Options {
  const char* trace = nullptr;
  const char* json = "-";
  std::uint64_t stream = 0;
  bool has_stream = false;
  std::uint64_t repeats = 1;
  Touch touch = Touch::yes;
};

struct Result {
  std::uint64_t events = 0;
  trace::MappedArray<std::uint64_t> nanoseconds;  ///< of every round
  std::uint64_t failed_allocations = 0;           ///< in the first round, as all that follows
  std::uint64_t peak_live_bytes = 0;
  HeapUnderTest heap{};
};

/// Memory is measured in the first round, on a fresh heap; survivors are freed, untimed, between rounds.
trace::Fault replay(const trace::TraceFile& file, const trace::StreamEntry& stream, const Options& options,
                    ResidentMeter& meter, Result& result);

}  // namespace strata::replay
