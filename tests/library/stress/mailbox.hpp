/// Where threads leave blocks for each other, to be freed by whoever takes them.
#pragma once

#include "library/stress/live_table.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

namespace strata::stress {

class Mailbox {
 public:
  static constexpr std::size_t slots = 64;

  /// What lay there; its block may be null.
  Live exchange(std::size_t slot, const Live& live) {
    const std::scoped_lock lock(mutex_);
    return std::exchange(slots_[slot % slots], live);
  }

 private:
  std::mutex mutex_;
  std::array<Live, slots> slots_;
};

}  // namespace strata::stress
