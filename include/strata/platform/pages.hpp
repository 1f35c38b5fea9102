/// Pages from the OS. Every function leaves errno alone: `free` must keep it, and may end up here.
#pragma once

#include <strata/platform/arithmetic.hpp>

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>

namespace strata {

/// The granule that we map in: the page size, or where kernels differ, the largest that they use.
#if defined(__x86_64__)
inline constexpr std::size_t page_size = 4 * KiB;
#else
inline constexpr std::size_t page_size = 64 * KiB;
#endif

/// Undoes what a system call did to errno.
class ErrnoKeeper {
 public:
  ErrnoKeeper() : saved_(errno) {}
  ~ErrnoKeeper() { errno = saved_; }
  ErrnoKeeper(const ErrnoKeeper&) = delete;
  ErrnoKeeper& operator=(const ErrnoKeeper&) = delete;

 private:
  const int saved_;
};

/// Fresh, zeroed, private pages; `bytes` is a multiple of page_size. Null when the OS refuses.
inline void* map_pages(std::size_t bytes) {
  const ErrnoKeeper keeper;
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

inline void unmap_pages(void* pages, std::size_t bytes) {
  const ErrnoKeeper keeper;
  ::munmap(pages, bytes);
}

/// Makes a mapping `to` bytes long where it lies; false if it cannot be.
inline bool resize_pages(void* pages, std::size_t from, std::size_t to) {
  const ErrnoKeeper keeper;
  return ::mremap(pages, from, to, 0) != MAP_FAILED;
}

/// The same, but that it may come to lie elsewhere: where it is then; null if it cannot be, and stays.
inline void* move_pages(void* pages, std::size_t from, std::size_t to) {
  const ErrnoKeeper keeper;
  void* const moved = ::mremap(pages, from, to, MREMAP_MAYMOVE);
  return moved == MAP_FAILED ? nullptr : moved;
}

/// Makes whole pages read as zeros by giving their memory back; false if they are locked into memory. The pages must
/// be private and anonymous.
inline bool discard_pages(void* pages, std::size_t bytes) {
  const ErrnoKeeper keeper;
  return ::madvise(pages, bytes, MADV_DONTNEED) == 0;
}

}  // namespace strata
