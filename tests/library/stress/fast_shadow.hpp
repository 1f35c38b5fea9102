/// The shadow model of the stress program: what conformance/shadow.hpp checks, at some tens of nanoseconds an
/// operation. It stops at the first violation, after which nothing is to be believed.
///
/// Exact at every operation: alignment, usable_size, whether a block lies in the heap's memory and overlaps none in
/// use. Contents are compared where the pattern has been written (pattern.hpp).
/// Threads:    one each, over an Occupancy that they share. A block may be handed over by release() and adopt().
#pragma once

#include "library/conformance/subject.hpp"
#include "library/conformance/violations.hpp"
#include "library/stress/live_table.hpp"
#include "library/stress/occupancy.hpp"
#include "library/stress/random.hpp"

#include <cstddef>
#include <cstdint>

namespace strata::stress {

using conformance::Capability;
using conformance::Subject;
using conformance::Violations;

class FastShadow {
 public:
  /// `alone` if no other thread uses the heap: then its supply can be asked what memory it has.
  FastShadow(Subject& subject, Occupancy& occupancy, Violations& violations, std::uint64_t seed, bool alone);

  // What the heap does, checked; false if it refused. Blocks are told by their age, from 0, the oldest.
  bool malloc(std::size_t size);
  bool calloc(std::size_t count, std::size_t size);
  bool memalign(std::size_t boundary, std::size_t size);
  bool realloc(std::size_t index, std::size_t size);
  bool try_extend(std::size_t index, std::size_t size);
  void shrink(std::size_t index, std::size_t size);
  bool remap(std::size_t index, std::size_t size);
  void free_newest() { free(table_.take_newest()); }
  void free_oldest() { free(table_.take_oldest()); }
  void free(std::size_t index) { free(table_.take(index)); }

  /// The blocks in use are gone without being freed.
  void forget_all();
  void check_all();

  /// To hand over to another shadow.
  Live release(std::size_t index);
  void adopt(const Live& live) { add(live); }

  std::size_t count() const { return table_.count(); }
  std::size_t asked(std::size_t index) const { return table_.at(index).asked; }
  const void* block(std::size_t index) const { return table_.at(index).block; }
  std::size_t bytes() const { return bytes_; }

 private:
  bool taken(void* block, std::size_t asked, std::size_t extent, const char* operation);
  bool born(void* block, std::size_t asked, const char* operation);
  bool intact(const Live& live, const char* when);
  bool elsewhere(const Live& live, void* block, std::size_t size, const char* operation);
  bool kept(const void* block, const Live& live, std::size_t bytes, const char* operation);
  void settle(void* block, std::size_t asked, std::size_t extent);
  void free(const Live& live);
  std::size_t extent_of(void* block, std::size_t asked) const {
    return knows_size_ ? subject_.usable_size(block) : asked;
  }
  void add(const Live& live) {
    table_.add(live);
    bytes_ += live.asked;
  }

  Subject& subject_;
  Occupancy& occupancy_;
  Violations& violations_;
  Random seeds_;
  LiveTable table_;
  std::size_t bytes_ = 0;
  const std::size_t alignment_;
  const std::size_t offset_;
  const bool knows_size_;
  const bool knows_zeroed_;
  const bool alone_;
};

}  // namespace strata::stress
