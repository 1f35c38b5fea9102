/// What cannot be recorded gets one line that says why, and the exit status a shell would give.
#include "recorded.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace strata::test {
namespace {

namespace fs = std::filesystem;

void expect_refusal(const RecordingFolder& folder, const std::vector<std::string>& program, int status,
                    const std::string& why) {
  const Outcome outcome = folder.record(program);
  EXPECT_EQ(outcome.exit_status(), status);
  EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.substr(0, 8), "strata: ");
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  EXPECT_FALSE(fs::exists(folder.path("t.trace")));
  EXPECT_FALSE(fs::exists(folder.path("t.trace.part")));
  EXPECT_FALSE(fs::exists(folder.path("t.trace.slots")));
}

void write_script(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  chmod(path.c_str(), 0755);
}

TEST(Refusals, AMissingProgram) {
  const RecordingFolder folder;
  expect_refusal(folder, {"no-such-program-anywhere"}, 127, "no-such-program-anywhere: not found in PATH");
  expect_refusal(folder, {"./nowhere/it"}, 127, "./nowhere/it: No such file or directory");
}

TEST(Refusals, WhatIsNoProgram) {
  const RecordingFolder folder;
  expect_refusal(folder, {"/tmp"}, 126, "is a folder");
  std::ofstream(folder.path("notes.txt")) << "text";
  expect_refusal(folder, {"./notes.txt"}, 126, "./notes.txt: is not executable");
}

TEST(Refusals, AStaticallyLinkedProgram) {
  const RecordingFolder folder;
  expect_refusal(folder, {helper("static_program")}, 126, "is statically linked");
}

TEST(Refusals, AScriptWhoseInterpreterIsNone) {
  const RecordingFolder folder;
  write_script(folder.path("gone"), "#! /no/such/interpreter -x\n");
  expect_refusal(folder, {"./gone"}, 126, "its interpreter /no/such/interpreter cannot be run");
  write_script(folder.path("static"), "#!" + helper("static_program") + "\n");
  expect_refusal(folder, {"./static"}, 126, "static_program is statically linked");
}

TEST(Refusals, ASetuidProgram) {
  if (geteuid() != 0) GTEST_SKIP() << "making a setuid program of another user takes root";
  const RecordingFolder folder;
  fs::copy_file(helper("known"), folder.path("privileged"));
  ASSERT_EQ(chown(folder.path("privileged").c_str(), 65534, 65534), 0);
  ASSERT_EQ(chmod(folder.path("privileged").c_str(), 04755), 0);
  expect_refusal(folder, {"./privileged"}, 126, "./privileged is setuid");
  ASSERT_EQ(chmod(folder.path("privileged").c_str(), 02755), 0);
  expect_refusal(folder, {"./privileged"}, 126, "./privileged is setgid");
}

TEST(Refusals, WrongUsage) {
  const RecordingFolder folder;
  for (const auto& arguments : {std::vector<std::string>{},
                                {"--slots", "0", "--", "true"},
                                {"--slots", "many", "true"},
                                {"--nonsense"},
                                {"-o"}}) {
    std::vector<std::string> command = {STRATA_RECORD};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Outcome outcome = folder.run(command);
    EXPECT_EQ(outcome.exit_status(), 2);
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST(Refusals, ScriptsThatCanBeRecordedAre) {
  const RecordingFolder folder;
  write_script(folder.path("script"), "#!/usr/bin/env sh\nexit 7\n");
  EXPECT_EQ(folder.record({"./script"}).exit_status(), 7);
  write_script(folder.path("bare"), "exit 8\n");
  EXPECT_EQ(folder.record({"./bare"}).exit_status(), 8);
}

TEST(Warnings, MemoryThatDoesNotComeFromMalloc) {
  const RecordingFolder folder;
  const Outcome outcome = folder.record({helper("own_allocator")});
  EXPECT_EQ(outcome.exit_status(), 0);
  EXPECT_NE(outcome.err.find("brings its own allocator or maps memory itself"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace strata::test
