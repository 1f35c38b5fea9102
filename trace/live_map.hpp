/// What is known of every live object, by a non-zero key: its address while a recording is
/// converted, its number while a trace is read. Needs:      keys are not 0. Guarantees: memory in
/// proportion to the most objects that were ever live at once; no malloc. Threads:    one at a
/// time. Cost:       open addressing at most half full, a probe or two an operation.
#pragma once

#include "trace/mapped_array.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace strata::trace {

template <class Value>
class LiveMap {
 public:
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return entries_.bytes(); }

  /// Null when there is no such object.
  Value* find(std::uint64_t key) {
    if (size_ == 0) return nullptr;
    const std::size_t at = position(key);
    return entries_[at].key == 0 ? nullptr : &entries_[at].value;
  }

  /// The key must be new.
  void insert(std::uint64_t key, const Value& value) {
    if (2 * (size_ + 1) > entries_.size()) rehash();
    entries_[position(key)] = {key, value};
    ++size_;
  }

  /// Forgets an object and tells what was known of it; false when there is no such object.
  bool take(std::uint64_t key, Value& value) {
    if (size_ == 0) return false;
    std::size_t hole = position(key);
    if (entries_[hole].key == 0) return false;
    value = entries_[hole].value;
    // Whoever probed past the hole moves into it, so that no search ends too early.
    for (std::size_t at = next(hole); entries_[at].key != 0; at = next(at)) {
      const std::size_t home = home_of(entries_[at].key);
      if (((at - home) & mask_) >= ((at - hole) & mask_)) {
        entries_[hole] = entries_[at];
        hole = at;
      }
    }
    entries_[hole].key = 0;
    --size_;
    return true;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.key != 0) visit(entry.key, entry.value);
  }

  void clear() {
    for (Entry& entry : entries_) entry.key = 0;
    size_ = 0;
  }

 private:
  struct Entry {
    std::uint64_t key;
    Value value;
  };

  std::size_t home_of(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> shift_);
  }
  std::size_t next(std::size_t at) const { return (at + 1) & mask_; }

  std::size_t position(std::uint64_t key) const {
    std::size_t at = home_of(key);
    while (entries_[at].key != key && entries_[at].key != 0) at = next(at);
    return at;
  }

  void rehash() {
    MappedArray<Entry> old = std::move(entries_);
    entries_ = MappedArray<Entry>(old.empty() ? 1024 : 2 * old.size());
    mask_ = entries_.size() - 1;
    shift_ = static_cast<unsigned>(64 - std::countr_zero(entries_.size()));
    for (const Entry& entry : old)
      if (entry.key != 0) entries_[position(entry.key)] = entry;
  }

  MappedArray<Entry> entries_;
  std::size_t size_ = 0;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
};

}  // namespace strata::trace
