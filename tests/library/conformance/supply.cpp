#include "library/conformance/supply.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace strata::conformance {

namespace {

constexpr std::size_t red_zone = 64;
constexpr std::size_t spare = 48;
constexpr std::size_t more_than_there_is = 256 * MiB;
constexpr std::size_t zeroed_from = 4 * KiB;
constexpr int rubbish = 0xA5, zone_mark = 0xF1;

bool all_marked(const std::byte* begin, std::size_t bytes) {
  return std::all_of(begin, begin + bytes, [](std::byte b) { return b == std::byte{zone_mark}; });
}

}  // namespace

void Stretches::add(std::uintptr_t begin, std::uintptr_t end) {
  ends_[begin] = end;
  bytes_ += end - begin;
}

void Stretches::extend(std::uintptr_t begin, std::uintptr_t end) {
  auto after = ends_.lower_bound(begin);
  if (after != ends_.begin() && std::prev(after)->second == begin) {
    std::prev(after)->second = end;
    bytes_ += end - begin;
  } else {
    add(begin, end);
  }
}

bool Stretches::remove(std::uintptr_t begin, std::uintptr_t end) {
  std::size_t removed = 0;
  auto at = ends_.lower_bound(begin);
  if (at != ends_.begin() && std::prev(at)->second > begin) --at;
  while (at != ends_.end() && at->first < end) {
    const auto [first, last] = *at;
    at = ends_.erase(at);
    if (first < begin) ends_[first] = begin;
    if (last > end) ends_[end] = last;
    removed += std::min(last, end) - std::max(first, begin);
  }
  bytes_ -= removed;
  return removed == end - begin;
}

bool Stretches::contain(std::uintptr_t begin, std::uintptr_t end) const {
  const auto after = ends_.upper_bound(begin);
  return after != ends_.begin() && std::prev(after)->second >= end;
}

bool Supply::contains(const void* begin, std::size_t bytes) const {
  return !watched_ || stretches_.contain(address_of(begin), address_of(begin) + bytes);
}

void Supply::refuse(std::size_t nth, bool and_later) {
  refused_request_ = nth == 0 ? 0 : requests_ + nth;
  refuse_later_ = and_later;
}

void Supply::begin() {
  baseline_ = stretches_.bytes();
  peak_ = requests_ = 0;
  watched_ = true;
  complaints_.clear();
  refuse_none();
}

bool Supply::admit() {
  ++requests_;
  if (refused_request_ == 0) return true;
  return requests_ != refused_request_ && !(refuse_later_ && requests_ > refused_request_);
}

void Supply::note_peak() {
  if (stretches_.bytes() >= baseline_) peak_ = std::max(peak_, outstanding());
}

Ledger::~Ledger() {
  give_all();
}

void* Ledger::take(std::size_t size, std::size_t boundary, std::size_t offset) {
  if (!admit() || size > more_than_there_is) return nullptr;
  const std::size_t capacity = size + spare;
  void* const memory = std::malloc(capacity + 2 * red_zone + 4 * boundary);
  if (memory == nullptr) return nullptr;
  const std::uintptr_t lowest = address_of(memory) + red_zone;
  const std::uintptr_t start = round_up(lowest, 2 * boundary) + boundary + offset;
  std::byte* const block = bytes_at(memory) + (start - address_of(memory));
  std::memset(block - red_zone, zone_mark, red_zone);
  const bool zeroed = size >= zeroed_from && requests() % 2 == 0;
  std::memset(block, zeroed ? 0 : rubbish, size);
  std::memset(block + size, zone_mark, spare + red_zone);
  blocks_[block] = {memory, size, capacity, zeroed};
  stretches().add(start, start + size);
  note_peak();
  return block;
}

Ledger::Blocks::iterator Ledger::find(void* block, const char* operation) {
  const auto at = blocks_.find(block);
  if (at == blocks_.end()) complain(std::string(operation) + " of what is not a block of the source");
  return at;
}

void Ledger::release(Blocks::iterator at) {
  auto* const block = static_cast<std::byte*>(at->first);
  const auto [memory, size, capacity, zeroed] = at->second;
  if (!all_marked(block - red_zone, red_zone)) complain("wrote in front of a block of the source");
  if (!all_marked(block + size, capacity - size + red_zone)) {
    complain("wrote behind a block of the source");
  }
  std::memset(block, zone_mark, size);
  std::free(memory);
  stretches().remove(address_of(block), address_of(block) + size);
  blocks_.erase(at);
}

void Ledger::give(void* block) {
  const auto at = find(block, "free");
  if (at != blocks_.end()) release(at);
}

std::size_t Ledger::size_of(void* block) {
  const auto at = find(block, "usable_size");
  return at != blocks_.end() ? at->second.size : 0;
}

bool Ledger::extend(void* block, std::size_t size) {
  const auto at = find(block, "try_extend");
  if (at == blocks_.end()) return false;
  Block& found = at->second;
  if (size <= found.size) return true;
  if (size > found.capacity || !admit()) return false;
  stretches().extend(address_of(block) + found.size, address_of(block) + size);
  std::memset(bytes_at(block) + found.size, rubbish, size - found.size);
  found.size = size;
  note_peak();
  return true;
}

void Ledger::shrink(void* block, std::size_t size) {
  const auto at = find(block, "shrink");
  if (at == blocks_.end() || size >= at->second.size) return;
  const std::size_t less = at->second.size - size;
  std::memset(bytes_at(block) + size, zone_mark, less);
  stretches().remove(address_of(block) + size, address_of(block) + size + less);
  at->second.size = size;
}

void* Ledger::remap(void* block, std::size_t size, std::size_t boundary, std::size_t offset) {
  const auto at = find(block, "remap");
  void* const moved = at == blocks_.end() ? nullptr : take(size, boundary, offset);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, std::min(size, at->second.size));
  release(at);
  return moved;
}

bool Ledger::zeroed(void* block) {
  const auto at = find(block, "zeroed");
  return at != blocks_.end() && at->second.zeroed;
}

void Ledger::give_all() {
  while (!blocks_.empty()) release(blocks_.begin());
}

}  // namespace strata::conformance
