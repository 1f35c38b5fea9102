/// The blocks in use, in the order of their birth: a ring, so that the newest, the oldest and any other are taken in
/// a few instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strata::stress {

struct Live {
  void* block = nullptr;
  std::uint64_t seed = 0;
  std::uint32_t asked = 0;
  /// As far as its user may write.
  std::uint32_t extent = 0;
};

class LiveTable {
 public:
  /// It holds so many.
  static constexpr std::size_t most = std::size_t{1} << 16;

  std::size_t count() const { return end_ - begin_; }
  /// By age; 0 is the oldest.
  const Live& at(std::size_t index) const { return ring_[(begin_ + index) % most]; }

  void add(const Live& live) { ring_[end_++ % most] = live; }
  Live take_newest() { return ring_[--end_ % most]; }
  Live take_oldest() { return ring_[begin_++ % most]; }
  /// The newest takes its place.
  Live take(std::size_t index) {
    Live& place = ring_[(begin_ + index) % most];
    const Live taken = place;
    place = take_newest();
    return taken;
  }

 private:
  std::vector<Live> ring_ = std::vector<Live>(most);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace strata::stress
