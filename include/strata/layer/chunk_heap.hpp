/// Cuts blocks from chunks, one behind the other, so that its user does not ask the OS block by block (PLDI01
/// Table 1).
///
/// Chunks of `Chunk` bytes come from Super; a block larger than an eighth of that has a chunk of its own, so
/// that no more than an eighth is lost at a chunk's end. free() is a no-op, since a block's memory goes back
/// with its chunk: put a layer that reuses blocks over it (FreelistHeap), or never free (BumpHeap).
/// Needs:      malloc and free.
/// Guarantees: blocks at phase 8 of 16, so that an 8-byte header in front of an object keeps it at a multiple
///             of 16; the destructor returns every chunk.
/// Threads:    none of its own.
/// Cost:       an addition and a comparison; 8 bytes a chunk.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata {

template <std::size_t Chunk, class Super>
class ChunkHeap : public Super {
  static_assert(Heap<Super>, "ChunkHeap needs malloc and free below it");
  static_assert(at_phase<Super>(natural_alignment, 0), "ChunkHeap needs blocks at multiples of 16 below it");
  static_assert(Chunk % natural_alignment == 0 && Chunk >= 256,
                "ChunkHeap: Chunk must be a multiple of 16, and hold more than a few blocks");

 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = sizeof(void*);

  using Super::Super;
  ChunkHeap(const ChunkHeap&) = delete;
  ChunkHeap& operator=(const ChunkHeap&) = delete;

  constexpr ~ChunkHeap() {
    while (chunks_ != nullptr) {
      Link* const chunk = chunks_;
      chunks_ = chunk->next;
      Super::free(chunk);
    }
  }

  STRATA_INLINE void* malloc(std::size_t size) {
    const std::size_t needed = round_up(size, natural_alignment);
    if (needed > static_cast<std::size_t>(end_ - next_)) [[unlikely]] {
      return refill(needed);
    }
    std::byte* const block = next_;
    next_ += needed;
    return block;
  }

  static constexpr void free(void*) {}

  /// What Super knew about its blocks does not hold for ours.
  void usable_size(void*) = delete;
  void memalign(std::size_t, std::size_t) = delete;
  void try_extend(void*, std::size_t) = delete;
  void shrink(void*, std::size_t) = delete;
  void remap(void*, std::size_t) = delete;
  void zeroed(void*) = delete;
  void calloc(std::size_t, std::size_t) = delete;
  void realloc(void*, std::size_t) = delete;

  void clear()
    requires HasClear<Super>
  {
    chunks_ = nullptr;
    next_ = end_ = nullptr;
    Super::clear();
  }

 private:
  struct Link {
    Link* next;
  };
  static_assert(sizeof(Link) == alignment_offset);

  STRATA_COLD void* refill(std::size_t needed) {
    if (needed > Chunk / 8) return take(needed);
    std::byte* const fresh = take(Chunk - natural_alignment);
    if (fresh == nullptr) return nullptr;
    next_ = fresh + needed;
    end_ = fresh + (Chunk - natural_alignment);
    return fresh;
  }

  /// A chunk with room for `bytes` behind its link.
  std::byte* take(std::size_t bytes) {
    void* const memory = Super::malloc(bytes + sizeof(Link));
    if (memory == nullptr) return nullptr;
    auto* const chunk = static_cast<Link*>(memory);
    chunk->next = chunks_;
    chunks_ = chunk;
    return bytes_at(chunk + 1);
  }

  Link* chunks_ = nullptr;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace strata
