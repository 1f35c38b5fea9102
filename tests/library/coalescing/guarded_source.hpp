/// A source for heaps that lay blocks side by side: every segment ends right before a page that nobody may touch, and
/// begins behind marked bytes, so that what is written outside it is found out. It tells where its segments are.
///
/// FixedSource     segments stay as they are
/// GrowingSource   a segment can be extended and made shorter; its end stays in front of the forbidden page
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/pages.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <stdexcept>

namespace strata::coalescing {

/// The segments that are handed out, and their sizes.
using Segments = std::map<std::byte*, std::size_t>;

/// The memory is the pages' and not the heap's: the supply that counts system calls does not see it.
class FixedSource {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  explicit FixedSource(Segments& segments) : segments_(segments) {}
  FixedSource(const FixedSource&) = delete;
  FixedSource& operator=(const FixedSource&) = delete;

  void* malloc(std::size_t size) {
    // Up to a page of marked bytes in front, and where the size is no multiple of 16, a few behind.
    const std::size_t bytes = room_for(size);
    auto* const pages = static_cast<std::byte*>(
        ::mmap(nullptr, bytes + page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (pages == MAP_FAILED) return nullptr;
    ::mprotect(pages + bytes, page_size, PROT_NONE);
    std::memset(pages, mark, bytes);
    std::byte* const block = pages + bytes - round_up(size, natural_alignment);
    segments_[block] = size;
    return block;
  }

  void free(void* block) {
    const auto at = segments_.find(bytes_at(block));
    if (at == segments_.end()) throw std::logic_error("free of what is not a segment");
    const std::size_t size = at->second;
    const std::size_t bytes = room_for(size);
    std::byte* const end = at->first + round_up(size, natural_alignment);
    const auto is_marked = [](std::byte each) { return each == std::byte{mark}; };
    if (!std::all_of(end - bytes, at->first, is_marked))
      throw std::logic_error("wrote in front of a segment");
    if (!std::all_of(at->first + size, end, is_marked)) throw std::logic_error("wrote behind a segment");
    ::munmap(end - bytes, bytes + page_size);
    segments_.erase(at);
  }

  std::size_t usable_size(void* block) const { return segments_.at(bytes_at(block)); }

 private:
  static constexpr int mark = 0x5A;

  static std::size_t room_for(std::size_t size) { return round_up(size + natural_alignment, page_size); }

  Segments& segments_;
};

/// Hands out one segment after the other of a reserved stretch each.
class GrowingSource {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  explicit GrowingSource(Segments& segments) : segments_(segments) {}
  GrowingSource(const GrowingSource&) = delete;
  GrowingSource& operator=(const GrowingSource&) = delete;

  void* malloc(std::size_t size) {
    auto* const pages = static_cast<std::byte*>(
        ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (pages == MAP_FAILED) return nullptr;
    segments_[pages] = 0;
    resize(pages, size);
    return pages;
  }

  void free(void* block) {
    if (segments_.erase(bytes_at(block)) == 0) throw std::logic_error("free of what is not a segment");
    ::munmap(block, reserved);
  }

  std::size_t usable_size(void* block) const { return segments_.at(bytes_at(block)); }

  bool try_extend(void* block, std::size_t size) {
    if (size > reserved / 2) return false;
    if (size > usable_size(block)) resize(bytes_at(block), size);
    return true;
  }

  void shrink(void* block, std::size_t size) {
    if (size < usable_size(block)) resize(bytes_at(block), size);
  }

  Footprint footprint() const {
    std::size_t bytes = 0;
    for (const auto& [segment, size] : segments_) bytes += size;
    return {bytes, bytes};
  }

 private:
  static constexpr std::size_t reserved = 256 * MiB;

  void resize(std::byte* segment, std::size_t size) {
    const std::size_t bytes = round_up(size, page_size);
    ::mprotect(segment, bytes, PROT_READ | PROT_WRITE);
    ::mprotect(segment + bytes, reserved - bytes, PROT_NONE);
    segments_[segment] = bytes;
  }

  Segments& segments_;
};

}  // namespace strata::coalescing
