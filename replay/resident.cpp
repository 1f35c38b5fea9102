#include "replay/resident.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace strata::replay {
namespace {

constexpr std::uint64_t high_water_slack = 1 << 20;

/// The number of KiB behind a label in a file of /proc, as bytes; 0 when it is not there.
std::uint64_t read_bytes(int descriptor, const char* label) {
  char text[4096];
  const ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = '\0';
  const char* found = std::strstr(text, label);
  if (found == nullptr) return 0;
  std::uint64_t kibibytes = 0;
  for (const char* at = found + std::strlen(label); *at != '\n' && *at != '\0'; ++at)
    if (*at >= '0' && *at <= '9') kibibytes = 10 * kibibytes + static_cast<std::uint64_t>(*at - '0');
  return kibibytes * 1024;
}

}  // namespace

ResidentMeter::ResidentMeter(std::uint64_t events, std::uint64_t max_points)
    // The roll-up is exact; the counters in status lag behind by up to a few hundred KiB on older kernels.
    : descriptor_(open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC)),
      status_(open("/proc/self/status", O_RDONLY | O_CLOEXEC)),
      high_water_reset_(open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)),
      label_("\nAnonymous:"),
      stretch_(std::max<std::uint64_t>((events + max_points - 1) / max_points, 1)),
      points_(max_points) {
  points_.clear();
  if (descriptor_ >= 0 && anonymous_bytes() != 0) return;
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = dup(status_);
  label_ = "\nRssAnon:";
}

ResidentMeter::~ResidentMeter() {
  for (const int descriptor : {descriptor_, status_, high_water_reset_})
    if (descriptor >= 0) close(descriptor);
}

std::uint64_t ResidentMeter::anonymous_bytes() const {
  return read_bytes(descriptor_, label_);
}

std::uint64_t ResidentMeter::heap_bytes(std::uint64_t engine_bytes) const {
  const std::uint64_t all = anonymous_bytes();
  const std::uint64_t not_heap = others_ + engine_bytes;
  return all > not_heap ? all - not_heap : 0;
}

void ResidentMeter::begin(std::uint64_t engine_bytes) {
  others_ = heap_bytes(engine_bytes);
  next_event_ = stretch_;
}

void ResidentMeter::sample(std::uint64_t event, std::uint64_t live_bytes, std::uint64_t engine_bytes) {
  if (event < next_event_) return;
  next_event_ = event + stretch_;
  const std::uint64_t bytes = heap_bytes(engine_bytes);
  area_ += static_cast<double>(bytes) * static_cast<double>(event - last_event_);
  last_event_ = event;
  peak_ = std::max(peak_, bytes);
  points_.push_back({event, bytes, live_bytes});
}

void ResidentMeter::begin_window() {
  if (high_water_reset_ >= 0 && pwrite(high_water_reset_, "5", 1, 0) == 1) return;
  if (high_water_reset_ >= 0) close(high_water_reset_);
  high_water_reset_ = -1;
}

void ResidentMeter::end_window(std::uint64_t engine_bytes) {
  if (high_water_reset_ < 0) return;
  const std::uint64_t highest = read_bytes(status_, "\nVmHWM:");
  const std::uint64_t now = read_bytes(status_, "\nVmRSS:");
  const std::uint64_t heap = heap_bytes(engine_bytes);
  const std::uint64_t rest = now - std::min(now, heap);
  // The kernel adds up its counters lazily, so that small differences mean nothing.
  if (highest > rest + peak_ + high_water_slack) peak_ = highest - rest;
}

}  // namespace strata::replay
