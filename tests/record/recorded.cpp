#include "recorded.hpp"

#include "trace/trace_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <unordered_map>

namespace strata::test {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> split_at_nuls(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// The size of what each event ends, told by its age; 0 for none.
std::vector<std::uint64_t> ended_sizes(const Stream& stream) {
  std::vector<std::uint64_t> born, ended;
  for (const trace::Event& event : stream.events) {
    ended.push_back(event.age != 0 ? born[born.size() - event.age] : 0);
    if (trace::is_birth(event.operation)) born.push_back(event.size);
  }
  return ended;
}

}  // namespace

std::size_t Stream::births(std::uint64_t size) const {
  return static_cast<std::size_t>(std::ranges::count_if(events, [size](const trace::Event& event) {
    return trace::is_birth(event.operation) && event.size == size;
  }));
}

std::size_t Stream::deaths(std::uint64_t size) const {
  return static_cast<std::size_t>(std::ranges::count(ended_sizes(*this), size));
}

int Outcome::exit_status() const {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

std::string helper(const std::string& name) {
  return std::string(STRATA_TEST_HELPERS) + "/" + name;
}

pid_t RecordingFolder::start(const std::vector<std::string>& command) const {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const auto redirect = [this](const char* name, int to) {
    dup2(open(path(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), to);
  };
  redirect("out", STDOUT_FILENO);
  redirect("err", STDERR_FILENO);
  if (chdir(path().c_str()) == 0) execvp(arguments[0], arguments.data());
  _exit(99);
}

Outcome RecordingFolder::wait(pid_t pid) const {
  Outcome outcome;
  waitpid(pid, &outcome.wait_status, 0);
  outcome.out = content(path("out"));
  outcome.err = content(path("err"));
  return outcome;
}

Outcome RecordingFolder::run(const std::vector<std::string>& command) const {
  return wait(start(command));
}

std::vector<std::string> RecordingFolder::record_command(const std::vector<std::string>& program,
                                                         const std::vector<std::string>& options) const {
  std::vector<std::string> command = {STRATA_RECORD, "-o", "t.trace"};
  command.insert(command.end(), options.begin(), options.end());
  command.emplace_back("--");
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

Outcome RecordingFolder::record(const std::vector<std::string>& program,
                                const std::vector<std::string>& options) const {
  return run(record_command(program, options));
}

std::vector<Stream> RecordingFolder::streams() const {
  std::vector<Stream> streams;
  trace::TraceFile file;
  const trace::Fault fault = file.open(path("t.trace").c_str());
  EXPECT_FALSE(fault) << fault.why;
  if (fault) return streams;
  EXPECT_TRUE(file.finished());
  auto chunk = std::make_unique<trace::Chunk>();
  for (const trace::StreamEntry& entry : file.streams()) {
    Stream& stream = streams.emplace_back();
    trace::StreamCursor cursor(file, entry, *chunk);
    std::string_view text;
    EXPECT_FALSE(cursor.start(stream.start, text));
    stream.command = split_at_nuls(text);
    if (!stream.command.empty()) {
      stream.executable = stream.command.front();
      stream.command.erase(stream.command.begin());
    }
    trace::StreamCursor::Step step;
    while ((step = cursor.next()) == trace::StreamCursor::Step::chunk)
      stream.events.insert(stream.events.end(), chunk->events().begin(), chunk->events().end());
    EXPECT_EQ(step, trace::StreamCursor::Step::end) << cursor.fault().why;
    stream.totals = cursor.totals();
  }
  return streams;
}

Stream stream_with(const std::vector<Stream>& streams, std::uint64_t size) {
  const auto most =
      std::ranges::max_element(streams, {}, [size](const Stream& stream) { return stream.births(size); });
  const bool found = most != streams.end() && most->births(size) > 0;
  EXPECT_TRUE(found) << "no stream has a block of " << size << " bytes";
  return found ? *most : Stream{};
}

}  // namespace strata::test
