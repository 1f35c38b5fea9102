/// Memory that the caller owns: a static array, a stack buffer, a shared mapping.
///
/// Guarantees: never asks the OS for anything; blocks are naturally aligned; memory freed at the top is
///             handed out again. Its footprint is the part of the buffer that lies under the top.
/// Threads:    none of its own.
/// Cost:       O(1); 16 bytes a block.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/source/block_stack.hpp>

#include <cstddef>
#include <span>

namespace strata {

class BufferHeap {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = 0;

  /// The buffer must outlive the heap.
  explicit BufferHeap(std::span<std::byte> buffer) : blocks_(buffer.data(), buffer.data() + buffer.size()) {}
  BufferHeap(const BufferHeap&) = delete;
  BufferHeap& operator=(const BufferHeap&) = delete;

  void* malloc(std::size_t size) {
    const std::byte* const before = blocks_.top();
    void* const block = blocks_.push(size);
    footprint_.grow(static_cast<std::size_t>(blocks_.top() - before));
    return block;
  }

  void free(void* block) {
    const std::byte* const before = blocks_.top();
    blocks_.release(block);
    footprint_.shrink(static_cast<std::size_t>(before - blocks_.top()));
  }

  static std::size_t usable_size(void* block) { return BlockStack::size_of(block); }

  bool try_extend(void* block, std::size_t size) {
    const std::byte* const before = blocks_.top();
    const bool extended = blocks_.extend(block, size);
    footprint_.grow(static_cast<std::size_t>(blocks_.top() - before));
    return extended;
  }

  void shrink(void* block, std::size_t size) {
    const std::byte* const before = blocks_.top();
    blocks_.shrink(block, size);
    footprint_.shrink(static_cast<std::size_t>(before - blocks_.top()));
  }

  bool owns(const void* address) const { return blocks_.contains(address); }

  void clear() {
    blocks_.clear();
    footprint_.shrink(footprint_.own().current);
  }

  Footprint footprint() const { return footprint_.own(); }
  constexpr void count_into(FootprintCounter& whole) { footprint_.count_into(whole); }

 private:
  BlockStack blocks_;
  FootprintCounter footprint_;
};

static_assert(Heap<BufferHeap> && HasUsableSize<BufferHeap> && HasTryExtend<BufferHeap> &&
              HasShrink<BufferHeap> && HasOwns<BufferHeap> && HasClear<BufferHeap> &&
              HasFootprint<BufferHeap> && HasCountInto<BufferHeap>);

}  // namespace strata
