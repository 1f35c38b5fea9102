/// Small broken heaps, one defect each, in what they can do beyond malloc and free (see block_mutants.hpp).
#pragma once

#include "library/conformance/block_mutants.hpp"
#include "library/conformance/test_source.hpp"

#include <strata/contract/heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/threads.hpp>
#include <strata/policy/locks.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace strata::conformance {

// Capabilities.

/// An interior pointer that free does not recognise.
struct InteriorMemalign : Rich {
  using Rich::Rich;
  void* memalign(std::size_t boundary, std::size_t size) {
    void* const block = Rich::malloc(size + boundary);
    if (block == nullptr) return nullptr;
    return bytes_at(block) + (round_up(address_of(block), boundary) - address_of(block));
  }
};

struct SwappedMemalign : Rich {
  using Rich::Rich;
  void* memalign(std::size_t boundary, std::size_t size) {
    return std::has_single_bit(size) ? Rich::memalign(size, boundary) : Rich::memalign(boundary, size);
  }
};

/// The natural alignment will do for what is small.
struct SmallMemalign : Rich {
  using Rich::Rich;
  void* memalign(std::size_t boundary, std::size_t size) {
    return size < boundary ? Rich::malloc(size) : Rich::memalign(boundary, size);
  }
};

struct LyingTryExtend : Rich {
  using Rich::Rich;
  bool try_extend(void*, std::size_t) { return true; }
};

struct ClobberingTryExtend : Rich {
  using Rich::Rich;
  bool try_extend(void* block, std::size_t size) {
    if (Rich::try_extend(block, size)) return true;
    *static_cast<unsigned char*>(block) ^= 0xFF;
    return false;
  }
};

struct OwnsEverything : Rich {
  using Rich::Rich;
  bool owns(const void*) const { return true; }
};

struct OwnsNothing : Rich {
  using Rich::Rich;
  bool owns(const void*) const { return false; }
};

struct LyingTrim : Rich {
  using Rich::Rich;
  bool trim(std::size_t) { return true; }
};

struct FootprintOnlyGrows : Rich {
  using Rich::Rich;
  Footprint footprint() const { return {this->ledger_->peak(), this->ledger_->peak()}; }
};

struct FootprintWithoutPeak : Rich {
  using Rich::Rich;
  Footprint footprint() const { return {this->ledger_->outstanding(), this->ledger_->outstanding()}; }
};

// The standard's corner cases.

struct Ansi : Rich {
  using Rich::Rich;
  void* malloc(std::size_t size) {
    return size > PTRDIFF_MAX ? nullptr : Rich::malloc(std::max<std::size_t>(size, 1));
  }
  void free(void* block) {
    if (block != nullptr) Rich::free(block);
  }
  std::size_t usable_size(void* block) { return block == nullptr ? 0 : Rich::usable_size(block); }
  bool try_extend(void* block, std::size_t size) {
    return size <= PTRDIFF_MAX && Rich::try_extend(block, size);
  }
  void* memalign(std::size_t boundary, std::size_t size) {
    if (size > PTRDIFF_MAX || boundary > 1 * GiB) return nullptr;
    return Rich::memalign(boundary, std::max<std::size_t>(size, 1));
  }
  void* calloc(std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
    void* const block = malloc(bytes);
    if (block != nullptr) std::memset(block, 0, bytes);
    return block;
  }
  void* realloc(void* block, std::size_t size) {
    if (block == nullptr) return malloc(size);
    void* const moved = malloc(size);
    if (moved == nullptr) return size <= usable_size(block) ? block : nullptr;
    std::memcpy(moved, block, std::min(usable_size(block), usable_size(moved)));
    free(block);
    return moved;
  }

 private:
  static constexpr std::size_t GiB = 1024 * MiB;
};

struct NoBlockOfZero : Ansi {
  using Ansi::Ansi;
  void* malloc(std::size_t size) { return size == 0 ? nullptr : Ansi::malloc(size); }
};

struct FreeChangesErrno : Ansi {
  using Ansi::Ansi;
  void free(void* block) {
    Ansi::free(block);
    errno = EAGAIN;
  }
};

struct CallocOverflows : Ansi {
  using Ansi::Ansi;
  void* calloc(std::size_t count, std::size_t size) { return Ansi::calloc(1, count * size); }
};

struct CallocOfUsedMemory : Ansi {
  using Ansi::Ansi;
  void* calloc(std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    return __builtin_mul_overflow(count, size, &bytes) ? nullptr : malloc(bytes);
  }
};

struct ReallocLosesBlock : Ansi {
  using Ansi::Ansi;
  void* realloc(void* block, std::size_t size) {
    void* const moved = Ansi::realloc(block, size);
    if (moved == nullptr) Ansi::free(block);
    return moved;
  }
};

struct ReallocForgetsTail : Ansi {
  using Ansi::Ansi;
  void* realloc(void* block, std::size_t size) {
    if (block == nullptr) return malloc(size);
    void* const moved = malloc(size);
    if (moved == nullptr) return size <= usable_size(block) ? block : nullptr;
    std::memcpy(moved, block, std::min(usable_size(block), usable_size(moved)) & ~std::size_t{7});
    Ansi::free(block);
    return moved;
  }
};

// Threads and forks.

struct UnlockedMalloc : LockedHeap<Mutex, Rich> {
  using LockedHeap::LockedHeap;
  void* malloc(std::size_t size) { return Rich::malloc(size); }
};

struct UnlockedMemalign : LockedHeap<Mutex, Rich> {
  using LockedHeap::LockedHeap;
  void* memalign(std::size_t boundary, std::size_t size) { return Rich::memalign(boundary, size); }
};

/// Drops what another thread frees than the one that allocated it.
struct DropsForeignFree : Bare {
  using Bare::Bare;
  void* malloc(std::size_t size) {
    auto* const block = static_cast<std::uintptr_t*>(Bare::malloc(size + 16));
    if (block == nullptr) return nullptr;
    block[0] = this_thread();
    return block + 2;
  }
  void free(void* object) {
    auto* const block = static_cast<std::uintptr_t*>(object) - 2;
    if (block[0] == this_thread()) Bare::free(block);
  }
};

/// Its child inherits the lock, and fails where it would wait for ever.
struct KeepsLockInChild : Bare {
  using Bare::Bare;
  void* malloc(std::size_t size) { return held_ ? nullptr : Bare::malloc(size); }
  void before_fork() { held_ = true; }
  void after_fork_in_parent() { held_ = false; }
  void after_fork_in_child() {}

 private:
  bool held_ = false;
};

}  // namespace strata::conformance
