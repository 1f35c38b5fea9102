// Random recordings through the converter and back, against what they were made of.
#include "tests/trace/files.hpp"
#include "tests/trace/synthetic.hpp"
#include "trace/converter.hpp"
#include "trace/statistics.hpp"
#include "trace/trace_file.hpp"

#include <gtest/gtest.h>

namespace strata::test {
namespace {

struct Converted {
  Folder folder;
  std::string path = folder.path("t.trace");
  std::vector<std::string> warnings;
  std::vector<RandomProgram::Expected> expected;
  trace::Conversion conversion;

  explicit Converted(const std::vector<RandomProgram>& programs) {
    trace::BlockWriter part;
    EXPECT_TRUE(part.open(path + ".part", trace::Content::rows, 1));
    std::uint32_t id = 0;
    for (const RandomProgram& program : programs) expected.push_back(program.write(part, id++));
    EXPECT_TRUE(part.close());
    conversion = trace::convert(path + ".part", nullptr, path, warnings);
  }
};

void expect_same(const ReadBack& found, const RandomProgram::Expected& expected) {
  ASSERT_EQ(found.events.size(), expected.events.size());
  for (std::size_t at = 0; at < found.events.size(); ++at)
    ASSERT_TRUE(same(found.events[at], expected.events[at])) << "event " << at;
  EXPECT_EQ(found.totals.events, expected.totals.events);
  EXPECT_EQ(found.totals.objects, expected.totals.objects);
  EXPECT_EQ(found.totals.threads, expected.totals.threads);
  EXPECT_EQ(found.totals.peak_live_objects, expected.totals.peak_live_objects);
  EXPECT_EQ(found.totals.peak_live_bytes, expected.totals.peak_live_bytes);
  EXPECT_EQ(found.totals.foreign_frees, expected.totals.foreign_frees);
  EXPECT_EQ(found.totals.peak_resident_bytes, expected.totals.peak_resident_bytes);
  EXPECT_EQ(found.totals.unseen_frees, 0U);
  EXPECT_EQ(found.totals.complete, expected.totals.complete);
}

void expect_round_trip(const std::vector<RandomProgram>& programs) {
  const Converted converted(programs);
  ASSERT_EQ(converted.conversion.error, "");
  trace::Fault fault;
  const std::vector<ReadBack> streams = read_trace(converted.path, fault);
  EXPECT_FALSE(fault) << fault.why;
  ASSERT_EQ(streams.size(), programs.size());
  for (std::size_t at = 0; at < streams.size(); ++at) expect_same(streams[at], converted.expected[at]);
}

TEST(RoundTrip, ManySmallPrograms) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    expect_round_trip({{seed, static_cast<std::uint32_t>(1 + seed % 5), 50 * seed % 3001, true}});
  }
}

TEST(RoundTrip, MoreThanOneChunk) {
  expect_round_trip({{7, 4, 300'000, true}});
}

TEST(RoundTrip, SeveralStreams) {
  expect_round_trip({{1, 1, 1000, true}, {2, 3, 70'000, true}, {3, 1, 0, true}, {4, 2, 500, false}});
}

TEST(RoundTrip, StreamSaysWhoItIs) {
  const Converted converted({{1, 2, 10, true}});
  trace::Fault fault;
  const ReadBack stream = read_trace(converted.path, fault).at(0);
  EXPECT_EQ(stream.start.pid, 100U);
  EXPECT_EQ(stream.start.parent_pid, 99U);
  EXPECT_EQ(stream.text, std::string("/bin/synthetic\0synthetic\0--an option\0", 37));
}

TEST(RoundTrip, KilledProgramIsNotComplete) {
  const Converted converted({{1, 2, 100, true}, {2, 2, 100, false}});
  EXPECT_FALSE(converted.conversion.complete);
  ASSERT_EQ(converted.warnings.size(), 1U);
  EXPECT_NE(converted.warnings[0].find("stream 1: process 101 did not tell its end"), std::string::npos)
      << converted.warnings[0];
}

TEST(RoundTrip, StatisticsAreThoseOfTheEvents) {
  const Converted converted({{11, 3, 100'000, true}});
  const RandomProgram::Expected& expected = converted.expected[0];
  trace::TraceFile file;
  ASSERT_FALSE(file.open(converted.path.c_str()));
  trace::Chunk chunk;
  trace::StreamCursor cursor(file, file.streams()[0], chunk);
  trace::StreamStart start;
  std::string_view text;
  ASSERT_FALSE(cursor.start(start, text));
  trace::Statistics seen(file.streams()[0].events, 100);
  while (cursor.next() == trace::StreamCursor::Step::chunk) ASSERT_EQ(seen.add(chunk), nullptr);
  seen.finish();

  std::array<std::uint64_t, 5> operations{};
  std::uint64_t bytes = 0;
  for (const trace::Event& event : expected.events) {
    ++operations[static_cast<std::size_t>(event.operation)];
    bytes += event.size;
  }
  EXPECT_EQ(seen.operations, operations);
  EXPECT_EQ(seen.bytes_allocated, bytes);
  EXPECT_EQ(seen.live.peak_bytes, expected.totals.peak_live_bytes);
  EXPECT_EQ(seen.live.peak_objects, expected.totals.peak_live_objects);
  EXPECT_LE(seen.curve.event.size(), 100U);
  EXPECT_GT(seen.curve.event.size(), 90U);
  EXPECT_EQ(*std::ranges::max_element(seen.curve.live_bytes), expected.totals.peak_live_bytes);
  EXPECT_TRUE(std::ranges::is_sorted(seen.curve.event));
  EXPECT_TRUE(std::ranges::is_sorted(seen.curve.seconds));
}

/// Rows by hand, one thread.
struct ByHand {
  Folder folder;
  std::string path = folder.path("t.trace");
  trace::BlockWriter part;
  ThreadWriter thread{0, 0};
  std::vector<std::string> warnings;

  ByHand() { EXPECT_TRUE(part.open(path + ".part", trace::Content::rows)); }
  unsigned char* room() { return thread.room(part, 0); }
  ReadBack read() {
    thread.flush(part);
    part.close();
    EXPECT_EQ(trace::convert(path + ".part", nullptr, path, warnings).error, "");
    trace::Fault fault;
    std::vector<ReadBack> streams = read_trace(path, fault);
    EXPECT_FALSE(fault);
    EXPECT_EQ(streams.size(), 1U);
    return streams.empty() ? ReadBack{} : streams[0];
  }
};

TEST(Convert, ReallocOfAForeignObjectIsABirth) {
  ByHand hand;
  hand.thread.wrote(hand.thread.encoder().realloc(hand.room(), 1, 0x1000, 2, 0x2000, 50));
  hand.thread.wrote(hand.thread.encoder().free(hand.room(), 3, 0x2000));
  const ReadBack stream = hand.read();
  ASSERT_EQ(stream.events.size(), 2U);
  EXPECT_TRUE(same(stream.events[0], {trace::Operation::realloc, 0, 0, 50, 0}));
  EXPECT_TRUE(same(stream.events[1], {trace::Operation::free, 0, 0, 0, 1}));
  EXPECT_EQ(stream.totals.foreign_frees, 1U);
}

TEST(Convert, AFreeThatNobodySawIsPutIn) {
  ByHand hand;
  hand.thread.wrote(hand.thread.encoder().malloc(hand.room(), 1, 0x1000, 10));
  hand.thread.wrote(hand.thread.encoder().malloc(hand.room(), 2, 0x1000, 20));
  const ReadBack stream = hand.read();
  ASSERT_EQ(stream.events.size(), 3U);
  EXPECT_TRUE(same(stream.events[1], {trace::Operation::free, 0, 0, 0, 1}));
  EXPECT_EQ(stream.totals.unseen_frees, 1U);
  EXPECT_EQ(stream.totals.peak_live_bytes, 20U);
}

TEST(Convert, SizesUpToTheLargestSurvive) {
  ByHand hand;
  hand.thread.wrote(hand.thread.encoder().malloc(hand.room(), 1, 0x1000, (std::uint64_t{1} << 61) - 1));
  EXPECT_EQ(hand.read().events.at(0).size, (std::uint64_t{1} << 61) - 1);
}

}  // namespace
}  // namespace strata::test
