/// What is recorded of a program is what it did.
#include "recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace strata::test {
namespace {

using trace::Operation;

trace::Event birth_of(const Stream& stream, std::uint64_t size) {
  const auto found = std::ranges::find_if(stream.events, [size](const trace::Event& event) {
    return trace::is_birth(event.operation) && event.size == size;
  });
  EXPECT_NE(found, stream.events.end()) << "no block of " << size << " bytes";
  return found == stream.events.end() ? trace::Event{} : *found;
}

TEST(Events, EveryWayToAllocateIsRecordedExactly) {
  const RecordingFolder folder;
  const Outcome outcome = folder.record({helper("known")});
  EXPECT_EQ(outcome.exit_status(), 42);
  EXPECT_EQ(outcome.err, "");
  const auto streams = folder.streams();
  ASSERT_EQ(streams.size(), 1U);
  const Stream& stream = streams[0];
  EXPECT_EQ(stream.executable, std::filesystem::canonical(helper("known")));
  EXPECT_EQ(stream.command, std::vector{helper("known")});
  EXPECT_TRUE(stream.totals.complete);
  EXPECT_EQ(stream.totals.threads, 1U);
  EXPECT_EQ(stream.totals.foreign_frees, 0U);
  EXPECT_EQ(stream.totals.unseen_frees, 0U);
  EXPECT_EQ(stream.totals.dropped, 0U);

  struct Known {
    std::uint64_t size;
    Operation operation;
    int log2_alignment;
    std::size_t deaths;
  };
  for (const Known& known :
       {Known{100001, Operation::malloc, 0, 1}, Known{7 * 14293, Operation::calloc, 0, 1},
        Known{100003, Operation::malloc, 0, 1}, Known{200003, Operation::realloc, 0, 1},
        Known{100035, Operation::malloc, 0, 1}, Known{100096, Operation::aligned, 6, 1},
        Known{100007, Operation::aligned, 8, 1}, Known{100009, Operation::aligned, 12, 1},
        Known{100011, Operation::aligned, 12, 1}, Known{102400, Operation::aligned, 12, 0}}) {
    const trace::Event event = birth_of(stream, known.size);
    EXPECT_EQ(event.operation, known.operation) << known.size;
    EXPECT_EQ(event.log2_alignment, known.log2_alignment) << known.size;
    EXPECT_EQ(stream.births(known.size), 1U);
    EXPECT_EQ(stream.deaths(known.size), known.deaths) << known.size;
  }
  // Nothing of the call that failed, and nothing else above stdio's and the loader's own.
  EXPECT_EQ(std::ranges::count_if(stream.events, [](const trace::Event& e) { return e.size > 99999; }), 10);
}

TEST(Events, NothingIsFreedBeforeItIsAllocatedWhoeverDoesIt) {
  const RecordingFolder folder;
  // One arena and no thread caches: an address that one thread gives up is at once another's.
  std::vector<std::string> command = {"/usr/bin/env",
                                      "GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1"};
  for (const std::string& argument : folder.record_command({helper("handoff")})) command.push_back(argument);
  EXPECT_EQ(folder.run(command).exit_status(), 0);
  const auto streams = folder.streams();
  ASSERT_EQ(streams.size(), 1U);
  const Stream& stream = streams[0];
  // An address whose events were out of order shows as a free of nothing, or as a birth where something lives.
  EXPECT_EQ(stream.totals.foreign_frees, 0U);
  EXPECT_EQ(stream.totals.unseen_frees, 0U);
  EXPECT_EQ(stream.totals.dropped, 0U);
  EXPECT_TRUE(stream.totals.complete);
  EXPECT_EQ(stream.totals.threads, 5U);
  EXPECT_EQ(stream.births(300), 80000U);
  EXPECT_EQ(stream.deaths(300), 80000U);
  const auto reallocs = std::ranges::count_if(stream.events, [](const trace::Event& event) {
    return event.operation == Operation::realloc && event.size == 300 && event.age != 0;
  });
  EXPECT_EQ(reallocs, 80000);
}

TEST(Events, OfManyMillionsNoneIsMissing) {
  const RecordingFolder folder;
  constexpr std::uint64_t events = 6'000'000;
  const Outcome outcome = folder.record({helper("churn"), std::to_string(events), "progress"});
  EXPECT_EQ(outcome.out, "done\n");
  EXPECT_EQ(outcome.err, "");
  const auto streams = folder.streams();
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_TRUE(streams[0].totals.complete);
  EXPECT_EQ(streams[0].totals.foreign_frees + streams[0].totals.unseen_frees, 0U);
  // The first free of each of the 4096 places is of null, and stdio's buffer is one more birth.
  EXPECT_GE(streams[0].events.size(), events - 4096);
  EXPECT_LE(streams[0].events.size(), events - 4096 + 16);
}

TEST(Events, AnEventInsideOfAnEventIsCountedAndHarmsNothing) {
  const RecordingFolder folder;
  const Outcome outcome =
      folder.record({"/usr/bin/env", "LD_PRELOAD=" STRATA_RECORDER ":" + helper("libsignal_safe_malloc.so"),
                     helper("interrupted")});
  ASSERT_EQ(outcome.exit_status(), 0) << outcome.err;
  std::uint64_t allocated = 0, handled = 0;
  std::istringstream(outcome.out) >> allocated >> handled;
  ASSERT_GE(handled, 3000U);
  const Stream stream = stream_with(folder.streams(), 90001);
  const std::uint64_t recorded = stream.births(90001) + stream.births(90002);
  EXPECT_LE(recorded, allocated + handled);
  EXPECT_GE(recorded + stream.totals.dropped, allocated + handled);
  EXPECT_EQ(stream.births(90001), allocated) << "an interrupted event was lost";
  EXPECT_GT(stream.births(90002), 0U);
}

}  // namespace
}  // namespace strata::test
