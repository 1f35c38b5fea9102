/// Blocks laid one behind the other in a stretch of memory, as a source with a moving top hands them out.
///
/// A block that is freed under the top waits until everything above it is free too; then the top drops below
/// all of them at once. Each block is preceded by 16 bytes: the block before it, its own size, and whether it
/// is free. SbrkHeap and BufferHeap are made of it; a stretch can be given more room at its end.
/// Threads:    none of its own.
/// Cost:       O(1), and O(1) amortised when the top drops.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <cstddef>

namespace strata {

class BlockStack {
 public:
  constexpr BlockStack() = default;
  BlockStack(std::byte* begin, std::byte* end) : begin_(aligned(begin)), top_(begin_), end_(end) {
    if (end_ < begin_) end_ = begin_;
  }

  std::byte* begin() const { return begin_; }
  std::byte* top() const { return top_; }
  std::byte* end() const { return end_; }
  bool contains(const void* address) const {
    return address_of(address) - address_of(begin_) < address_of(top_) - address_of(begin_);
  }

  /// What a block of `size` bytes takes from the stretch.
  static constexpr std::size_t room_for(std::size_t size) {
    return round_up(size, natural_alignment) + sizeof(Header);
  }
  std::size_t room() const { return static_cast<std::size_t>(end_ - top_); }
  void move_end(std::byte* end) { end_ = end; }

  /// The next block, or null if the stretch is full.
  void* push(std::size_t size) {
    const std::size_t needed = room_for(size);
    if (needed > room()) return nullptr;
    auto* const header = reinterpret_cast<Header*>(top_);
    header->below = last_;
    header->size_and_free = needed - sizeof(Header);
    last_ = header;
    top_ += needed;
    return header + 1;
  }

  void release(void* block) {
    Header* const header = header_of(block);
    header->size_and_free |= free_bit;
    if (header != last_) return;
    while (last_ != nullptr && (last_->size_and_free & free_bit) != 0) {
      top_ = reinterpret_cast<std::byte*>(last_);
      last_ = last_->below;
    }
  }

  static std::size_t size_of(void* block) { return header_of(block)->size_and_free; }

  /// Makes the topmost block `size` bytes long, if this is it and there is room.
  bool extend(void* block, std::size_t size) {
    Header* const header = header_of(block);
    if (size <= header->size_and_free) return true;
    if (header != last_) return false;
    const std::size_t more = round_up(size, natural_alignment) - header->size_and_free;
    if (more > room()) return false;
    header->size_and_free += more;
    top_ += more;
    return true;
  }

  bool is_topmost(void* block) const { return header_of(block) == last_; }

  /// Makes the topmost block shorter; any other stays as it is.
  void shrink(void* block, std::size_t size) {
    Header* const header = header_of(block);
    const std::size_t kept = round_up(size, natural_alignment);
    if (header != last_ || kept >= header->size_and_free) return;
    top_ -= header->size_and_free - kept;
    header->size_and_free = kept;
  }

  void clear() {
    top_ = begin_;
    last_ = nullptr;
  }

 private:
  struct Header {
    Header* below;
    std::size_t size_and_free;  // sizes are multiples of 16
  };
  static_assert(sizeof(Header) == natural_alignment);
  static constexpr std::size_t free_bit = 1;

  static Header* header_of(void* block) { return static_cast<Header*>(block) - 1; }
  static std::byte* aligned(std::byte* p) {
    return p + (round_up(address_of(p), natural_alignment) - address_of(p));
  }

  std::byte* begin_ = nullptr;
  std::byte* top_ = nullptr;
  std::byte* end_ = nullptr;
  Header* last_ = nullptr;
};

}  // namespace strata
