/// What a heap is, and what it may be able to do beyond that.
///
/// A heap hands out blocks with `malloc(size)` and takes them back with `free(block)`. It states
/// the phase of its blocks: every block p satisfies `p % alignment == alignment_offset`. Two rules
/// make heaps composable (PLDI01 section 3): `malloc` passes a null from its parent on, and a
/// destructor returns whatever the layer holds, so that a heap is deleted whole in one step.
///
/// Inside a composition nobody frees null, asks for 0 bytes, or for more than PTRDIFF_MAX:
/// AnsiWrapper, the layer that faces the program, sees to these once.
///
/// A capability is a member that is there or is not; a layer that changes what a block looks like
/// redefines or deletes every capability that this breaks. Each concept below is what a layer may
/// ask of its parent.
#pragma once

#include <strata/contract/footprint.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace strata {

/// The alignment that every block a program sees must have on the ABIs we serve.
inline constexpr std::size_t natural_alignment = 16;

/// The phase of a heap's blocks is stated, and makes sense.
template <class H>
concept HasPhase = requires {
  // A member that is not static, or no constant, is rejected here; further down it would be an error.
  { &H::alignment } -> std::same_as<const std::size_t*>;
  { &H::alignment_offset } -> std::same_as<const std::size_t*>;
  typename std::integral_constant<std::size_t, H::alignment>;
  typename std::integral_constant<std::size_t, H::alignment_offset>;
  requires std::has_single_bit(H::alignment);
  requires(H::alignment_offset < H::alignment);
};

template <class H>
concept Heap = HasPhase<H> && requires(H& heap, std::size_t size, void* block) {
  { heap.malloc(size) } -> std::same_as<void*>;
  { heap.free(block) } -> std::same_as<void>;
};

/// Blocks of H lie `offset` bytes behind a multiple of `alignment`.
template <HasPhase H>
constexpr bool at_phase(std::size_t alignment, std::size_t offset) {
  return H::alignment >= alignment && H::alignment_offset % alignment == offset;
}

/// `usable_size(block)`: how many bytes of the block its user may write; at least what was asked
/// for.
template <class H>
concept HasUsableSize = requires(H& heap, void* block) {
  { heap.usable_size(block) } -> std::same_as<std::size_t>;
};

/// `memalign(alignment, size)`: a block at a multiple of `alignment` (a power of two) that `free`
/// recognises.
template <class H>
concept HasMemalign = requires(H& heap, std::size_t n) {
  { heap.memalign(n, n) } -> std::same_as<void*>;
};

/// `try_extend(block, size)`: true if the block now has `size` usable bytes where it lies.
template <class H>
concept HasTryExtend = requires(H& heap, void* block, std::size_t size) {
  { heap.try_extend(block, size) } -> std::same_as<bool>;
};

/// `shrink(block, size)`: takes back what lies behind the block's first `size` bytes, as far as it can be used
/// otherwise; the block keeps at least these.
template <class H>
concept HasShrink = requires(H& heap, void* block, std::size_t size) {
  { heap.shrink(block, size) } -> std::same_as<void>;
};

/// `remap(block, size)`: the block's contents at another address where they can have `size` bytes, moved page
/// by page instead of copied; null, and the block as it was, if that cannot be.
template <class H>
concept HasRemap = requires(H& heap, void* block, std::size_t size) {
  { heap.remap(block, size) } -> std::same_as<void*>;
};

/// `zeroed(block)`: whether a block that was allocated just now reads as zeros.
template <class H>
concept HasZeroed = requires(H& heap, void* block) {
  { heap.zeroed(block) } -> std::same_as<bool>;
};

/// `take(size)`: a block that was freed and is kept, of `size` bytes or, it may be, many more; null if there is none at
/// hand. Asks nobody else.
template <class H>
concept HasTake = requires(H& heap, std::size_t size) {
  { heap.take(size) } -> std::same_as<void*>;
};

/// `remove(block)`: takes a block that was freed out of wherever it is kept, in O(1); it is its taker's again.
template <class H>
concept HasRemove = requires(H& heap, void* block) {
  { heap.remove(block) } -> std::same_as<void>;
};

/// `owns(address)`: whether the address lies in memory that this heap took from its source.
template <class H>
concept HasOwns = requires(const H& heap, const void* address) {
  { heap.owns(address) } -> std::same_as<bool>;
};

/// `clear()`: forgets every block at once, without walking them; the source gives its memory back.
template <class H>
concept HasClear = requires(H& heap) {
  { heap.clear() } -> std::same_as<void>;
};

/// `trim(keep)`: gives unused memory beyond `keep` bytes back to the OS; true if any was.
template <class H>
concept HasTrim = requires(H& heap, std::size_t keep) {
  { heap.trim(keep) } -> std::same_as<bool>;
};

/// `footprint()`: the bytes asked from the OS, now and at their most (PLDI01 section 6.3: memory
/// consumption).
template <class H>
concept HasFootprint = requires(const H& heap) {
  { heap.footprint() } -> std::same_as<Footprint>;
};

/// `count_into(whole)`: what this heap asks from the OS is counted in that footprint too, so that the peak of
/// several sources is that of their sum. Called before anything is allocated.
template <class H>
concept HasCountInto = requires(H& heap, FootprintCounter& whole) {
  { heap.count_into(whole) } -> std::same_as<void>;
};

/// `discardable`: a block's whole pages may be given back under it and read as zeros afterwards, because
/// nothing but private anonymous memory lies below.
template <class H>
concept HasDiscardablePages = requires {
  { &H::discardable } -> std::same_as<const bool*>;
  typename std::bool_constant<H::discardable>;
  requires H::discardable;
};

/// `header(block)`: the word in front of a block. While the block is in use its low bit is 0,
/// unless a layer below (AlignedHeap) has tagged it.
template <class H>
concept HasHeader = requires(void* block) {
  { H::header(block) } -> std::same_as<std::size_t&>;
};

/// The three moments of a fork: take every lock, give them back, and make the child's single thread
/// their owner.
template <class H>
concept HasForkHooks = requires(H& heap) {
  { heap.before_fork() } -> std::same_as<void>;
  { heap.after_fork_in_parent() } -> std::same_as<void>;
  { heap.after_fork_in_child() } -> std::same_as<void>;
};

}  // namespace strata
