// Every way a file can be damaged, byte by byte: told or harmless, never a crash, never a wrong event.
#include "tests/trace/files.hpp"
#include "tests/trace/synthetic.hpp"
#include "trace/converter.hpp"
#include "trace/trace_file.hpp"

#include <strata/event/slot_file.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <new>
#include <set>

namespace strata::test {
namespace {

struct Damage : testing::Test {
  Folder folder;
  std::string part = folder.path("t.trace.part");
  std::string path = folder.path("t.trace");
  std::string broken = folder.path("broken");
  RandomProgram::Expected first, second;
  std::vector<std::byte> bytes;

  void make() {
    trace::BlockWriter writer;
    ASSERT_TRUE(writer.open(part, trace::Content::rows));
    first = RandomProgram{1, 2, 150, true}.write(writer, 0);
    second = RandomProgram{2, 1, 100, true}.write(writer, 1);
    ASSERT_TRUE(writer.close());
    std::vector<std::string> warnings;
    ASSERT_EQ(trace::convert(part, nullptr, path, warnings).error, "");
    bytes = read_file(path);
  }

  /// Whatever is readable of `broken` must be true.
  bool told(bool& whole) {
    trace::Fault fault;
    const std::vector<ReadBack> streams = read_trace(broken, fault);
    whole = streams.size() == 2;
    for (const ReadBack& stream : streams) {
      const RandomProgram::Expected& expected = stream.start.pid == 101 ? second : first;
      EXPECT_TRUE(begins(stream.events, expected.events));
      whole = whole && stream.events.size() == expected.events.size();
    }
    return static_cast<bool>(fault);
  }
};

TEST_F(Damage, EveryByteOfATrace) {
  make();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    SCOPED_TRACE(at);
    for (const auto change : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
      std::vector<std::byte> damaged = bytes;
      damaged[at] ^= change;
      write_file(broken, damaged);
      bool whole;
      ASSERT_TRUE(told(whole) || whole);
    }
  }
}

TEST_F(Damage, EveryLengthOfATrace) {
  make();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    SCOPED_TRACE(length);
    write_file(broken, trace::Bytes(bytes).first(length));
    bool whole;
    ASSERT_TRUE(told(whole));
  }
}

TEST_F(Damage, BytesThatFollowTheEndAreTold) {
  make();
  bytes.resize(bytes.size() + 100);
  write_file(broken, bytes);
  bool whole;
  EXPECT_TRUE(told(whole));
  EXPECT_TRUE(whole);
}

TEST_F(Damage, EveryByteOfARecording) {
  make();
  const std::vector<std::byte> rows = read_file(part);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    SCOPED_TRACE(at);
    std::vector<std::byte> damaged = rows;
    damaged[at] ^= std::byte{0x10};
    write_file(broken + ".part", damaged);
    std::vector<std::string> warnings;
    const trace::Conversion conversion = trace::convert(broken + ".part", nullptr, broken, warnings);
    ASSERT_TRUE(!conversion.error.empty() || !warnings.empty());
    ASSERT_FALSE(conversion.complete);
    ASSERT_FALSE(conversion.read_everything);
  }
}

TEST_F(Damage, EveryLengthOfARecording) {
  make();
  const std::vector<std::byte> rows = read_file(part);
  std::set<std::uint64_t> ends_of_blocks{sizeof(trace::FileHeader)};
  trace::Block block;
  while (!trace::read_block(rows, *ends_of_blocks.rbegin(), block)) ends_of_blocks.insert(block.end());
  for (std::size_t length = 0; length < rows.size(); ++length) {
    SCOPED_TRACE(length);
    write_file(broken + ".part", trace::Bytes(rows).first(length));
    std::vector<std::string> warnings;
    const trace::Conversion conversion = trace::convert(broken + ".part", nullptr, broken, warnings);
    // A cut between two blocks cannot be seen: a recording in progress states no end.
    if (!ends_of_blocks.contains(length)) {
      ASSERT_TRUE(!conversion.error.empty() || !conversion.read_everything);
      ASSERT_FALSE(conversion.complete);
    }
    ASSERT_LE(conversion.events, first.events.size() + second.events.size());
  }
}

/// A block of a trace, its bytes changed and its checksum made right again: what the reader must see through.
TEST_F(Damage, NonsenseWithARightChecksum) {
  make();
  for (std::uint64_t offset = sizeof(trace::FileHeader); offset < bytes.size();) {
    trace::Block block;
    ASSERT_FALSE(trace::read_block(bytes, offset, block));
    for (std::size_t at = 0; at < block.payload.size(); ++at) {
      for (const auto change : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
        std::vector<std::byte> damaged = bytes;
        const std::size_t payload = offset + sizeof(trace::BlockHeader);
        damaged[payload + at] ^= change;
        trace::BlockHeader header = block.header;
        header.checksum =
            trace::checksum_of(header, trace::Bytes(damaged).subspan(payload, block.payload.size()));
        std::memcpy(damaged.data() + offset, &header, sizeof header);
        write_file(broken, damaged);
        trace::Fault fault;
        read_trace(broken, fault);  // must not crash; what it reads may be anything
      }
    }
    offset = block.end();
  }
}

TEST_F(Damage, UnknownOptionalColumnsAndBlocksAreSkipped) {
  trace::BlockWriter writer;
  ASSERT_TRUE(writer.open(path, trace::Content::columns));
  const trace::StreamStart start{1, 0, 0};
  const trace::ChunkHeader chunk{0, 0, 1, 3};
  trace::StreamTotals totals{};
  totals.events = totals.objects = totals.threads = 1;
  const auto bytes_of = [](const auto& value) { return std::as_bytes(std::span(&value, 1)); };
  const unsigned char symbols[] = {1, 1, 24, 0};  // a dictionary of one, malloc of 24; then it
  const unsigned char threads[] = {0, 1};
  const unsigned char unknown[] = {1, 2, 3};
  using trace::BlockKind;
  writer.append(BlockKind::stream_begin, 0, 0, bytes_of(start));
  writer.append(static_cast<BlockKind>(77), 9, 0, std::as_bytes(std::span(unknown)));
  writer.append(BlockKind::chunk, 0, 0, bytes_of(chunk));
  writer.append(BlockKind::column, 0, 0, std::as_bytes(std::span(symbols)),
                trace::column_detail(trace::Column::symbols, trace::ColumnType::symbols));
  writer.append(BlockKind::column, 0, 0, std::as_bytes(std::span(unknown)), 0x0963);
  writer.append(BlockKind::column, 0, 0, std::as_bytes(std::span(threads)),
                trace::column_detail(trace::Column::threads, trace::ColumnType::varints));
  const std::uint64_t end = writer.bytes();
  writer.append(BlockKind::stream_end, 0, 0, bytes_of(totals));
  const trace::Trailer trailer{writer.bytes(), 1};
  writer.append(BlockKind::index, 0, 0, bytes_of(trace::StreamEntry{0, sizeof(trace::FileHeader), end, 1}));
  writer.append(BlockKind::trailer, 0, 0, bytes_of(trailer));
  ASSERT_TRUE(writer.close());
  trace::Fault fault;
  const std::vector<ReadBack> streams = read_trace(path, fault);
  ASSERT_FALSE(fault) << fault.why;
  ASSERT_EQ(streams.at(0).events.size(), 1U);
  EXPECT_TRUE(same(streams[0].events[0], {trace::Operation::malloc, 0, 0, 24, 0}));
}

TEST_F(Damage, FullDiskIsToldAndTheFileStaysWhole) {
  trace::BlockWriter writer;
  ASSERT_TRUE(writer.open("/dev/full", trace::Content::rows) == false);
  EXPECT_EQ(writer.error(), "/dev/full: No space left on device");
  EXPECT_FALSE(writer.append(trace::BlockKind::rows, 0, 0, {}));
}

/// The slots of a recorder that was killed: one buffer that was drained too, one that was not.
TEST_F(Damage, SlotsOfAKilledRecorderAreTakenIn) {
  trace::BlockWriter writer;
  ASSERT_TRUE(writer.open(part, trace::Content::rows));
  ThreadWriter thread(0, 0);
  thread.wrote(thread.encoder().malloc(thread.room(writer, 0), 1, 0x1000, 10));
  std::vector<unsigned char> drained = thread.take_rest();
  writer.append(trace::BlockKind::rows, 0, 0, std::as_bytes(std::span(drained)));
  thread.wrote(thread.encoder().free(thread.room(writer, 1), 2, 0x1000));
  std::vector<unsigned char> held = thread.take_rest();
  ASSERT_TRUE(writer.close());

  std::vector<std::byte> memory(slots::file_bytes(3) + 64);
  std::size_t room = memory.size();
  void* file = memory.data();
  ASSERT_NE(std::align(64, slots::file_bytes(3), file, room), nullptr);
  auto* header = new (file) slots::Header{};
  header->magic = slots::magic;
  header->version = slots::version;
  header->slot_count = 3;
  const auto fill = [header](std::uint32_t index, const std::vector<unsigned char>& rows) {
    slots::owner_word(*header, index) = slots::Owner{slots::State::filling, 1, 1}.word();
    slots::Slot& slot = slots::slot(*header, index);
    slot.written = static_cast<std::uint32_t>(rows.size());
    std::memcpy(slot.rows(), rows.data(), rows.size());
  };
  fill(0, held);
  fill(2, drained);
  const std::string slots_path = folder.path("t.trace.slots");
  write_file(slots_path, {static_cast<std::byte*>(file), slots::file_bytes(3)});

  std::vector<std::string> warnings;
  const trace::Conversion conversion = trace::convert(part, slots_path.c_str(), path, warnings);
  EXPECT_EQ(conversion.error, "");
  EXPECT_TRUE(conversion.read_everything);
  EXPECT_FALSE(conversion.complete);  // nobody told the process's end
  trace::Fault fault;
  const std::vector<ReadBack> streams = read_trace(path, fault);
  ASSERT_EQ(streams.at(0).events.size(), 2U);
  EXPECT_TRUE(same(streams[0].events[1], {trace::Operation::free, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace strata::test
