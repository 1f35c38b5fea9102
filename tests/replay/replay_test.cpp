// strata-replay calls exactly what the trace says, on whatever malloc is preloaded, and measures its memory.
#include "tests/trace/files.hpp"
#include "tests/trace/synthetic.hpp"
#include "trace/stream_writer.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>

namespace strata::test {
namespace {

using Json = nlohmann::json;
using trace::Event;
using trace::Operation;

struct Replay : testing::Test {
  Folder folder;
  std::string path = folder.path("t.trace");

  void write_trace(const std::vector<std::vector<Event>>& streams) {
    trace::BlockWriter output;
    ASSERT_TRUE(output.open(path, trace::Content::columns));
    std::vector<trace::StreamEntry> index;
    for (const std::vector<Event>& events : streams) {
      const auto id = static_cast<std::uint32_t>(index.size());
      trace::StreamWriter stream(output, id, {1, 0, 0}, std::string_view("x\0x\0", 4));
      for (const Event& event : events) stream.add(event);
      index.push_back(stream.finish({}));
    }
    const trace::Trailer trailer{output.bytes(), 1};
    output.append(trace::BlockKind::index, 0, 0, std::as_bytes(std::span(index)));
    output.append(trace::BlockKind::trailer, 0, 0, std::as_bytes(std::span(&trailer, 1)));
    ASSERT_TRUE(output.close());
  }

  /// Grows to `objects` of a KiB, ends every second one, and stays there.
  static std::vector<Event> plateau(std::uint64_t objects) {
    std::vector<Event> events;
    for (std::uint64_t n = 0; n < objects; ++n) events.push_back({Operation::malloc, 0, 0, 1024, 0});
    for (std::uint64_t n = 0; n < objects; n += 2) events.push_back({Operation::free, 0, 0, 0, objects - n});
    return events;
  }

  Output replay(const std::string& options, const std::string& environment = "") {
    // Whoever survives is the trace's, not a leak.
    return run("env ASAN_OPTIONS=detect_leaks=0 " + environment + " " + STRATA_REPLAY + " " + options + " " +
               path);
  }

  Json measure(const std::string& options, const std::string& environment = "") {
    const Output output = replay(options, environment);
    EXPECT_EQ(output.exit_status, 0) << output.err;
    EXPECT_EQ(output.err, "");
    return Json::parse(output.out, nullptr, false);
  }
};

TEST_F(Replay, TellsWhatItReplayed) {
  write_trace({plateau(10), plateau(20'000), plateau(30)});
  const Json found = measure("--repeat 3");
  EXPECT_EQ(found["trace"], path);
  EXPECT_EQ(found["stream"], 1);
  EXPECT_EQ(found["events"], 30'000);
  EXPECT_EQ(found["repeats"], 3);
  EXPECT_EQ(found["touch"], true);
  EXPECT_EQ(found["nanoseconds"].size(), 3U);
  EXPECT_GT(found["nanoseconds_per_event"].get<double>(), 0);
  EXPECT_EQ(found["peak_live_bytes"], 20'000 * 1024);
  EXPECT_EQ(found["failed_allocations"], 0);
  EXPECT_TRUE(found["heap_bytes"].is_null());
  EXPECT_TRUE(found["peak_heap_bytes"].is_null());
  EXPECT_EQ(found["resident_curve"]["event"].back(), 30'000);
  EXPECT_EQ(found["resident_curve"]["live_bytes"].back(), 10'000 * 1024);
}

TEST_F(Replay, StreamCanBeChosen) {
  write_trace({plateau(10), plateau(200)});
  EXPECT_EQ(measure("--stream 0")["events"], 15);
  const Output output = replay("--stream 7");
  EXPECT_EQ(output.exit_status, 1);
  EXPECT_NE(output.err.find("has no such stream"), std::string::npos);
}

TEST_F(Replay, WritesJsonToAFile) {
  write_trace({plateau(10)});
  const std::string json = folder.path("out.json");
  EXPECT_EQ(replay("--json " + json).out, "");
  const std::vector<std::byte> text = read_file(json);
  EXPECT_EQ(Json::parse(std::string(reinterpret_cast<const char*>(text.data()), text.size()))["events"], 15);
  EXPECT_EQ(replay("--json /nowhere/x").exit_status, 1);
}

TEST_F(Replay, RefusesWhatIsNoTrace) {
  EXPECT_EQ(replay("").err,
            "strata: " + path + ": No such file or directory: strata-trace info " + path + " tells more\n");
  write_trace(
      {{{Operation::malloc, 0, 0, 8, 0}, {Operation::free, 0, 0, 0, 1}, {Operation::free, 0, 0, 0, 1}}});
  const Output output = replay("");
  EXPECT_EQ(output.exit_status, 1);
  EXPECT_NE(output.err.find("an object that ends twice at byte"), std::string::npos) << output.err;
  EXPECT_EQ(run(STRATA_REPLAY).exit_status, 2);
  EXPECT_EQ(replay("--repeat 0").exit_status, 2);
}

#ifdef STRATA_PRELOADS  // a sanitizer's runtime lets nobody else be malloc

const std::string counting = std::string("LD_PRELOAD=") + STRATA_COUNTING_MALLOC;
const std::string null_heap = std::string("LD_PRELOAD=") + STRATA_NULL_HEAP;

/// What the counting malloc writes down for these events, objects numbered by birth.
std::vector<std::string> expected_calls(const std::vector<Event>& events) {
  static const char* const names[] = {"free", "malloc", "calloc", "realloc", "aligned"};
  std::vector<std::string> calls;
  std::uint64_t births = 0;
  for (const Event& event : events) {
    const bool names_old = event.age != 0;
    const char* name = names[static_cast<std::size_t>(event.operation)];
    if (event.operation == Operation::realloc && !names_old) name = "malloc";
    std::ostringstream call;
    call << name << ' ' << (names_old ? births - event.age : births) << ' ' << event.size << ' '
         << (event.operation == Operation::aligned ? std::max(8U, 1U << event.log2_alignment) : 0);
    calls.push_back(call.str());
    if (is_birth(event.operation)) ++births;
  }
  return calls;
}

std::vector<std::string> lines_of(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST_F(Replay, CallsExactlyWhatTheTraceSays) {
  trace::BlockWriter part;
  ASSERT_TRUE(part.open(path + ".part", trace::Content::rows));
  std::vector<Event> events = RandomProgram{3, 3, 20'000, true}.write(part, 0).events;
  // Of at least a byte: glibc takes a realloc to none for a free.
  for (Event& event : events)
    if (is_birth(event.operation)) event.size = 1 + event.size % 5000;
  std::uint64_t live = 0;
  std::vector<std::uint64_t> sizes;
  std::uint64_t peak = 0;
  for (const Event& event : events) {
    if (event.age != 0) live -= sizes[sizes.size() - event.age];
    if (is_birth(event.operation)) sizes.push_back(event.size), live += event.size;
    peak = std::max(peak, live);
  }
  write_trace({events});
  const std::string log = folder.path("calls");
  const Json found = measure("", counting + " COUNTING_LOG=" + log);
  EXPECT_EQ(found["peak_live_bytes"], peak);
  EXPECT_EQ(found["resident_curve"]["live_bytes"].back(), live);
  EXPECT_EQ(found["heap_library"], STRATA_COUNTING_MALLOC);
  const std::vector<std::string> calls = lines_of(log), expected = expected_calls(events);
  ASSERT_EQ(calls.size(), expected.size());
  for (std::size_t at = 0; at < calls.size(); ++at) ASSERT_EQ(calls[at], expected[at]) << "call " << at;
}

TEST_F(Replay, SurvivorsAreFreedBetweenRounds) {
  write_trace({plateau(100)});
  const std::string log = folder.path("calls");
  measure("--repeat 3", counting + " COUNTING_LOG=" + log);
  const std::vector<std::string> calls = lines_of(log);
  const auto starting = [&calls](const char* what) {
    return std::ranges::count_if(calls, [what](const std::string& call) { return call.starts_with(what); });
  };
  EXPECT_EQ(starting("malloc "), 300);
  EXPECT_EQ(starting("free "), 3 * 50 + 2 * 50);
  EXPECT_EQ(starting("free -1"), 0);
}

TEST_F(Replay, AllocationsThatFailAreCounted) {
  write_trace({{{Operation::malloc, 0, 0, 100, 0},
                {Operation::malloc, 0, 0, 5000, 0},
                {Operation::calloc, 0, 0, 6000, 0},
                {Operation::aligned, 8, 0, 7000, 0},
                {Operation::realloc, 0, 0, 8000, 4},
                {Operation::free, 0, 0, 0, 1},
                {Operation::free, 0, 0, 0, 4},
                {Operation::malloc, 0, 0, 0, 0}}});
  const std::string log = folder.path("calls");
  const Json found = measure("", counting + " COUNTING_LIMIT=5000 COUNTING_LOG=" + log);
  EXPECT_EQ(found["failed_allocations"], 4);
  // The object that could not grow is still there to be freed.
  EXPECT_EQ(lines_of(log).at(5), "free 0 0 0");
}

TEST_F(Replay, NullHeapShowsTheEngine) {
  write_trace({plateau(100'000)});
  const Json found = measure("--repeat 3", null_heap);
  EXPECT_EQ(found["heap_library"], STRATA_NULL_HEAP);
  EXPECT_EQ(found["failed_allocations"], 0);
  // Nothing of the engine's own memory may be taken for the heap's.
  EXPECT_LT(found["peak_resident_bytes"].get<std::uint64_t>(), 1U << 20);
}

TEST_F(Replay, SizesBeyond4GiB) {
  const std::uint64_t huge = std::uint64_t{5} << 30;
  write_trace({{{Operation::malloc, 0, 0, huge, 0},
                {Operation::calloc, 0, 0, huge + 1, 0},
                {Operation::realloc, 0, 0, huge + 2, 2},
                {Operation::aligned, 12, 0, huge + 3, 0},
                {Operation::realloc, 0, 0, 10, 2},
                {Operation::free, 0, 0, 0, 2}}});
  const Json found = measure("--no-touch", null_heap);
  EXPECT_EQ(found["events"], 6);
  EXPECT_EQ(found["touch"], false);
  EXPECT_EQ(found["failed_allocations"], 0);
  EXPECT_EQ(found["peak_live_bytes"], 3 * huge + 6);
}

/// Of a block that is born and dies within a few events, the kernel's high-water mark tells.
TEST_F(Replay, PeaksBetweenTwoPointsAreSeen) {
  std::vector<Event> events = plateau(20'000);
  const std::vector<Event> after = events;
  events.push_back({Operation::malloc, 0, 0, 100 << 20, 0});
  events.push_back({Operation::free, 0, 0, 0, 1});
  for (const Event& event : after) events.push_back(event);
  write_trace({events});
  const Json found = measure("");
  EXPECT_EQ(found["peak_live_bytes"], 10'000 * 1024 + (100 << 20));
  EXPECT_GT(found["peak_resident_bytes"].get<double>(), 0.97 * found["peak_live_bytes"].get<double>());
}

/// A malloc library, and what its path must hold. Empty is the system's own.
class Heaps : public Replay, public testing::WithParamInterface<const char*> {};

TEST_P(Heaps, MeasuresMemoryThatIsInUse) {
  const std::string library = GetParam();
  const std::string at = library.empty() ? "" : "/usr/lib/x86_64-linux-gnu/" + library;
  if (!at.empty() && !std::filesystem::exists(at)) GTEST_SKIP() << at << " is not installed";
  write_trace({plateau(40'000)});
  const Json found = measure("--repeat 2", at.empty() ? "" : "LD_PRELOAD=" + at);
  EXPECT_NE(found["heap_library"].get<std::string>().find(library.empty() ? "libc.so" : library),
            std::string::npos);
  const auto peak = found["peak_resident_bytes"].get<double>(), live = found["peak_live_bytes"].get<double>();
  EXPECT_EQ(live, 40'000 * 1024);
  EXPECT_GT(peak, 0.97 * live);  // every page of it was written to
  EXPECT_LT(peak, 1.6 * live);
  EXPECT_LT(found["average_resident_bytes"].get<double>(), peak);
  EXPECT_EQ(found["failed_allocations"], 0);
}

INSTANTIATE_TEST_SUITE_P(Installed, Heaps,
                         testing::Values("", "libjemalloc.so.2", "libtcmalloc_minimal.so.4",
                                         "libmimalloc.so.2", "libtbbmalloc_proxy.so.2"));

#endif

}  // namespace
}  // namespace strata::test
