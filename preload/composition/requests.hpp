/// What requests take in a heap, found by allocating from it.
///
/// Blocks of one size are allocated in a fresh instance until it has asked its source for memory many times: what
/// it took for each more is what a block takes with its share of everything: headers, rounding, chunks' ends. What
/// was asked first is left out, since a heap's first steps differ.
/// Needs:      usable_size; a process of one thread, since the heap may move the program break.
#pragma once

#include "preload/composition/node.hpp"
#include "preload/composition/probe.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/pages.hpp>
#include <strata/platform/program_break.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strata::composition {

struct Request {
  std::size_t bytes = 0;
  std::size_t usable = 0;
  std::optional<double> taken = {};  // from the source, a block; nothing if the heap does not count that
};

inline constexpr std::array<std::size_t, 9> request_sizes = {1,    16,      24,      64,     100,
                                                             1000, 4 * KiB, 100'000, 1 * MiB};

/// Begins the data segment's new part at a round address, wherever the system put the segment, so that what is
/// found does not change from run to run; and takes the break back.
class RoundBreak {
 public:
  RoundBreak() : before_(program_break()) {
    const std::size_t skipped = round_up(address_of(before_), step) - address_of(before_);
    moved_ = before_ != nullptr && move_program_break(static_cast<std::intptr_t>(skipped));
  }
  ~RoundBreak() {
    if (moved_) move_program_break(before_ - program_break());
  }
  RoundBreak(const RoundBreak&) = delete;
  RoundBreak& operator=(const RoundBreak&) = delete;

 private:
  static constexpr std::size_t step = 64 * MiB;

  std::byte* before_;
  bool moved_ = false;
};

/// The slope of a straight line through points.
class Slope {
 public:
  void add(double x, double y) {
    ++points_;
    const double beyond = x - mean_x_;
    mean_x_ += beyond / points_;
    mean_y_ += (y - mean_y_) / points_;
    products_ += beyond * (y - mean_y_);
    squares_ += beyond * (x - mean_x_);
  }
  std::optional<double> value() const {
    if (squares_ == 0) return std::nullopt;
    return products_ / squares_;
  }

 private:
  double points_ = 0, mean_x_ = 0, mean_y_ = 0, products_ = 0, squares_ = 0;
};

/// Blocks against bytes at the moments when the heap has to ask for more, for it is full then, but for less than what
/// is asked for next; at least what lies between one block and the next, where those are more than a block each.
template <class H>
std::optional<double> taken_by(H& heap, std::size_t size) {
  // Small blocks are touched where their headers are, which is everywhere; large ones hardly.
  const std::size_t enough = size < 4 * page_size ? 32 * MiB : 1024 * MiB;
  Slope slope;
  int steps = 0;
  std::size_t bytes = heap.footprint().current;
  std::size_t apart = any_size;
  const void* before = nullptr;
  for (std::size_t blocks = 0; steps < 4 || bytes < enough; ++blocks) {
    const void* const block = heap.malloc(size);
    if (block == nullptr) break;
    if (before != nullptr) apart = std::min({apart, distance(before, block), distance(block, before)});
    before = block;
    const std::size_t now = heap.footprint().current;
    if (now == bytes) continue;
    if (++steps > 2) slope.add(static_cast<double>(blocks), static_cast<double>(bytes));
    bytes = now;
  }
  const std::optional<double> found = slope.value();
  return found ? std::max(*found, static_cast<double>(apart)) : found;
}

template <class H>
std::size_t usable_of(std::size_t size) {
  H heap;
  void* const block = heap.malloc(size);
  if (block == nullptr) return 0;
  const std::size_t usable = heap.usable_size(block);
  heap.free(block);
  return usable;
}

/// Each figure from an instance of its own: what was freed once may change what a heap does next.
template <class H>
Request request_of(std::size_t size) {
  const RoundBreak round_break;
  Request request = {.bytes = size, .usable = usable_of<H>(size)};
  if constexpr (HasFootprint<H>) {
    H heap;
    request.taken = taken_by(heap, size);
  }
  return request;
}

template <class H>
std::vector<Request> requests_of() {
  std::vector<Request> requests(request_sizes.size());
  std::transform(request_sizes.begin(), request_sizes.end(), requests.begin(), request_of<H>);
  return requests;
}

}  // namespace strata::composition
