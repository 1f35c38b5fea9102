/// strata-record: runs a program with the recorder preloaded, drains its events, and leaves a trace.
#include "record/child.hpp"
#include "record/drainer.hpp"
#include "record/findings.hpp"
#include "record/options.hpp"
#include "record/program_check.hpp"
#include "record/slots_store.hpp"
#include "trace/block_writer.hpp"
#include "trace/converter.hpp"

#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace strata::record {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int recording_failed = 125;
constexpr int turn_milliseconds = 50;
constexpr int live_level = -20;  // of zstd: the cores are the program's, converting compresses well later
constexpr auto reclaim_interval = std::chrono::milliseconds(250);
constexpr auto patience = std::chrono::seconds(2);  // with processes that outlive the program

struct Outcome {
  int wait_status = 0;
  double seconds = 0;
  bool complete = false;
  std::vector<std::string> warnings;

  int signal() const { return WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0; }
  int exit_status() const { return signal() != 0 ? 128 + signal() : WEXITSTATUS(wait_status); }
};

int fail(int status, const std::string& why) {
  std::fprintf(stderr, "strata: %s\n", why.c_str());
  return status;
}

/// The recorder, beside this executable; empty and `why` when it cannot be preloaded from there.
std::string find_recorder(std::string& why) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const std::string path = folder / "lib" / "libstrata-recorder.so";
  if (!fs::exists(path))
    why = path + ": is missing: build or install strata again";
  else if (path.find_first_of(" :") != std::string::npos)
    why = path + ": the dynamic linker preloads no path with a space or a colon: move strata elsewhere";
  return why.empty() ? path : "";
}

/// Drains until the program has ended, and for a moment until all whom it started have.
void drain_until_ended(Child& child, Drainer& drainer, Outcome& outcome) {
  const auto start = Clock::now();
  auto next_reclaim = start + reclaim_interval;
  std::optional<int> status;
  while (!(status = child.ended())) {
    drainer.wait(turn_milliseconds);
    if (Clock::now() < next_reclaim) continue;
    drainer.reclaim();
    next_reclaim = Clock::now() + reclaim_interval;
  }
  const auto end = Clock::now();
  outcome.wait_status = *status;
  outcome.seconds = std::chrono::duration<double>(end - start).count();
  std::size_t others;
  while ((others = drainer.reclaim()) != 0 && Clock::now() < end + patience) drainer.wait(turn_milliseconds);
  if (others != 0)
    outcome.warnings.push_back(std::to_string(others) +
                               " processes that the program started live on: their " + "recording ends here");
  drainer.finish();
}

void write_report(const Options& options, const Outcome& outcome) {
  if (options.report.empty()) return;
  const int signal = outcome.signal();
  const nlohmann::json report = {{"trace", options.trace},
                                 {"exit_status", outcome.exit_status()},
                                 {"signal", signal != 0 ? nlohmann::json(signal) : nlohmann::json(nullptr)},
                                 {"seconds", outcome.seconds},
                                 {"complete", outcome.complete},
                                 {"warnings", outcome.warnings}};
  std::ofstream file(options.report);
  file << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  if (!file.flush()) fail(0, options.report + ": the report could not be written");
}

int record(const Options& options) {
  const ProgramCheck program = check_program(options.program[0]);
  if (!program.error.empty()) return fail(program.status, program.error);
  std::string why;
  const std::string recorder = find_recorder(why);
  if (!why.empty()) return fail(recording_failed, why);

  const std::string part = options.trace + ".part";
  const std::string slots_path = options.trace + ".slots";
  for (const std::string& left : {part, slots_path})
    if (fs::exists(left))
      return fail(recording_failed, left + ": is there from a recording that still runs or was killed: see " +
                                        "\"strata-trace recover " + options.trace + "\", or remove it");

  Child child;
  SlotsStore store;
  if (why = store.create(slots_path, options.slots); !why.empty()) return fail(recording_failed, why);
  trace::BlockWriter output;
  Drainer drainer(store, output);
  if (!output.open(part, trace::Content::rows, live_level)) {
    store.remove();
    return fail(recording_failed, output.error());
  }
  why =
      child.start(program.path, options.program.data(), {recorder, fs::absolute(slots_path)}, store.header());
  if (!why.empty()) {
    store.remove();
    fs::remove(part);
    return fail(126, why);
  }

  Outcome outcome;
  drain_until_ended(child, drainer, outcome);
  if (!output.close())
    outcome.warnings.push_back(output.error() +
                               ": the recording ends where it filled up; the program went on");
  if (const std::uint64_t lost = store.header().lost.load(); lost != 0)
    outcome.warnings.push_back(std::to_string(lost) +
                               " events found no slot and are lost: record with more than --slots " +
                               std::to_string(options.slots));
  store.remove();

  const trace::Conversion conversion = trace::convert(part, nullptr, options.trace, outcome.warnings);
  if (!conversion.error.empty())
    return fail(recording_failed, conversion.error + ": " + part +
                                      " was kept: mend that, then run \"strata-trace recover " +
                                      options.trace + "\"");
  fs::remove(part);
  outcome.complete = conversion.complete && output.error().empty();
  add_findings(options.trace, program.path, outcome.warnings);
  for (const std::string& warning : outcome.warnings) fail(0, "warning: " + warning);
  write_report(options, outcome);
  return outcome.exit_status();
}

}  // namespace
}  // namespace strata::record

int main(int count, char** arguments) {
  using namespace strata::record;
  try {
    int status = 0;
    const auto options = parse_options(count, arguments, status);
    return options ? record(*options) : status;
  } catch (const std::exception& error) {  // out of memory, or a file system that refuses
    return fail(recording_failed, error.what());
  }
}
