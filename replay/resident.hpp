/// How much anonymous memory of this process is resident, and how much of that is the heap's.
/// Needs:      /proc/self/smaps_rollup, or at least /proc/self/status.
/// Guarantees: read by system calls alone, no malloc. What was resident at begin() and what the engine keeps
///             itself is left out.
/// Threads:    one.
/// Cost:       a walk over the page tables: about 10 us for 10 MiB.
#pragma once

#include "trace/mapped_array.hpp"

#include <cstdint>

namespace strata::replay {

class ResidentMeter {
 public:
  struct Point {
    std::uint64_t event;
    std::uint64_t bytes;
    std::uint64_t live_bytes;
  };

  /// At most `max_points` points over `events` events.
  ResidentMeter(std::uint64_t events, std::uint64_t max_points);
  ~ResidentMeter();
  ResidentMeter(const ResidentMeter&) = delete;
  ResidentMeter& operator=(const ResidentMeter&) = delete;

  /// From here on the heap's memory counts. `engine_bytes`: what the engine keeps resident.
  void begin(std::uint64_t engine_bytes);

  /// After `event` events; samples when the next point is due.
  void sample(std::uint64_t event, std::uint64_t live_bytes, std::uint64_t engine_bytes);

  /// Around a stretch in which only the heap takes memory: sees peaks between two points by the kernel's own
  /// high-water mark.
  void begin_window();
  void end_window(std::uint64_t engine_bytes);

  std::uint64_t peak() const { return peak_; }
  std::uint64_t average() const {
    return last_event_ == 0 ? 0 : static_cast<std::uint64_t>(area_ / static_cast<double>(last_event_));
  }
  std::uint64_t end() const { return points_.empty() ? 0 : points_.end()[-1].bytes; }
  const trace::MappedArray<Point>& curve() const { return points_; }
  std::uint64_t memory_bytes() const { return points_.bytes(); }

 private:
  std::uint64_t anonymous_bytes() const;
  std::uint64_t heap_bytes(std::uint64_t engine_bytes) const;

  int descriptor_;
  int status_;
  int high_water_reset_;
  const char* label_;
  std::uint64_t stretch_;
  std::uint64_t next_event_ = 0;
  std::uint64_t others_ = 0;  ///< resident at begin(), the engine's own apart
  std::uint64_t last_event_ = 0;
  double area_ = 0;  ///< bytes times events
  std::uint64_t peak_ = 0;
  trace::MappedArray<Point> points_;
};

}  // namespace strata::replay
