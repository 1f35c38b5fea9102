/// The shadow model: which blocks are in use, how far each reaches, and what was written into it.
///
/// Every operation goes through it. A block is looked at before it is touched: a pointer that is not within the
/// heap's own memory, or overlaps another block, is recorded and left alone, so that a broken heap is reported
/// rather than crashed into.
#pragma once

#include "library/conformance/subject.hpp"
#include "library/conformance/violations.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace strata::conformance {

/// Writes a pattern that only this seed has; of a large block, its ends and a byte in every page.
void fill(void* block, std::size_t bytes, std::uint64_t seed);
bool filled(const void* block, std::size_t bytes, std::uint64_t seed);

class Shadow {
 public:
  Shadow(Subject& subject, Violations& violations) : subject_(subject), violations_(violations) {}

  // What the heap does, checked. A null or bad block is null here.
  void* malloc(std::size_t size);
  void* calloc(std::size_t count, std::size_t size);
  void* memalign(std::size_t boundary, std::size_t size);
  void* realloc(void* block, std::size_t size);
  bool try_extend(void* block, std::size_t size);
  bool shrink(void* block, std::size_t size);
  void* remap(void* block, std::size_t size);
  /// Takes a block that was freed, and is kept, out of the heap.
  void* remove(void* block, std::size_t size);
  /// Keeps a block that was allocated past the shadow.
  void adopt(void* block, std::size_t size) { born(block, size, "malloc"); }
  void free(void* block);
  void free_all();

  /// The blocks are gone without being freed.
  void forget_all();
  /// Checks that every block still holds what was written.
  void check_all();

  std::size_t count() const { return blocks_.size(); }
  void* at(std::size_t index) const { return blocks_[index]; }
  std::size_t extent(void* block) const { return live_.at(block).extent; }
  std::size_t asked(void* block) const { return live_.at(block).asked; }
  std::size_t bytes_asked() const { return bytes_asked_; }

 private:
  struct Live {
    std::size_t asked;
    std::size_t extent;
    std::uint64_t seed;
    std::size_t index;
  };

  bool sound(void* block, std::size_t asked, const char* operation);
  void compare(void* now, const Live& before, std::size_t size, const char* when);
  void* born(void* block, std::size_t asked, const char* operation);
  void intact(void* block, const Live& live, std::size_t bytes, const char* when);
  void dead(void* block);
  std::size_t extent_of(void* block, std::size_t asked);

  Subject& subject_;
  Violations& violations_;
  std::map<void*, Live> live_;
  std::vector<void*> blocks_;
  std::size_t bytes_asked_ = 0;
  std::uint64_t next_seed_ = 1;
};

}  // namespace strata::conformance
