#include "record/child.hpp"

#include "record/drainer.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace strata::record {
namespace {

// What the signal handlers need.
volatile sig_atomic_t child_pid = 0;
slots::Header* slots_header = nullptr;

struct sigaction inherited_quota_action{};

void pass_on(int signal) {
  const int kept = errno;
  kill(child_pid, signal);
  errno = kept;
}

void child_ended(int) {
  const int kept = errno;
  Drainer::interrupt(*slots_header);
  errno = kept;
}

void handle_signals() {
  struct sigaction action{};
  action.sa_handler = SIG_IGN;
  for (const int key : {SIGINT, SIGQUIT}) sigaction(key, &action, nullptr);
  action.sa_handler = pass_on;
  for (const int request : {SIGTERM, SIGHUP}) sigaction(request, &action, nullptr);
  action.sa_handler = child_ended;
  sigaction(SIGCHLD, &action, nullptr);
}

[[noreturn]] void execute(const std::string& path, char* const* arguments,
                          const Child::Environment& environment, int error_pipe) {
  sigaction(SIGXFSZ, &inherited_quota_action, nullptr);
  const char* others = std::getenv("LD_PRELOAD");
  const std::string preload = environment.recorder + (others && *others ? std::string(":") + others : "");
  setenv("LD_PRELOAD", preload.c_str(), 1);
  setenv("STRATA_SLOTS", environment.slots.c_str(), 1);
  execvp(path.c_str(), arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = write(error_pipe, &error, sizeof error);
  _exit(127);
}

}  // namespace

Child::Child() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &inherited_quota_action);
}

std::string Child::start(const std::string& path, char* const* arguments, const Environment& environment,
                         slots::Header& slots) {
  slots_header = &slots;
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) return std::string("pipe: ") + std::strerror(errno);
  // Signals wait until either side is ready for them.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  pid_ = fork();
  if (pid_ == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execute(path, arguments, environment, error_pipe[1]);
  }
  const int fork_error = errno;
  close(error_pipe[1]);
  child_pid = pid_;
  if (pid_ > 0) handle_signals();
  sigset_t heard = before;
  for (const int signal : {SIGTERM, SIGHUP, SIGCHLD}) sigdelset(&heard, signal);
  sigprocmask(SIG_SETMASK, &heard, nullptr);
  int error = pid_ > 0 ? 0 : fork_error;
  if (pid_ > 0) {
    ssize_t got;
    while ((got = read(error_pipe[0], &error, sizeof error)) < 0 && errno == EINTR) continue;
    if (got == sizeof error) waitpid(pid_, nullptr, 0);
  }
  close(error_pipe[0]);
  return error != 0 ? path + ": " + std::strerror(error) : "";
}

std::optional<int> Child::ended() {
  int status;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  return status;
}

}  // namespace strata::record
