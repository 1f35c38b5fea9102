/// Whatever is killed or fills up: the program goes on, and what was recorded stays.
#include "recorded.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace strata::test {
namespace {

namespace fs = std::filesystem;

/// How far churn says it is.
std::uint64_t progress(const RecordingFolder& folder) {
  std::uint64_t done = 0;
  std::ifstream(folder.path("progress"), std::ios::binary).read(reinterpret_cast<char*>(&done), sizeof done);
  return done;
}

void wait_for_progress(const RecordingFolder& folder, std::uint64_t events) {
  while (progress(folder) < events) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// The one process whose parent is `parent`.
pid_t child_of(pid_t parent) {
  std::ifstream file("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  pid_t child = 0;
  file >> child;
  return child;
}

/// A block of rows is 64 KiB; a row of churn takes at least 3 bytes.
constexpr std::uint64_t events_of_a_block = 64 * 1024 / 3;

TEST(Disasters, KillingTheProgramLosesNothingButTheLastEvents) {
  const RecordingFolder folder;
  const pid_t recorder =
      folder.start(folder.record_command({helper("churn"), "0", "progress"}, {"--report", "r"}));
  wait_for_progress(folder, 1'000'000);
  kill(child_of(recorder), SIGKILL);
  const Outcome outcome = folder.wait(recorder);
  EXPECT_EQ(outcome.exit_status(), 128 + SIGKILL);
  const std::uint64_t done = progress(folder);
  const auto streams = folder.streams();
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_FALSE(streams[0].totals.complete);
  // Exact: what the program had done when it said so is there, but for the frees of null.
  EXPECT_GE(streams[0].events.size() + 4096, done);
  EXPECT_LE(streams[0].events.size(), done + 1000 + 16);
  std::ifstream report(folder.path("r"));
  const std::string text{std::istreambuf_iterator(report), {}};
  EXPECT_NE(text.find("\"signal\": 9"), std::string::npos) << text;
  EXPECT_FALSE(fs::exists(folder.path("t.trace.part")));
  EXPECT_FALSE(fs::exists(folder.path("t.trace.slots")));
}

TEST(Disasters, KillingTheRecorderHarmsNoProgramAndCanBeRecovered) {
  const RecordingFolder folder;
  const pid_t recorder =
      folder.start(folder.record_command({helper("churn"), "30000000", "progress"}, {"--slots", "8"}));
  wait_for_progress(folder, 2'000'000);
  const pid_t program = child_of(recorder);
  kill(recorder, SIGKILL);
  waitpid(recorder, nullptr, 0);
  const std::uint64_t at_kill = progress(folder);
  wait_for_progress(folder, 29'000'000);  // it neither died nor hangs
  while (kill(program, 0) == 0) {
    // The orphan is nobody's here: it is gone, or a zombie of init's.
    std::ifstream stat("/proc/" + std::to_string(program) + "/stat");
    std::string line;
    std::getline(stat, line);
    if (line.find(") Z") != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::ifstream out(folder.path("out"));
  std::string said;
  std::getline(out, said);
  EXPECT_EQ(said, "done");

  const Outcome recovery = folder.run({STRATA_TRACE, "recover", "t.trace"});
  EXPECT_EQ(recovery.exit_status(), 0) << recovery.err;
  const auto streams = folder.streams();
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_EQ(streams[0].totals.foreign_frees + streams[0].totals.unseen_frees, 0U);
  EXPECT_GE(streams[0].events.size() + 4096 + events_of_a_block, at_kill);
  EXPECT_FALSE(streams[0].totals.complete);
}

TEST(Disasters, AFullDiskBeforeTheStartIsToldAndTheProgramNotRun) {
  const RecordingFolder folder;
  const Outcome outcome =
      folder.run({"/bin/sh", "-c", "ulimit -f 64; exec " STRATA_RECORD " -o t.trace -- touch ran"});
  EXPECT_EQ(outcome.exit_status(), 125);
  EXPECT_NE(outcome.err.find("t.trace.slots"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  EXPECT_FALSE(fs::exists(folder.path("ran")));
  EXPECT_FALSE(fs::exists(folder.path("t.trace.slots")));
  EXPECT_FALSE(fs::exists(folder.path("t.trace.part")));
}

TEST(Disasters, AFullDiskDuringTheRunKeepsWhatWasRecorded) {
  const RecordingFolder folder;
  // 4 MiB of slots fit under the limit; the rows of 8 million events of random size do not.
  const Outcome outcome = folder.run({"/bin/sh", "-c",
                                      "ulimit -f 10000; exec " STRATA_RECORD " -o t.trace --slots 64 -- " +
                                          helper("churn") + " 8000000 progress"});
  EXPECT_EQ(outcome.exit_status(), 0) << outcome.err;
  EXPECT_EQ(outcome.out, "done\n");
  EXPECT_NE(outcome.err.find("t.trace.part: File too large"), std::string::npos) << outcome.err;
  const auto streams = folder.streams();
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_GT(streams[0].events.size(), 500'000U);
  EXPECT_LT(streams[0].events.size(), 7'900'000U);
  EXPECT_FALSE(streams[0].totals.complete);
}

TEST(Disasters, ASmallSharedMemoryFolderDoesNotMatter) {
  const RecordingFolder folder;
  const Outcome outcome = folder.run(
      {"unshare", "-m", "/bin/sh", "-c",
       "mount -t tmpfs -o size=4k none /dev/shm || exit 98; exec " STRATA_RECORD " -o t.trace -- " +
           helper("churn") + " 1000000 progress"});
  if (outcome.exit_status() == 98 || outcome.exit_status() == 1 || outcome.exit_status() == 99)
    GTEST_SKIP() << "mounting takes root: " << outcome.err;
  EXPECT_EQ(outcome.exit_status(), 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  ASSERT_EQ(folder.streams().size(), 1U);
  EXPECT_TRUE(folder.streams()[0].totals.complete);
}

TEST(Disasters, ASignalToTheRecorderReachesTheProgram) {
  const RecordingFolder folder;
  const pid_t recorder = folder.start(folder.record_command({helper("churn"), "0", "progress"}));
  wait_for_progress(folder, 100'000);
  kill(recorder, SIGINT);  // as from the terminal, which sends it to the program too: not passed on
  const std::uint64_t before = progress(folder);
  wait_for_progress(folder, before + 100'000);
  kill(recorder, SIGTERM);
  EXPECT_EQ(folder.wait(recorder).exit_status(), 128 + SIGTERM);
  EXPECT_EQ(folder.streams().size(), 1U);
}

TEST(Disasters, ALeftoverRecordingIsNotOverwritten) {
  const RecordingFolder folder;
  std::ofstream(folder.path("t.trace.part")) << "precious";
  const Outcome outcome = folder.record({"true"});
  EXPECT_EQ(outcome.exit_status(), 125);
  EXPECT_NE(outcome.err.find("strata-trace recover t.trace"), std::string::npos) << outcome.err;
  EXPECT_EQ(fs::file_size(folder.path("t.trace.part")), 8U);
}

}  // namespace
}  // namespace strata::test
