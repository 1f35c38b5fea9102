// strata-trace as a person meets it: exact statistics of a known trace, and one clear line for everything that
// can be wrong.
#include "tests/trace/files.hpp"
#include "tests/trace/synthetic.hpp"
#include "trace/converter.hpp"
#include "trace/stream_writer.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>

namespace strata::test {
namespace {

using Json = nlohmann::json;

Output trace_tool(const std::string& arguments) {
  return run(std::string(STRATA_TRACE) + " " + arguments);
}

/// Exit 1 and one line on standard error that begins "strata: PATH" and holds every word.
void expect_complaint(const Output& output, const std::string& path, const std::vector<std::string>& words) {
  EXPECT_EQ(output.exit_status, 1);
  EXPECT_EQ(output.err.find("strata: " + path), 0U) << output.err;
  EXPECT_EQ(std::ranges::count(output.err, '\n'), 1) << output.err;
  for (const std::string& word : words) EXPECT_NE(output.err.find(word), std::string::npos) << output.err;
}

struct Tool : testing::Test {
  Folder folder;
  std::string path = folder.path("t.trace");

  /// malloc 100, malloc 24, free the first, resize the second to 5000, calloc 0, aligned 64 of 100.
  void make_known() {
    trace::BlockWriter output;
    ASSERT_TRUE(output.open(path, trace::Content::columns));
    trace::StreamWriter stream(output, 3, {41, 40, 5}, std::string_view("/bin/x\0x\0\xFF\0", 11));
    stream.add({trace::Operation::malloc, 0, 0, 100, 0});
    stream.mark_time(2'000'000'000);
    stream.add({trace::Operation::malloc, 0, 0, 24, 0});
    stream.add({trace::Operation::free, 0, 1, 0, 2});
    stream.add({trace::Operation::realloc, 0, 1, 5000, 1});
    stream.add({trace::Operation::calloc, 0, 0, 0, 0});
    stream.add({trace::Operation::aligned, 6, 0, 100, 0});
    trace::StreamTotals totals{};
    totals.nanoseconds = 3'000'000'000;
    totals.foreign_frees = 7;
    totals.peak_resident_bytes = trace::unknown;
    totals.complete = 1;
    const trace::StreamEntry entry = stream.finish(totals);
    const trace::Trailer trailer{output.bytes(), 1};
    output.append(trace::BlockKind::index, 0, 0, std::as_bytes(std::span(&entry, 1)));
    output.append(trace::BlockKind::trailer, 0, 0, std::as_bytes(std::span(&trailer, 1)));
    ASSERT_TRUE(output.close());
  }

  void damage(std::size_t at) {
    std::vector<std::byte> bytes = read_file(path);
    bytes.at(at) ^= std::byte{1};
    write_file(path, bytes);
  }
};

TEST_F(Tool, InfoOfAKnownTrace) {
  make_known();
  const Output output = trace_tool("info --curve 4 " + path);
  EXPECT_EQ(output.exit_status, 0) << output.err;
  EXPECT_EQ(output.err, "");
  Json expected = Json::parse(R"({
    "format": 1, "complete": true, "warnings": [], "streams": [{
      "id": 3, "pid": 41, "parent_pid": 40, "program": "/bin/x", "command": ["x", "\uFFFD"],
      "threads": 2, "events": 6, "mallocs": 2, "callocs": 1, "reallocs": 1, "aligned": 1, "frees": 1,
      "foreign_frees": 7, "bytes_allocated": 5224, "peak_live_bytes": 5100, "peak_live_objects": 3,
      "live_bytes_at_end": 5100, "live_objects_at_end": 3, "seconds": 3.0, "peak_resident_bytes": null,
      "complete": true,
      "sizes": [{"bytes_to": 1, "count": 1}, {"bytes_to": 32, "count": 1}, {"bytes_to": 128, "count": 2},
                {"bytes_to": 8192, "count": 1}],
      "lifetimes": [{"allocations_to": 1, "count": 1}, {"allocations_to": 2, "count": 1}],
      "curve": {"event": [2, 4, 6, 6], "seconds": [2.0, 2.0, 2.0, 2.0],
                "live_bytes": [124, 5000, 5100, 5100], "live_objects": [2, 1, 3, 3]}}]})");
  expected["trace"] = path;
  expected["file_bytes"] = read_file(path).size();
  EXPECT_EQ(Json::parse(output.out), expected) << output.out;
}

TEST_F(Tool, VerifyOfAKnownTrace) {
  make_known();
  const Output output = trace_tool("verify " + path);
  EXPECT_EQ(output.exit_status, 0) << output.err;
  EXPECT_EQ(output.out, path + ": 1 streams, 6 events, 10 blocks: every checksum holds\n");
}

TEST_F(Tool, GoldenTraceOfVersion1) {
  const std::string golden = STRATA_GOLDEN;
  const Output output = trace_tool("info --curve 9 " + golden + "/v1.trace");
  EXPECT_EQ(output.exit_status, 0) << output.err;
  Json found = Json::parse(output.out);
  found.erase("trace");
  const std::vector<std::byte> text = read_file(golden + "/v1.json");
  EXPECT_EQ(found, Json::parse(std::string(reinterpret_cast<const char*>(text.data()), text.size())));
  EXPECT_EQ(trace_tool("verify " + golden + "/v1.trace").exit_status, 0);
}

TEST_F(Tool, MissingFile) {
  expect_complaint(trace_tool("info " + path), path, {"No such file or directory", "strata record"});
}

TEST_F(Tool, UnfinishedRecording) {
  write_file(path + ".part", {});
  expect_complaint(trace_tool("info " + path), path, {"not finished", "strata-trace recover " + path});
}

TEST_F(Tool, PartFileGivenAsTrace) {
  trace::BlockWriter part;
  ASSERT_TRUE(part.open(path + ".part", trace::Content::rows));
  expect_complaint(trace_tool("info " + path + ".part"), path, {"not finished", "recover " + path + "\n"});
}

TEST_F(Tool, Folder) {
  expect_complaint(trace_tool("info /tmp"), "/tmp", {"is a directory"});
}

TEST_F(Tool, EmptyFile) {
  write_file(path, {});
  expect_complaint(trace_tool("verify " + path), path, {"empty", "record"});
}

TEST_F(Tool, ForeignFiles) {
  expect_complaint(trace_tool("info /proc/self/exe"), "/proc/self/exe", {"not a Strata trace", "byte 0"});
  const std::string text = "just some text that is long enough to be a header\n";
  write_file(path, std::as_bytes(std::span(text)));
  expect_complaint(trace_tool("verify " + path), path, {"not a Strata trace", "byte 0"});
}

TEST_F(Tool, NewerVersion) {
  make_known();
  std::vector<std::byte> bytes = read_file(path);
  trace::FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.version = 2;
  header.checksum = trace::checksum_of(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  write_file(path, bytes);
  expect_complaint(trace_tool("info " + path), path, {"newer version", "update Strata"});
}

TEST_F(Tool, DamagedByteIsToldWithWhatPrecedesIt) {
  trace::BlockWriter part;
  ASSERT_TRUE(part.open(path + ".part", trace::Content::rows));
  RandomProgram{1, 1, 150'000, true}.write(part, 0);
  ASSERT_TRUE(part.close());
  std::vector<std::string> warnings;
  ASSERT_EQ(trace::convert(path + ".part", nullptr, path, warnings).error, "");
  damage(read_file(path).size() * 9 / 10);
  const Output output = trace_tool("info " + path);
  expect_complaint(output, path, {"damaged at byte ", "checksum", " events can be read", "copy it again"});
  const Json found = Json::parse(output.out);
  EXPECT_FALSE(found["complete"].get<bool>());
  EXPECT_GE(found["streams"][0]["events"].get<std::uint64_t>(), 65536U);
  EXPECT_NE(found["warnings"][0].get<std::string>().find("damaged at byte"), std::string::npos);
  expect_complaint(trace_tool("verify " + path), path, {"damaged at byte "});
}

TEST_F(Tool, TruncatedFileIsToldWithWhatPrecedesIt) {
  make_known();
  const std::vector<std::byte> bytes = read_file(path);
  write_file(path, trace::Bytes(bytes).first(bytes.size() - 1));
  const Output output = trace_tool("info " + path);
  expect_complaint(output, path, {"damaged at byte ", "cut short", "6 events can be read"});
  EXPECT_EQ(Json::parse(output.out)["streams"][0]["events"], 6);
}

TEST_F(Tool, RecoverMakesTheTraceAndRemovesWhatItIsMadeOf) {
  trace::BlockWriter part;
  ASSERT_TRUE(part.open(path + ".part", trace::Content::rows));
  const RandomProgram::Expected expected = RandomProgram{1, 2, 1000, false}.write(part, 0);
  ASSERT_TRUE(part.close());
  const Output output = trace_tool("recover " + path);
  EXPECT_EQ(output.exit_status, 0) << output.err;
  EXPECT_NE(output.err.find("did not tell its end"), std::string::npos);
  trace::Fault fault;
  EXPECT_EQ(read_trace(path, fault).at(0).events.size(), expected.events.size());
  struct stat status;
  EXPECT_NE(stat((path + ".part").c_str(), &status), 0);
  expect_complaint(trace_tool("recover " + path), path, {"nothing to recover"});
}

TEST_F(Tool, RecoverOfDamageKeepsThePart) {
  trace::BlockWriter part;
  ASSERT_TRUE(part.open(path + ".part", trace::Content::rows));
  RandomProgram{1, 1, 5000, true}.write(part, 0);
  ASSERT_TRUE(part.close());
  std::vector<std::byte> bytes = read_file(path + ".part");
  bytes[bytes.size() / 2] ^= std::byte{1};
  write_file(path + ".part", bytes);
  const Output output = trace_tool("recover " + path);
  EXPECT_EQ(output.exit_status, 0);
  EXPECT_NE(output.err.find("is kept because"), std::string::npos) << output.err;
  EXPECT_EQ(read_file(path + ".part"), bytes);
}

TEST_F(Tool, RecoverWithoutRoomLosesNothing) {
  trace::BlockWriter part;
  ASSERT_TRUE(part.open(path + ".part", trace::Content::rows));
  RandomProgram{1, 1, 5000, true}.write(part, 0);
  ASSERT_TRUE(part.close());
  const std::vector<std::byte> before = read_file(path + ".part");
  const Output output = run("ulimit -f 2; " + std::string(STRATA_TRACE) + " recover " + path);
  expect_complaint(output, path + ".new", {"File too large", "nothing was recovered"});
  EXPECT_EQ(read_file(path + ".part"), before);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST_F(Tool, RecoverOfNothing) {
  expect_complaint(trace_tool("recover " + path), path + ".part", {"No such file", "without .part"});
}

TEST_F(Tool, Usage) {
  EXPECT_EQ(trace_tool("").exit_status, 2);
  EXPECT_EQ(trace_tool("info").exit_status, 2);
  EXPECT_EQ(trace_tool("info --curve none x").exit_status, 2);
  EXPECT_EQ(trace_tool("--help").exit_status, 0);
}

}  // namespace
}  // namespace strata::test
