/// A growing array of plain values in pages of its own.
/// Needs:      T is trivially copyable and all-zero bytes are a T.
/// Guarantees: never calls malloc, so that it may live in a process whose malloc is under test; new
/// elements
///             are zero and their pages are present, so that `bytes()` is exactly what it keeps
///             resident. When the system gives no memory the process ends with one line.
/// Threads:    one at a time.
/// Cost:       growth doubles and moves pages, not bytes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace strata::trace {

template <class T>
class MappedArray {
  static_assert(std::is_trivially_copyable_v<T>, "pages are moved, not copied element by element");

 public:
  MappedArray() = default;
  explicit MappedArray(std::size_t count) { resize(count); }
  MappedArray(MappedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        count_(std::exchange(other.count_, 0)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  MappedArray& operator=(MappedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedArray() {
    if (bytes_ != 0) munmap(data_, bytes_);
  }

  /// Forgets elements beyond `count`, or adds zero elements (dirty ones where it had shrunk
  /// before).
  void resize(std::size_t count) {
    if (count > capacity()) grow(count);
    count_ = count;
  }
  void push_back(const T& value) {
    if (count_ == capacity()) grow(count_ + 1);
    data_[count_++] = value;
  }
  void clear() { count_ = 0; }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  T& back() { return data_[count_ - 1]; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::size_t bytes() const { return bytes_; }  ///< resident

 private:
  std::size_t capacity() const { return bytes_ / sizeof(T); }

  void grow(std::size_t count) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t wanted = count * sizeof(T) > 2 * bytes_ ? count * sizeof(T) : 2 * bytes_;
    wanted = (wanted + page - 1) / page * page;
    void* moved = bytes_ == 0
                      ? mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                      : mremap(data_, bytes_, wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) {
      dprintf(STDERR_FILENO, "strata: cannot map %zu bytes: out of memory\n", wanted);
      _exit(1);
    }
    data_ = static_cast<T*>(moved);
    auto* raw = static_cast<volatile unsigned char*>(moved);
    for (std::size_t at = bytes_; at < wanted; at += page) raw[at] = 0;
    bytes_ = wanted;
  }

  T* data_ = nullptr;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace strata::trace
