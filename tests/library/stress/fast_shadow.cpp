#include "library/stress/fast_shadow.hpp"

#include "library/stress/pattern.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>

namespace strata::stress {

FastShadow::FastShadow(Subject& subject, Occupancy& occupancy, Violations& violations, std::uint64_t seed,
                       bool alone)
    : subject_(subject),
      occupancy_(occupancy),
      violations_(violations),
      seeds_(seed),
      alignment_(subject.alignment()),
      offset_(subject.alignment_offset()),
      knows_size_(subject.has(Capability::usable_size)),
      knows_zeroed_(subject.has(Capability::zeroed)),
      alone_(alone) {}

/// Looks at a block before it is touched: a bad one is reported rather than crashed into.
bool FastShadow::taken(void* block, std::size_t asked, std::size_t extent, const char* operation) {
  return violations_.expect(address_of(block) % alignment_ == offset_, operation, "(", asked,
                            ") gave a block at ", address_of(block) % alignment_, " modulo ", alignment_,
                            " instead of ", offset_) &&
         violations_.expect(extent >= asked, operation, "(", asked, ") gave a block whose usable_size is ",
                            extent) &&
         violations_.expect(!alone_ || subject_.supply().contains(block, extent), operation, "(", asked,
                            ") gave a block of ", extent, " bytes that are not all memory of the heap") &&
         violations_.expect(occupancy_.take(block, extent), operation, "(", asked,
                            ") gave a block that overlaps one in use");
}

/// Writes into a block that has been taken, and keeps it.
void FastShadow::settle(void* block, std::size_t asked, std::size_t extent) {
  const Live live = {block, seeds_(), static_cast<std::uint32_t>(asked), static_cast<std::uint32_t>(extent)};
  Pattern(extent, live.seed).write(block);
  add(live);
}

bool FastShadow::born(void* block, std::size_t asked, const char* operation) {
  if (block == nullptr) return false;
  const std::size_t extent = extent_of(block, asked);
  if (taken(block, asked, extent, operation)) settle(block, asked, extent);
  return true;
}

/// Whether a block that was not touched is as it was left.
bool FastShadow::intact(const Live& live, const char* when) {
  return violations_.expect(!alone_ || subject_.supply().contains(live.block, live.extent),
                            "the memory of a block of ", live.asked, " was returned ", when) &&
         violations_.expect(Pattern(live.extent, live.seed).in(live.block), "the contents of a block of ",
                            live.asked, " were lost ", when) &&
         violations_.expect(extent_of(live.block, live.extent) == live.extent,
                            "the usable_size of a block of ", live.asked, " changed ", when);
}

/// Whether the first `bytes` of what was in `live` are in `block` now.
bool FastShadow::kept(const void* block, const Live& live, std::size_t bytes, const char* operation) {
  return violations_.expect(Pattern(live.extent, live.seed).in(block, bytes), operation,
                            " lost the contents of a block of ", live.asked);
}

bool FastShadow::malloc(std::size_t size) {
  void* const block = subject_.malloc(size);
  if (block == nullptr) return false;
  const std::size_t extent = extent_of(block, size);
  if (taken(block, size, extent, "malloc") &&
      violations_.expect(!knows_zeroed_ || !subject_.zeroed(block) || Pattern(size, seeds_()).zero_in(block),
                         "a block of ", size, " that is told to be zeroed is not")) {
    settle(block, size, extent);
  }
  return true;
}

bool FastShadow::calloc(std::size_t count, std::size_t size) {
  void* const block = subject_.calloc(count, size);
  if (block == nullptr) return false;
  const std::size_t asked = count * size;
  const std::size_t extent = extent_of(block, asked);
  if (taken(block, asked, extent, "calloc") &&
      violations_.expect(Pattern(asked, seeds_()).zero_in(block), "calloc(", count, ", ", size,
                         ") gave memory that is not 0")) {
    settle(block, asked, extent);
  }
  return true;
}

bool FastShadow::memalign(std::size_t boundary, std::size_t size) {
  void* const block = subject_.memalign(boundary, size);
  if (block == nullptr) return false;
  if (violations_.expect(address_of(block) % boundary == 0, "memalign(", boundary, ", ", size,
                         ") gave a block at ", address_of(block) % boundary, " modulo that")) {
    born(block, size, "memalign");
  }
  return true;
}

/// What has become of a block that may have moved. Its memory was given up before the call: as soon as the heap has
/// it, another thread may.
bool FastShadow::elsewhere(const Live& live, void* block, std::size_t size, const char* operation) {
  if (block == nullptr) {
    if (violations_.expect(occupancy_.take(live.block, live.extent), "a block was handed out after a ",
                           operation, " of it that failed") &&
        intact(live, "by an operation that failed")) {
      add(live);
    }
    return false;
  }
  const std::size_t extent = extent_of(block, size);
  if (taken(block, size, extent, operation) &&
      kept(block, live, std::min<std::size_t>(live.extent, size), operation)) {
    settle(block, size, extent);
  }
  return true;
}

bool FastShadow::realloc(std::size_t index, std::size_t size) {
  const Live live = release(index);
  if (!intact(live, "while it was in use")) return true;
  occupancy_.give(live.block, live.extent);
  return elsewhere(live, subject_.realloc(live.block, size), size, "realloc");
}

bool FastShadow::remap(std::size_t index, std::size_t size) {
  const Live live = release(index);
  occupancy_.give(live.block, live.extent);
  return elsewhere(live, subject_.remap(live.block, size), size, "remap");
}

void FastShadow::shrink(std::size_t index, std::size_t size) {
  const Live live = release(index);
  occupancy_.give(live.block, live.extent);
  subject_.shrink(live.block, size);
  elsewhere(live, live.block, size, "shrink");
}

bool FastShadow::try_extend(std::size_t index, std::size_t size) {
  const Live live = release(index);
  const bool extended = subject_.try_extend(live.block, size);
  if (!extended) {
    if (intact(live, "by a try_extend that failed")) add(live);
    return false;
  }
  const std::size_t asked = std::max<std::size_t>(live.asked, size);
  const std::size_t extent = extent_of(live.block, asked);
  occupancy_.give(live.block, live.extent);
  if (taken(live.block, asked, extent, "try_extend") && kept(live.block, live, live.extent, "try_extend")) {
    settle(live.block, asked, extent);
  }
  return true;
}

void FastShadow::free(const Live& live) {
  bytes_ -= live.asked;
  if (!intact(live, "while it was in use")) return;
  occupancy_.give(live.block, live.extent);
  subject_.free(live.block);
}

void FastShadow::forget_all() {
  check_all();
  while (count() != 0) {
    const Live live = table_.take_newest();
    occupancy_.give(live.block, live.extent);
  }
  bytes_ = 0;
}

void FastShadow::check_all() {
  for (std::size_t i = 0; i < count() && violations_.empty(); ++i)
    intact(table_.at(i), "while it was in use");
}

Live FastShadow::release(std::size_t index) {
  const Live live = table_.take(index);
  bytes_ -= live.asked;
  return live;
}

}  // namespace strata::stress
