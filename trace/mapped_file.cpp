#include "trace/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace strata::trace {

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

const char* MappedFile::open(const char* path) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return strerrordesc_np(errno);
  struct stat status{};
  const char* why = nullptr;
  if (fstat(descriptor, &status) != 0) {
    why = strerrordesc_np(errno);
  } else if (S_ISDIR(status.st_mode)) {
    why = "is a directory";
  } else if (!S_ISREG(status.st_mode)) {
    why = "is not a regular file";
  } else if (status.st_size > 0) {  // an empty file cannot be mapped and needs no mapping
    const auto size = static_cast<std::size_t>(status.st_size);
    void* mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapping == MAP_FAILED)
      why = strerrordesc_np(errno);
    else
      bytes_ = {static_cast<const std::byte*>(mapping), size};
  }
  ::close(descriptor);
  return why;
}

}  // namespace strata::trace
