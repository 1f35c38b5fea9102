// KingsleyDropIn with one fault, named by STRATA_FAULT: proof that the tests beside it can fail.
#include "preload/drop_in.hpp"

#include <strata/heap/kingsley_heap.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strata {

enum class Fault : std::uint8_t {
  misaligned,           // blocks at 8 modulo 16
  overlapping,          // more usable bytes told than there are
  null_swallowed,       // an address for memory that was refused
  not_zeroed,           // calloc leaves what was there
  errno_lost,           // free changes errno
  contents_lost,        // realloc forgets
  block_lost,           // a failed realloc frees
  half_aligned,         // large alignments are not kept
  no_fork_hooks,        // the child inherits a held lock
  no_owner,             // a fork inside malloc waits for itself
  unlocked,             // threads meet inside the heap
  footprint_forgotten,  // statistics count nothing
  destroyed             // the heap ends with the program
};

/// Takes itself for a stranger's when its own thread forks. It is held long, so that a signal soon meets it held.
class Ownerless : public ElidedLock {
 public:
  void lock() {
    ElidedLock::lock();
    for (int spins = 0; spins < 2000; ++spins) spin_pause();
  }
  void before_fork() { lock(); }
  void after_fork_in_parent() { unlock(); }
  void after_fork_in_child() { unlock(); }
};

template <Lock L>
class KingsleyUnder
    : public AnsiWrapper<LockedHeap<L, AlignedHeap<SourcedHeap<SbrkHeap<>, KingsleyBins<{}, SbrkHeap<>>>>>> {
};

template <Fault F>
using SoundHeap =
    std::conditional_t<F == Fault::no_owner, KingsleyUnder<Ownerless>,
                       std::conditional_t<F == Fault::unlocked, KingsleyUnder<NoLock>, KingsleyDropIn<>>>;

template <Fault F>
class BrokenHeap : public SoundHeap<F> {
  using Super = SoundHeap<F>;

 public:
  void* malloc(std::size_t size) {
    if constexpr (F == Fault::misaligned) {
      void* const block = Super::malloc(size < PTRDIFF_MAX ? size + 8 : size);
      return block == nullptr ? nullptr : bytes_at(block) + 8;
    } else if constexpr (F == Fault::null_swallowed) {
      void* const block = Super::malloc(size);
      return block == nullptr ? reinterpret_cast<void*>(std::uintptr_t{16}) : block;
    } else {
      return Super::malloc(size);
    }
  }

  void free(void* block) {
    if constexpr (F == Fault::misaligned) {
      if (block != nullptr && address_of(block) % 16 == 8) block = bytes_at(block) - 8;
    }
    Super::free(block);
    if constexpr (F == Fault::errno_lost) errno = 0;
  }

  std::size_t usable_size(void* block) {
    const std::size_t usable = Super::usable_size(block);
    return F == Fault::overlapping && usable != 0 ? usable + 24 : usable;
  }

  void* calloc(std::size_t count, std::size_t size) {
    if constexpr (F == Fault::not_zeroed) {
      std::size_t bytes = 0;
      return __builtin_mul_overflow(count, size, &bytes) ? nullptr : malloc(bytes);
    } else {
      return Super::calloc(count, size);
    }
  }

  void* realloc(void* block, std::size_t size) {
    if constexpr (F == Fault::contents_lost) {
      free(block);
      return malloc(size);
    } else {
      void* const moved = Super::realloc(block, size);
      if constexpr (F == Fault::block_lost) {
        if (moved == nullptr) std::memset(block, 0, Super::usable_size(block));
      }
      return moved;
    }
  }

  void* memalign(std::size_t boundary, std::size_t size) {
    return Super::memalign(F == Fault::half_aligned && boundary >= 256 ? boundary / 2 : boundary, size);
  }

  Footprint footprint() const { return F == Fault::footprint_forgotten ? Footprint{} : Super::footprint(); }

  void before_fork() {
    if constexpr (F != Fault::no_fork_hooks) Super::before_fork();
  }
  void after_fork_in_parent() {
    if constexpr (F != Fault::no_fork_hooks) Super::after_fork_in_parent();
  }
  void after_fork_in_child() {
    if constexpr (F != Fault::no_fork_hooks) Super::after_fork_in_child();
  }
};

}  // namespace strata

static constexpr strata::Fault fault = strata::Fault::STRATA_FAULT;

STRATA_DROP_IN(strata::BrokenHeap<fault>)

[[gnu::destructor]] static void end_of_program() {
  if constexpr (fault == strata::Fault::destroyed) strata::drop_in::the.heap.clear();
}
