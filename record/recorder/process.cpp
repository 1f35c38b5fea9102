#include "record/recorder/process.hpp"

#include "record/recorder/real.hpp"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstring>

namespace strata::recorder {

slots::Header* file = nullptr;
Process* process = nullptr;

namespace {

std::int32_t image_pid = 0;  // whose memory this is: set at start and by every fork through libc
std::atomic<std::int32_t> attaching{0};
bool unusable = false;  // no slots file for this image, and there never will be

/// Reads up to `room` bytes of a file of /proc; 0 when it is not there.
std::size_t read_file(const char* path, char* into, std::size_t room) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  std::size_t got = 0;
  while (got < room) {
    const ssize_t n = read(descriptor, into + got, room - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  close(descriptor);
  return got;
}

void* map(const char* path, std::size_t& bytes) {
  const int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  struct stat status;
  void* mapped = MAP_FAILED;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    bytes = static_cast<std::size_t>(status.st_size);
    mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  close(descriptor);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

/// Maps the slots file and the wiped memory. Once per image; forked children inherit both.
bool map_all() {
  const char* path = secure_getenv("STRATA_SLOTS");
  if (!path) return false;
  std::size_t bytes = 0;
  void* mapped = map(path, bytes);
  if (!mapped) return false;
  auto* header = static_cast<slots::Header*>(mapped);
  if (slots::fault(mapped, bytes) == nullptr) {
    const std::size_t wiped_bytes = sizeof(Process) + header->slot_count * sizeof(Control);
    void* wiped = mmap(nullptr, wiped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (wiped != MAP_FAILED && madvise(wiped, wiped_bytes, MADV_WIPEONFORK) == 0) {
      process = static_cast<Process*>(wiped);
      file = header;
      return true;
    }
  }
  munmap(mapped, bytes);
  return false;
}

bool same_namespace() {
  struct stat status;
  return stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == file->pid_namespace;
}

std::uint64_t peak_resident_bytes() {
  char text[4096];
  text[read_file("/proc/self/status", text, sizeof text - 1)] = 0;
  const char* line = strstr(text, "VmHWM:");
  if (!line) return 0;
  const std::uint64_t peak = strtoull(line + 6, nullptr, 10) * 1024;
  // The slots are shared pages of ours, not the program's.
  std::uint64_t slots_mapped = 0;
  for (const auto& word : process->touched)
    slots_mapped += static_cast<std::uint64_t>(std::popcount(word.load()));
  const std::uint64_t ours = slots_mapped * slots::slot_bytes;
  return peak > ours ? peak - ours : 0;
}

void forked_child() {
  image_pid = getpid();
}

[[gnu::constructor]] void start() {
  image_pid = getpid();
  pthread_atfork(nullptr, nullptr, forked_child);
  if (Control* control = enter()) leave(control, control->cursor);
}

[[gnu::destructor]] void finish() {
  end_process(Ending::exited);
}

}  // namespace

bool borrowed() {
  return getpid() != image_pid;
}

bool attach() {
  if (process && process->attached.load(std::memory_order_acquire)) {
    return file->recording.load(std::memory_order_relaxed) != 0;
  }
  // Before libc's own start-up there is no environment to read; image_pid is set right after it.
  if (unusable || !environ) return false;
  if (image_pid == 0) image_pid = getpid();
  if (borrowed() || !resolve()) return false;
  std::int32_t before = attaching.load(std::memory_order_relaxed);
  if (before == image_pid || !attaching.compare_exchange_strong(before, image_pid)) return false;
  if (!file && !map_all()) {
    unusable = true;
  } else {
    process->stream = file->next_stream.fetch_add(1, std::memory_order_relaxed);
    process->owner_pid = same_namespace() ? image_pid : 0;
    process->attached.store(1, std::memory_order_release);
  }
  attaching.store(0, std::memory_order_release);
  return !unusable && file->recording.load(std::memory_order_relaxed) != 0;
}

unsigned char* write_start(unsigned char* at) {
  static_assert(start_record_bytes > 2 * Encoder::slack);
  // The text is read to where it will end up; the head before it is shorter than the slack.
  char* text = reinterpret_cast<char*>(at) + Encoder::slack;
  const std::size_t room = start_record_bytes - 2 * Encoder::slack;
  const ssize_t link = readlink("/proc/self/exe", text, room / 2);
  std::size_t length = link > 0 ? static_cast<std::size_t>(link) : 0;
  text[length++] = 0;
  length += read_file("/proc/self/cmdline", text + length, room - length);
  return Encoder::process_start(at, static_cast<std::uint32_t>(image_pid),
                                static_cast<std::uint32_t>(getppid()), {text, length});
}

void end_process(Ending ending) {
  if (!process || !process->attached.load(std::memory_order_acquire) || borrowed()) return;
  const int kept = errno;
  if (Control* control = enter()) {
    leave(control, Encoder::process_end(control->cursor, ending, peak_resident_bytes(),
                                        process->dropped.load(std::memory_order_relaxed)));
    if (ending == Ending::replaced_by_exec) hand_back();
  }
  errno = kept;
}

}  // namespace strata::recorder
