/// Threads that come and go, and more of them than slots.
#include "recorded.hpp"

#include <gtest/gtest.h>

namespace strata::test {
namespace {

TEST(Threads, AThousandShortLivedOnesShareFewSlots) {
  const RecordingFolder folder;
  const Outcome outcome = folder.record({helper("many_threads"), "short", "1000"}, {"--slots", "4"});
  EXPECT_EQ(outcome.exit_status(), 0);
  EXPECT_EQ(outcome.err, "");
  const Stream stream = stream_with(folder.streams(), 80001);
  EXPECT_EQ(stream.births(80001), 10000U);
  EXPECT_EQ(stream.deaths(80001), 10000U);
  EXPECT_EQ(stream.births(80003), 4000U) << "destructors that ran after the recorder's";
  EXPECT_EQ(stream.totals.dropped, 0U);
  EXPECT_EQ(stream.totals.threads, 1001U);
  EXPECT_TRUE(stream.totals.complete);
}

TEST(Threads, SlotsOfOnesThatVanishedAreReclaimed) {
  const RecordingFolder folder;
  const Outcome outcome = folder.record({helper("many_threads"), "raw", "40"}, {"--slots", "4"});
  EXPECT_EQ(outcome.exit_status(), 0);
  const Stream stream = stream_with(folder.streams(), 80001);
  EXPECT_EQ(stream.births(80001), 400U);
  EXPECT_EQ(stream.totals.dropped, 0U);
}

TEST(Threads, MoreThanSlotsLoseEventsAndSaySo) {
  const RecordingFolder folder;
  const Outcome outcome = folder.record({helper("many_threads"), "wide", "12"}, {"--slots", "6"});
  EXPECT_EQ(outcome.exit_status(), 0);
  EXPECT_NE(outcome.err.find("more than --slots 6"), std::string::npos) << outcome.err;
  const Stream stream = stream_with(folder.streams(), 80002);
  EXPECT_GE(stream.births(80002), 5U);
  EXPECT_LT(stream.births(80002), 12U);
  EXPECT_GT(stream.totals.dropped, 0U);
  EXPECT_FALSE(stream.totals.complete);
}

}  // namespace
}  // namespace strata::test
