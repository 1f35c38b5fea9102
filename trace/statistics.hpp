/// What a stream's events amount to: counts, live memory, sizes, lifetimes, and live memory over time.
/// Needs:      the events of one stream in order.
/// Guarantees: exact; an event that ends an object which does not live is refused.
/// Threads:    one at a time.
/// Cost:       about 20 ns an event, memory for the live objects.
#pragma once

#include "trace/chunk.hpp"
#include "trace/live_map.hpp"
#include "trace/live_totals.hpp"

#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace strata::trace {

class Statistics {
 public:
  /// A curve of at most `curve_points` points over `events` events; 0 for none.
  Statistics(std::uint64_t events, std::uint64_t curve_points);

  /// Null, or why a chunk makes no sense (its events up to there are counted).
  const char* add(const Chunk& chunk);

  /// Adds the last point of the curve.
  void finish();

  struct Curve {
    std::vector<std::uint64_t> event;
    std::vector<double> seconds;
    std::vector<std::uint64_t> live_bytes;    ///< the most within the point's stretch
    std::vector<std::uint64_t> live_objects;  ///< likewise
  };

  std::uint64_t threads() const { return threads_.size(); }

  std::uint64_t events = 0;
  std::array<std::uint64_t, 5> operations{};  ///< by Operation
  std::uint64_t bytes_allocated = 0;
  std::uint64_t nanoseconds = 0;
  LiveTotals live;
  std::array<std::uint64_t, 65> sizes{};      ///< [n]: births of up to 2^n bytes
  std::array<std::uint64_t, 65> lifetimes{};  ///< [n]: deaths within 2^n allocations
  Curve curve;

 private:
  const char* count(const Event& event, std::uint64_t births);
  void extend_curve();
  void add_point();

  LiveMap<std::uint64_t> sizes_of_live_;
  std::unordered_set<std::uint32_t> threads_;
  std::uint32_t thread_ = 0;
  std::uint64_t stretch_ = 0;  ///< events a point
  std::uint64_t stretch_bytes_ = 0;
  std::uint64_t stretch_objects_ = 0;
  std::uint64_t stretch_event_ = 0;
};

}  // namespace strata::trace
