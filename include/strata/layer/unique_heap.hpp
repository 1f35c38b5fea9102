/// A heap type that refers to one heap object, so that several layers share it (PLDI01 Table 1).
///
/// Needs:      the object outlives every UniqueHeap that refers to it.
/// Guarantees: one word; the object's blocks and capabilities. What concerns the object as a whole (its
///             footprint, trim) is its owner's. clear() only lets go: the owner clears the object once all
///             who share it have.
/// Threads:    the object's.
/// Cost:       nothing: the calls are the object's own.
#pragma once

#include <strata/contract/heap.hpp>
#include <strata/platform/attributes.hpp>

#include <cstddef>

namespace strata {

template <class Shared>
class UniqueHeap {
  static_assert(Heap<Shared>, "UniqueHeap needs a heap to refer to");

 public:
  static constexpr std::size_t alignment = Shared::alignment;
  static constexpr std::size_t alignment_offset = Shared::alignment_offset;
  static constexpr bool discardable = HasDiscardablePages<Shared>;

  explicit constexpr UniqueHeap(Shared& shared) : shared_(&shared) {}
  UniqueHeap(const UniqueHeap&) = delete;
  UniqueHeap& operator=(const UniqueHeap&) = delete;

  STRATA_INLINE void* malloc(std::size_t size) { return shared_->malloc(size); }
  STRATA_INLINE void free(void* block) { shared_->free(block); }

  std::size_t usable_size(void* block)
    requires HasUsableSize<Shared>
  {
    return shared_->usable_size(block);
  }
  void* memalign(std::size_t boundary, std::size_t size)
    requires HasMemalign<Shared>
  {
    return shared_->memalign(boundary, size);
  }
  bool try_extend(void* block, std::size_t size)
    requires HasTryExtend<Shared>
  {
    return shared_->try_extend(block, size);
  }
  void shrink(void* block, std::size_t size)
    requires HasShrink<Shared>
  {
    shared_->shrink(block, size);
  }
  void* remap(void* block, std::size_t size)
    requires HasRemap<Shared>
  {
    return shared_->remap(block, size);
  }
  bool zeroed(void* block)
    requires HasZeroed<Shared>
  {
    return shared_->zeroed(block);
  }
  void remove(void* block)
    requires HasRemove<Shared>
  {
    shared_->remove(block);
  }
  void clear()
    requires HasClear<Shared>
  {}

  bool owns(const void* address) const
    requires HasOwns<Shared>
  {
    return shared_->owns(address);
  }

 private:
  Shared* shared_;
};

}  // namespace strata
