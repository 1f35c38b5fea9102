/// Rows: what is written is read back, and no bytes whatever make the decoder misbehave.
#include <strata/event/encoding.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace strata {
namespace {

/// A buffer of exactly that many bytes, so that a sanitizer sees a read past its end.
std::unique_ptr<unsigned char[]> exactly(const std::vector<unsigned char>& bytes, std::size_t size) {
  auto copy = std::make_unique<unsigned char[]>(size);
  std::copy_n(bytes.begin(), size, copy.get());
  return copy;
}

std::vector<Event> random_events(std::mt19937_64& random, std::size_t count) {
  std::vector<Event> events;
  std::uint64_t order = 17;
  const auto any = [&](int bits) { return random() >> (64 - 1 - random() % static_cast<unsigned>(bits)); };
  while (events.size() < count) {
    Event event;
    order += random() % 4 == 0 ? any(40) : 0;
    event.operation = static_cast<Operation>(1 + random() % 5);
    if (event.operation == Operation::realloc) {
      event.order_before = order++;
      event.old_address = any(47);
      order += random() % 2;
    }
    event.order = order++;
    event.address = any(47);
    if (event.operation != Operation::free) event.size = any(62);
    if (event.operation == Operation::aligned) event.alignment = std::uint64_t{1} << random() % 40;
    events.push_back(event);
  }
  return events;
}

std::vector<unsigned char> encode(const std::vector<Event>& events) {
  std::vector<unsigned char> bytes(events.size() * Encoder::slack + 4096);
  Encoder encoder;
  unsigned char* at = encoder.buffer_start(bytes.data(), 17, 4, 123456789);
  at = Encoder::process_start(at, 4711, 815, std::string_view("/bin/x\0x\0-y\0", 12));
  for (const Event& event : events) {
    unsigned char* const start = at;
    switch (event.operation) {
      case Operation::malloc:
        at = encoder.malloc(at, event.order, event.address, event.size);
        break;
      case Operation::calloc:
        at = encoder.calloc(at, event.order, event.address, event.size);
        break;
      case Operation::free:
        at = encoder.free(at, event.order, event.address);
        break;
      case Operation::aligned:
        at = encoder.aligned(at, event.order, event.address, event.size, event.alignment);
        break;
      default:
        at = encoder.realloc(at, event.order_before, event.old_address, event.order, event.address,
                             event.size);
    }
    EXPECT_LE(at + 8, start + Encoder::slack);
  }
  at = Encoder::time(at, 999);
  at = Encoder::process_end(at, Ending::replaced_by_exec, 1 << 20, 3);
  bytes.resize(static_cast<std::size_t>(at - bytes.data()));
  return bytes;
}

TEST(Encoding, IsReadBackAsItWasWritten) {
  std::mt19937_64 random(1);
  const auto events = random_events(random, 20000);
  const auto bytes = encode(events);
  const auto buffer = exactly(bytes, bytes.size());
  Decoder decoder({buffer.get(), bytes.size()});
  Event event;
  ASSERT_EQ(decoder.next(event), Decoder::Status::event);
  EXPECT_EQ(event.operation, Operation::buffer_start);
  EXPECT_EQ(event.order, 17U);
  EXPECT_EQ(event.sequence, 4U);
  EXPECT_EQ(event.nanoseconds, 123456789U);
  ASSERT_EQ(decoder.next(event), Decoder::Status::event);
  EXPECT_EQ(event.operation, Operation::process_start);
  EXPECT_EQ(event.pid, 4711U);
  EXPECT_EQ(event.parent_pid, 815U);
  EXPECT_EQ(event.text, std::string_view("/bin/x\0x\0-y\0", 12));
  for (const Event& written : events) {
    ASSERT_EQ(decoder.next(event), Decoder::Status::event);
    ASSERT_EQ(event.operation, written.operation);
    ASSERT_EQ(event.order, written.order);
    ASSERT_EQ(event.order_before, written.order_before);
    ASSERT_EQ(event.address, written.address);
    ASSERT_EQ(event.old_address, written.old_address);
    ASSERT_EQ(event.size, written.size);
    ASSERT_EQ(event.alignment, written.alignment);
  }
  ASSERT_EQ(decoder.next(event), Decoder::Status::event);
  EXPECT_EQ(event.operation, Operation::time);
  EXPECT_EQ(event.nanoseconds, 999U);
  ASSERT_EQ(decoder.next(event), Decoder::Status::event);
  EXPECT_EQ(event.operation, Operation::process_end);
  EXPECT_EQ(event.ending, Ending::replaced_by_exec);
  EXPECT_EQ(event.peak_resident_bytes, 1U << 20);
  EXPECT_EQ(event.dropped, 3U);
  EXPECT_EQ(decoder.next(event), Decoder::Status::end);
  EXPECT_EQ(decoder.offset(), bytes.size());
}

TEST(Encoding, CutAnywhereGivesWhatPrecedesTheCut) {
  std::mt19937_64 random(2);
  const auto events = random_events(random, 50);
  const auto bytes = encode(events);
  std::size_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto buffer = exactly(bytes, size);
    Decoder decoder({buffer.get(), size});
    Event event;
    std::size_t count = 0;
    Decoder::Status status;
    while ((status = decoder.next(event)) == Decoder::Status::event) ++count;
    EXPECT_GE(count, most);
    most = count;
    EXPECT_EQ(status == Decoder::Status::end, decoder.offset() == size);
  }
  EXPECT_EQ(most, events.size() + 3);  // all but the last
}

TEST(Encoding, DamageEndsTheReadingForGood) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::vector<unsigned char> noise(random() % 200);
    for (auto& byte : noise) byte = static_cast<unsigned char>(random());
    const auto buffer = exactly(noise, noise.size());
    Decoder decoder({buffer.get(), noise.size()});
    Event event;
    while (decoder.next(event) == Decoder::Status::event) {
      ASSERT_LE(decoder.offset(), noise.size());
    }
    const auto status = decoder.next(event);
    ASSERT_NE(status, Decoder::Status::event);
    ASSERT_EQ(status == Decoder::Status::end, decoder.offset() == noise.size());
  }
}

}  // namespace
}  // namespace strata
