#include "trace/statistics.hpp"

#include <algorithm>
#include <bit>

namespace strata::trace {
namespace {

/// The n of the smallest 2^n that is not below the value.
std::size_t power_above(std::uint64_t value) {
  return value <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(value - 1));
}

}  // namespace

Statistics::Statistics(std::uint64_t event_count, std::uint64_t curve_points) {
  if (curve_points == 0) return;
  // One point is kept for the end.
  const std::uint64_t stretches = curve_points - 1;
  stretch_ = stretches == 0 ? event_count + 1
                            : std::max<std::uint64_t>((event_count + stretches - 1) / stretches, 1);
}

const char* Statistics::add(const Chunk& chunk) {
  std::uint64_t births = chunk.first_object();
  auto time = chunk.times().begin();
  std::uint32_t at = 0;
  for (const Event& event : chunk.events()) {
    for (; time != chunk.times().end() && time->event <= at; ++time) nanoseconds = time->nanoseconds;
    ++at;
    if (const char* why = count(event, births)) return why;
    if (is_birth(event.operation)) ++births;
    if (stretch_ != 0) extend_curve();
  }
  for (; time != chunk.times().end(); ++time) nanoseconds = time->nanoseconds;
  return nullptr;
}

const char* Statistics::count(const Event& event, std::uint64_t births) {
  if (event.age != 0) {
    std::uint64_t size;
    if (!sizes_of_live_.take(births - event.age + 1, size)) return "an object that ends twice";
    live.died(size);
    ++lifetimes[power_above(event.age)];
  }
  if (is_birth(event.operation)) {
    sizes_of_live_.insert(births + 1, event.size);
    live.born(event.size);
    bytes_allocated += event.size;
    ++sizes[power_above(event.size)];
  }
  ++operations[static_cast<std::size_t>(event.operation)];
  ++events;
  if (event.thread != thread_ || events == 1) threads_.insert(thread_ = event.thread);
  return nullptr;
}

void Statistics::extend_curve() {
  if (live.bytes >= stretch_bytes_) {
    stretch_bytes_ = live.bytes;
    stretch_event_ = events;
  }
  stretch_objects_ = std::max(stretch_objects_, live.objects);
  if (events % stretch_ == 0) add_point();
}

void Statistics::add_point() {
  curve.event.push_back(stretch_event_);
  curve.seconds.push_back(static_cast<double>(nanoseconds) * 1e-9);
  curve.live_bytes.push_back(stretch_bytes_);
  curve.live_objects.push_back(stretch_objects_);
  stretch_bytes_ = stretch_objects_ = 0;
}

void Statistics::finish() {
  if (stretch_ == 0 || events == 0) return;
  stretch_event_ = events;
  stretch_bytes_ = std::max(stretch_bytes_, live.bytes);
  stretch_objects_ = std::max(stretch_objects_, live.objects);
  add_point();
}

}  // namespace strata::trace
