/// The whole process tree is recorded, a stream a process.
#include "recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace strata::test {
namespace {

TEST(Processes, EachIsAStreamAndSaysHowItEnded) {
  const RecordingFolder folder;
  EXPECT_EQ(folder.record({helper("family")}).exit_status(), 0);
  const auto streams = folder.streams();
  ASSERT_EQ(streams.size(), 7U);  // the program, four forked children, two images that children became

  const Stream parent = stream_with(streams, 70001);
  EXPECT_EQ(parent.births(70001), 200U);
  EXPECT_EQ(parent.births(70008), 1U) << "a vfork child's events are its parent's";
  EXPECT_EQ(parent.births(70002), 0U) << "a child wrote into its parent's stream";
  EXPECT_TRUE(parent.totals.complete);

  const auto child = [&](std::uint64_t number) { return stream_with(streams, 70002 + number); };
  for (std::uint64_t number = 0; number < 4; ++number) {
    EXPECT_EQ(child(number).births(70002 + number), 1000 * (number + 1));
    EXPECT_EQ(child(number).start.parent_pid, parent.start.pid);
    EXPECT_EQ(child(number).births(70001), 0U);
    EXPECT_EQ(child(number).totals.complete != 0, number != 2)
        << "only the one that was killed is incomplete";
  }
  EXPECT_EQ(child(0).totals.foreign_frees, 1U) << "it freed what its parent allocated";

  const auto images = std::ranges::count_if(streams, [](const Stream& s) { return s.births(70007) == 700; });
  EXPECT_EQ(images, 2);
}

TEST(Processes, AScriptIsFollowedThroughItsExecChain) {
  const RecordingFolder folder;
  const std::string script = "true & wait; /bin/sh -c 'exec \"$0\" image' " + helper("family") + "; exit 5";
  const Outcome outcome = folder.record({"/bin/sh", "-c", script});
  EXPECT_EQ(outcome.exit_status(), 5);
  const auto streams = folder.streams();
  const Stream image = stream_with(streams, 70007);
  EXPECT_EQ(image.command, (std::vector<std::string>{helper("family"), "image"}));
  EXPECT_TRUE(image.totals.complete);
  EXPECT_GE(streams.size(), 3U);
  EXPECT_TRUE(std::ranges::all_of(streams, [](const Stream& s) { return s.totals.complete != 0; }));
}

TEST(Processes, OneThatOutlivesTheProgramIsNotWaitedFor) {
  const RecordingFolder folder;
  const Outcome outcome = folder.record({helper("daemon")});
  EXPECT_EQ(outcome.exit_status(), 3);
  EXPECT_NE(outcome.err.find("live on"), std::string::npos) << outcome.err;
  const Stream left_behind = stream_with(folder.streams(), 60001);
  EXPECT_FALSE(left_behind.totals.complete);
}

TEST(Processes, TheirFilesAndEnvironmentAreLeftAlone) {
  const RecordingFolder folder;
  // A command for each: the open descriptors, and what is preloaded behind the recorder.
  const Outcome files = folder.record({"/bin/sh", "-c", "ls /proc/self/fd | wc -l"});
  const Outcome plain = folder.run({"/bin/sh", "-c", "ls /proc/self/fd | wc -l"});
  EXPECT_EQ(files.out, plain.out);
  const Outcome preload = folder.run({"/usr/bin/env", "LD_PRELOAD=" + helper("libsignal_safe_malloc.so"),
                                      STRATA_RECORD, "-o", "u.trace", "/bin/sh", "-c", "echo $LD_PRELOAD"});
  EXPECT_EQ(preload.out, STRATA_RECORDER ":" + helper("libsignal_safe_malloc.so") + "\n");
}

}  // namespace
}  // namespace strata::test
