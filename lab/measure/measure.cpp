// strata-measure: runs one program and says what it cost.
//
// Why a program of its own: Linux carries the peak resident memory of whatever process called exec
// into ru_maxrss, so a program started straight from a large interpreter never seems to need less
// memory than that interpreter. This one is a few pages. It leaves stdin, stdout and stderr alone,
// preloads a heap into the program but not into itself, and samples the resident memory of the
// whole process tree for the average.

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

double seconds(timeval t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

// Resident bytes of a process and all its descendants; a process that is gone counts as nothing.
double resident_bytes(pid_t pid) {
  const std::string base = "/proc/" + std::to_string(pid);
  double pages = 0, total_pages = 0;
  std::ifstream(base + "/statm") >> total_pages >> pages;
  double bytes = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  DIR* tasks = opendir((base + "/task").c_str());
  if (tasks == nullptr) return bytes;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] == '.') continue;
    std::ifstream children(base + "/task/" + task->d_name + "/children");
    for (pid_t child = 0; children >> child;) bytes += resident_bytes(child);
  }
  closedir(tasks);
  return bytes;
}

// In the child: never returns. A failed exec sends its errno to the parent.
[[noreturn]] void become(char** command, const char* preload, int failure) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (preload != nullptr) {
    const char* already = std::getenv("LD_PRELOAD");
    const std::string all =
        already != nullptr && *already != 0 ? std::string(preload) + ":" + already : preload;
    setenv("LD_PRELOAD", all.c_str(), 1);
  }
  execvp(command[0], command);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

struct Result {
  int status = 0;
  double wall = 0, average_resident = 0;
  rusage usage{};
};

Result await(pid_t pid, Clock::time_point start, int sample_milliseconds) {
  Result result;
  double sum = 0, samples = 0;
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  pollfd ended{handle, POLLIN, 0};
  while (handle >= 0 && sample_milliseconds > 0 && poll(&ended, 1, sample_milliseconds) <= 0) {
    const double bytes = resident_bytes(pid);
    if (bytes == 0) continue;  // it has just ended
    sum += bytes;
    samples += 1;
  }
  while (wait4(pid, &result.status, 0, &result.usage) < 0 && errno == EINTR) {
  }
  result.wall = std::chrono::duration<double>(Clock::now() - start).count();
  result.average_resident = samples > 0 ? sum / samples : static_cast<double>(result.usage.ru_maxrss) * 1024;
  return result;
}

bool write_report(const char* path, const Result& result) {
  FILE* report = std::fopen(path, "w");
  if (report == nullptr) return false;
  const bool killed = WIFSIGNALED(result.status);
  const std::string signal = killed ? std::to_string(WTERMSIG(result.status)) : "null";
  std::fprintf(report,
               "{\"exit_status\": %d, \"signal\": %s, \"seconds\": %.6f, \"user_seconds\": %.6f, "
               "\"system_seconds\": %.6f, \"peak_resident_bytes\": %ld, \"average_resident_bytes\": %.0f, "
               "\"page_faults\": %ld}\n",
               killed ? 128 + WTERMSIG(result.status) : WEXITSTATUS(result.status), signal.c_str(),
               result.wall, seconds(result.usage.ru_utime), seconds(result.usage.ru_stime),
               result.usage.ru_maxrss * 1024, result.average_resident,
               result.usage.ru_minflt + result.usage.ru_majflt);
  return std::fclose(report) == 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: strata-measure --report FILE [--preload LIBRARY] [--sample MILLISECONDS] -- "
               "PROGRAM ARGS...\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const option options[] = {{"report", required_argument, nullptr, 'r'},
                            {"preload", required_argument, nullptr, 'p'},
                            {"sample", required_argument, nullptr, 's'},
                            {nullptr, 0, nullptr, 0}};
  const char* report = nullptr;
  const char* preload = nullptr;
  int sample_milliseconds = 10;
  for (int key; (key = getopt_long(argc, argv, "+", options, nullptr)) != -1;) {
    switch (key) {
      case 'r':
        report = optarg;
        break;
      case 'p':
        preload = optarg;
        break;
      case 's':
        sample_milliseconds = std::atoi(optarg);
        break;
      default:
        return usage();
    }
  }
  if (report == nullptr || optind >= argc) return usage();
  prctl(PR_SET_PDEATHSIG, SIGKILL);

  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) {
    std::perror("strata: pipe");
    return 125;
  }
  const Clock::time_point start = Clock::now();
  const pid_t pid = fork();
  if (pid < 0) {
    std::perror("strata: fork");
    return 125;
  }
  if (pid == 0) become(argv + optind, preload, failure[1]);
  close(failure[1]);
  int error = 0;
  if (read(failure[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error)) {
    std::fprintf(stderr, "strata: %s: %s\n", argv[optind], std::strerror(error));
    return error == ENOENT ? 127 : 126;
  }
  const Result result = await(pid, start, sample_milliseconds);
  if (!write_report(report, result)) {
    std::fprintf(stderr, "strata: %s: %s\n", report, std::strerror(errno));
    return 125;
  }
  return 0;
}
