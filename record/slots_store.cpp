#include "record/slots_store.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace strata::record {
namespace {

std::uint64_t pid_namespace() {
  struct stat status;
  return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

}  // namespace

SlotsStore::~SlotsStore() {
  unmap();
}

std::string SlotsStore::create(const std::string& path, std::uint32_t slot_count) {
  bytes_ = slots::file_bytes(slot_count);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return path + ": " + std::strerror(errno) + ": choose a folder you can write to with -o";
  path_ = path;
  const int error = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes_));
  void* mapped =
      error != 0 ? MAP_FAILED : mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (mapped == MAP_FAILED) {
    std::string why = path + ": " + std::strerror(error != 0 ? error : errno) + ": the recording needs " +
                      std::to_string(bytes_ >> 20) +
                      " MiB there before it starts: free some, choose another " +
                      "folder with -o, or use fewer --slots";
    remove();
    return why;
  }
  mapped_ = mapped;
  auto* header = new (mapped) slots::Header{};
  header->magic = slots::magic;
  header->version = slots::version;
  header->slot_count = slot_count;
  header->pid_namespace = pid_namespace();
  header->drainer_pid = getpid();
  header->recording = 1;
  return {};
}

void SlotsStore::remove() {
  unlink(path_.c_str());
  unmap();
}

void SlotsStore::unmap() {
  if (mapped_) munmap(mapped_, bytes_);
  mapped_ = nullptr;
}

}  // namespace strata::record
