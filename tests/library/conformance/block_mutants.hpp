/// Small broken heaps, one defect each, in what their blocks are and how long they last. The suite must catch every
/// one of them, and does so without being crashed: what a mutant hands out may be wrong, but it does not itself
/// touch memory that is not there.
#pragma once

#include "library/conformance/test_source.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace strata::conformance {

using Rich = RichSource<0>;
using Bare = BareSource<0>;

// Blocks.

struct Misaligned : Bare {
  using Bare::Bare;
  void* malloc(std::size_t size) {
    void* const block = Bare::malloc(size + 8);
    return block == nullptr ? nullptr : bytes_at(block) + 8;
  }
  void free(void* block) { Bare::free(bytes_at(block) - 8); }
};

struct WrongPhase : Bare {
  using Bare::Bare;
  static constexpr std::size_t alignment_offset = 8;
};

/// Tells more than it has.
struct UsableTooLarge : Rich {
  using Rich::Rich;
  std::size_t usable_size(void* block) { return Rich::usable_size(block) + 1; }
};

struct UsableTooSmall : Rich {
  using Rich::Rich;
  std::size_t usable_size(void* block) { return Rich::usable_size(block) - 1; }
};

/// A header in front, and the usable_size of what is below it: the classic bug.
struct InheritedUsableSize : Rich {
  using Rich::Rich;
  void* malloc(std::size_t size) {
    void* const block = Rich::malloc(size + 16);
    return block == nullptr ? nullptr : bytes_at(block) + 16;
  }
  void free(void* object) { Rich::free(bytes_at(object) - 16); }
};

/// Cuts blocks from one stretch, each 8 bytes shorter than it is told.
struct Overlapping : Bare {
  using Bare::Bare;
  ~Overlapping() {
    if (stretch_ != nullptr) Bare::free(stretch_);
  }
  void* malloc(std::size_t size) {
    if (stretch_ == nullptr) stretch_ = Bare::malloc(room);
    if (stretch_ == nullptr || used_ + size > room) return nullptr;
    void* const block = bytes_at(stretch_) + used_;
    used_ += round_up(size > 16 ? size - 8 : size, 16);
    return block;
  }
  void free(void*) {}

 private:
  static constexpr std::size_t room = 64 * MiB;
  void* stretch_ = nullptr;
  std::size_t used_ = 0;
};

/// Writes into a block that is in use.
struct Clobbering : Bare {
  using Bare::Bare;
  void* malloc(std::size_t size) {
    if (last_ != nullptr) *static_cast<unsigned char*>(last_) ^= 0xFF;
    return last_ = Bare::malloc(size);
  }
  void free(void* block) {
    if (block == last_) last_ = nullptr;
    Bare::free(block);
  }

 private:
  void* last_ = nullptr;
};

/// Marks the successor of a freed block, one word behind the memory that it was given.
struct WritesBehind : Rich {
  using Rich::Rich;
  void free(void* block) {
    const std::size_t size = Rich::usable_size(block);
    std::memset(bytes_at(block) + size, 0, sizeof(std::size_t));
    Rich::free(block);
  }
};

/// What the free-list mutants share: a list that is not kept in the blocks, so that they stay in one piece.
struct Keeping : Bare {
  using Bare::Bare;
  ~Keeping() { return_all(); }
  void* malloc(std::size_t size) { return kept_.empty() ? Bare::malloc(size) : pop(); }
  void free(void* block) { kept_.push_back(block); }

 protected:
  void* pop() {
    void* const block = kept_.back();
    kept_.pop_back();
    return block;
  }
  void return_all() {
    for (void* const block : kept_) Bare::free(block);
    kept_.clear();
  }
  std::vector<void*> kept_;
};

struct DoubleHandOut : Keeping {
  using Keeping::Keeping;
  void* malloc(std::size_t size) { return kept_.empty() ? Bare::malloc(size) : kept_.back(); }
  ~DoubleHandOut() { kept_.clear(); }
};

struct NeverReuses : Keeping {
  using Keeping::Keeping;
  void* malloc(std::size_t size) { return Bare::malloc(size); }
};

struct NotEmpty : Bare {
  using Bare::Bare;
};

struct LosesCapability : Rich {
  using Rich::Rich;
  int usable_size(void* block) { return static_cast<int>(Rich::usable_size(block)); }
};

// Lifetime.

struct LeakyDestructor : Keeping {
  using Keeping::Keeping;
  ~LeakyDestructor() { kept_.clear(); }
};

/// Frees on destruction what it has freed already.
struct FreesTwice : Bare {
  using Bare::Bare;
  ~FreesTwice() {
    if (last_ != nullptr) Bare::free(last_);
  }
  void free(void* block) {
    Bare::free(block);
    last_ = block;
  }

 private:
  void* last_ = nullptr;
};

/// Puts its header in front of null.
struct SwallowedNull : Bare {
  using Bare::Bare;
  void* malloc(std::size_t size) { return reinterpret_cast<void*>(address_of(Bare::malloc(size + 16)) + 16); }
  void free(void* object) { Bare::free(bytes_at(object) - 16); }
};

/// A chunk that it did not get is a chunk to cut from.
struct CutsFromNull : Bare {
  using Bare::Bare;
  ~CutsFromNull() {
    for (void* const chunk : chunks_) Bare::free(chunk);
  }
  void* malloc(std::size_t size) {
    size = round_up(size, 16);
    if (size > left_) {
      left_ = std::max<std::size_t>(size, 4096);
      void* const chunk = Bare::malloc(left_);
      next_ = address_of(chunk);
      if (chunk == nullptr) return nullptr;
      chunks_.push_back(chunk);
    }
    left_ -= size;
    return reinterpret_cast<void*>(std::exchange(next_, next_ + size));
  }
  void free(void*) {}

 private:
  std::vector<void*> chunks_;
  std::uintptr_t next_ = 0;
  std::size_t left_ = 0;
};

/// A refusal is for ever.
struct Sulks : Bare {
  using Bare::Bare;
  void* malloc(std::size_t size) {
    void* const block = sulking_ ? nullptr : Bare::malloc(size);
    sulking_ = block == nullptr;
    return block;
  }

 private:
  bool sulking_ = false;
};

/// Clears what is below, and keeps handing out what it held.
struct ForgetfulClear : Keeping {
  using Keeping::Keeping;
  void clear() { ledger_->give_all(); }
  ~ForgetfulClear() { kept_.clear(); }
};

struct ClearKeepsMemory : Keeping {
  using Keeping::Keeping;
  void clear() { kept_.clear(); }
};

/// Instances share a list.
struct SharedState : Bare {
  using Bare::Bare;
  ~SharedState() {
    for (void* const block : kept()) Bare::free(block);
    kept().clear();
  }
  void* malloc(std::size_t size) {
    if (kept().empty()) return Bare::malloc(size);
    void* const block = kept().back();
    kept().pop_back();
    return block;
  }
  void free(void* block) { kept().push_back(block); }

 private:
  static std::vector<void*>& kept() {
    static std::vector<void*> shared;
    return shared;
  }
};

}  // namespace strata::conformance
