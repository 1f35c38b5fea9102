/// Small broken heaps, one defect each, in how they change a block's size, tell what reads as zeros, and let go of
/// what was freed (see block_mutants.hpp).
#pragma once

#include "library/conformance/block_mutants.hpp"
#include "library/conformance/test_source.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace strata::conformance {

struct IdleShrink : Rich {
  using Rich::Rich;
  void shrink(void*, std::size_t) {}
};

struct ShrinksTooFar : Rich {
  using Rich::Rich;
  void shrink(void* block, std::size_t size) { Rich::shrink(block, size - size / 8); }
};

/// Lays what is cut off behind a header that lies in what stays.
struct ClobberingShrink : Rich {
  using Rich::Rich;
  void shrink(void* block, std::size_t size) {
    const std::size_t before = Rich::usable_size(block);
    Rich::shrink(block, size);
    if (Rich::usable_size(block) < before) static_cast<unsigned char*>(block)[size - 1] ^= 0xFF;
  }
};

/// A list of blocks of one size, of which some have become shorter.
struct InheritedShrink : Rich {
  using Rich::Rich;
  ~InheritedShrink() {
    for (void* const block : kept_) Rich::free(block);
  }
  void* malloc(std::size_t size) {
    if (kept_.empty()) return Rich::malloc(size);
    void* const block = kept_.back();
    kept_.pop_back();
    return block;
  }
  void free(void* block) { kept_.push_back(block); }

 private:
  std::vector<void*> kept_;
};

/// What comes from its list is not as fresh as its source says.
struct InheritedZeroed : InheritedShrink {
  using InheritedShrink::InheritedShrink;
};

struct AlwaysZeroed : Rich {
  using Rich::Rich;
  bool zeroed(void*) { return true; }
};

struct NeverZeroed : Rich {
  using Rich::Rich;
  bool zeroed(void*) { return false; }
};

struct IdleRemap : Rich {
  using Rich::Rich;
  void* remap(void*, std::size_t) { return nullptr; }
};

struct RemapForgetsContents : Rich {
  using Rich::Rich;
  void* remap(void* block, std::size_t size) {
    void* const moved = Rich::malloc(size);
    if (moved != nullptr) Rich::free(block);
    return moved;
  }
};

struct RemapLosesBlock : Rich {
  using Rich::Rich;
  void* remap(void* block, std::size_t size) {
    void* const moved = Rich::remap(block, size);
    if (moved == nullptr) Rich::free(block);
    return moved;
  }
};

struct RemapKeepsBlock : Rich {
  using Rich::Rich;
  void* remap(void* block, std::size_t size) {
    void* const moved = Rich::malloc(size);
    if (moved != nullptr) std::memcpy(moved, block, std::min(size, Rich::usable_size(block)));
    return moved;
  }
};

/// What the mutants below are made from.
struct Removing : Keeping {
  using Keeping::Keeping;
  void remove(void* block) { std::erase(kept_, block); }
};

struct IdleRemove : Removing {
  using Removing::Removing;
  void remove(void*) {}
};

struct RemovesAnother : Removing {
  using Removing::Removing;
  void remove(void* block) { Removing::remove(kept_.front() == block ? kept_.back() : block); }
};

struct RemoveLeaks : Removing {
  using Removing::Removing;
  void remove(void* block) {
    Removing::remove(block);
    if (!kept_.empty()) kept_.pop_back();
  }
};

struct TakeAsksSource : Removing {
  using Removing::Removing;
  void* malloc(std::size_t size) { return Bare::malloc(size); }
  void* take(std::size_t size) { return malloc(size); }
};

struct TakesTooSmall : Removing {
  using Removing::Removing;
  void* malloc(std::size_t size) { return Bare::malloc(size); }
  void* take(std::size_t) { return kept_.empty() ? nullptr : pop(); }
};

struct TakesTwice : Removing {
  using Removing::Removing;
  void* malloc(std::size_t size) { return Bare::malloc(size); }
  void* take(std::size_t) { return kept_.empty() ? nullptr : kept_.back(); }
};

}  // namespace strata::conformance
