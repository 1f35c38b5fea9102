#include "library/conformance/shadow.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace strata::conformance {

namespace {

constexpr std::size_t fully = 8 * KiB, edge = 2 * KiB, stride = 4 * KiB;

std::uint8_t pattern(std::uint64_t seed, std::size_t index) {
  return static_cast<std::uint8_t>(seed * 37 + (seed >> 8) * 11 + index * 7 + (index >> 8));
}

/// Calls `visit(begin, end)` for the parts of a block that are looked at.
template <class Visit>
bool for_parts(std::size_t bytes, Visit visit) {
  if (bytes <= fully) return visit(std::size_t{0}, bytes);
  if (!visit(std::size_t{0}, edge) || !visit(bytes - edge, bytes)) return false;
  for (std::size_t at = edge; at < bytes - edge; at += stride) {
    if (!visit(at, at + 1)) return false;
  }
  return true;
}

bool all_zero(const void* block, std::size_t bytes) {
  const auto* const first = static_cast<const std::uint8_t*>(block);
  return bytes == 0 || (first[0] == 0 && std::memcmp(first, first + 1, bytes - 1) == 0);
}

}  // namespace

void fill(void* block, std::size_t bytes, std::uint64_t seed) {
  auto* const first = static_cast<std::uint8_t*>(block);
  for_parts(bytes, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) first[i] = pattern(seed, i);
    return true;
  });
}

bool filled(const void* block, std::size_t bytes, std::uint64_t seed) {
  const auto* const first = static_cast<const std::uint8_t*>(block);
  return for_parts(bytes, [&](std::size_t from, std::size_t to) {
    bool same = true;
    for (std::size_t i = from; i < to; ++i) same &= first[i] == pattern(seed, i);
    return same;
  });
}

std::size_t Shadow::extent_of(void* block, std::size_t asked) {
  if (!subject_.has(Capability::usable_size)) return asked;
  const std::size_t usable = subject_.usable_size(block);
  violations_.expect(usable >= asked, "usable_size tells ", usable, " of a block of ", asked);
  return std::max(usable, asked);
}

bool Shadow::sound(void* block, std::size_t asked, const char* operation) {
  const std::uintptr_t address = address_of(block);
  if (!violations_.expect(address % subject_.alignment() == subject_.alignment_offset(), operation, "(",
                          asked, ") gave a block at ", address % subject_.alignment(), " modulo ",
                          subject_.alignment(), " instead of ", subject_.alignment_offset())) {
    return false;
  }
  if (!violations_.expect(subject_.supply().contains(block, asked), operation, "(", asked,
                          ") gave a block that is not within the memory of the heap")) {
    return false;
  }
  return true;
}

void* Shadow::born(void* block, std::size_t asked, const char* operation) {
  if (block == nullptr || !sound(block, asked, operation)) return nullptr;
  const std::size_t extent = extent_of(block, asked);
  if (!violations_.expect(subject_.supply().contains(block, extent), operation, "(", asked,
                          ") gave a block whose usable_size of ", extent,
                          " is more than the heap's memory there")) {
    return nullptr;
  }
  const auto after = live_.lower_bound(block);
  const bool clear_behind = after == live_.end() || address_of(block) + extent <= address_of(after->first);
  const bool clear_before =
      after == live_.begin() ||
      address_of(std::prev(after)->first) + std::prev(after)->second.extent <= address_of(block);
  if (!violations_.expect(clear_behind && clear_before, operation, "(", asked,
                          ") gave a block that overlaps one in use")) {
    return nullptr;
  }
  const Live live = {asked, extent, next_seed_++, blocks_.size()};
  fill(block, extent, live.seed);
  live_[block] = live;
  blocks_.push_back(block);
  bytes_asked_ += asked;
  return block;
}

void Shadow::intact(void* block, const Live& live, std::size_t bytes, const char* when) {
  if (!violations_.expect(subject_.supply().contains(block, bytes), "the memory of a block of ", live.asked,
                          " was returned ", when)) {
    return;
  }
  violations_.expect(filled(block, bytes, live.seed), "the contents of a block of ", live.asked,
                     " were lost ", when);
}

void Shadow::dead(void* block) {
  const auto at = live_.find(block);
  bytes_asked_ -= at->second.asked;
  blocks_[at->second.index] = blocks_.back();
  live_.at(blocks_.back()).index = at->second.index;
  blocks_.pop_back();
  live_.erase(at);
}

void* Shadow::malloc(std::size_t size) {
  return born(subject_.malloc(size), size, "malloc");
}

void* Shadow::calloc(std::size_t count, std::size_t size) {
  void* const block = subject_.calloc(count, size);
  if (block == nullptr || !sound(block, count * size, "calloc")) return nullptr;
  violations_.expect(all_zero(block, count * size), "calloc(", count, ", ", size,
                     ") gave memory that is not 0");
  return born(block, count * size, "calloc");
}

void* Shadow::memalign(std::size_t boundary, std::size_t size) {
  void* const block = subject_.memalign(boundary, size);
  if (block == nullptr) return nullptr;
  violations_.expect(address_of(block) % boundary == 0, "memalign(", boundary, ", ", size,
                     ") gave a block at ", address_of(block) % boundary, " modulo that");
  return born(block, size, "memalign");
}

void* Shadow::realloc(void* block, std::size_t size) {
  const Live live = live_.at(block);
  intact(block, live, live.extent, "before realloc");
  void* const moved = subject_.realloc(block, size);
  if (moved == nullptr) {
    intact(block, live, live.extent, "by a realloc that failed");
    return nullptr;
  }
  dead(block);
  if (!sound(moved, size, "realloc")) return nullptr;
  compare(moved, live, size, "by realloc");
  return born(moved, size, "realloc");
}

/// Whether a block of another size has what it should of the contents before.
void Shadow::compare(void* now, const Live& before, std::size_t size, const char* when) {
  // Only the ends of a large block were written; at a new size, the end lies elsewhere.
  const bool comparable = before.extent <= fully || size >= before.extent;
  intact(now, before, comparable ? std::min(before.extent, size) : std::min(edge, size), when);
}

bool Shadow::shrink(void* block, std::size_t size) {
  const Live live = live_.at(block);
  subject_.shrink(block, size);
  const std::size_t asked = std::min(size, live.asked);
  violations_.expect(extent_of(block, asked) <= live.extent, "shrink made a block longer");
  dead(block);
  compare(block, live, asked, "by shrink");
  return born(block, asked, "shrink") != nullptr;
}

void* Shadow::remap(void* block, std::size_t size) {
  const Live live = live_.at(block);
  void* const moved = subject_.remap(block, size);
  if (moved == nullptr) {
    intact(block, live, live.extent, "by a remap that failed");
    return nullptr;
  }
  dead(block);
  if (!sound(moved, size, "remap")) return nullptr;
  compare(moved, live, size, "by remap");
  return born(moved, size, "remap");
}

void* Shadow::remove(void* block, std::size_t size) {
  subject_.remove(block);
  return born(block, size, "remove");
}

bool Shadow::try_extend(void* block, std::size_t size) {
  const Live live = live_.at(block);
  const bool extended = subject_.try_extend(block, size);
  intact(block, live, live.extent, extended ? "by try_extend" : "by a try_extend that failed");
  if (!extended) {
    violations_.expect(extent_of(block, live.asked) == live.extent,
                       "usable_size changed in a try_extend that failed");
    return false;
  }
  dead(block);
  return born(block, std::max(size, live.asked), "try_extend") != nullptr;
}

void Shadow::free(void* block) {
  const Live live = live_.at(block);
  intact(block, live, live.extent, "while it was in use");
  violations_.expect(extent_of(block, live.asked) == live.extent, "usable_size of a block of ", live.asked,
                     " changed while it was in use");
  dead(block);
  subject_.free(block);
}

void Shadow::free_all() {
  while (!blocks_.empty()) free(blocks_.back());
}

void Shadow::forget_all() {
  check_all();
  live_.clear();
  blocks_.clear();
  bytes_asked_ = 0;
}

void Shadow::check_all() {
  for (const auto& [block, live] : live_) intact(block, live, live.extent, "while it was in use");
}

}  // namespace strata::conformance
