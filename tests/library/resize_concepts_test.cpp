/// The concepts of what a heap may do with a block's size and with what was freed, and of counting several sources,
/// with types that they must reject (see concepts_test.cpp).

#include <strata/contract/heap.hpp>
#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/dl_list.hpp>
#include <strata/layer/freelist_heap.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/malloc_heap.hpp>
#include <strata/source/mmap_heap.hpp>
#include <strata/source/null_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

#include <gtest/gtest.h>

#include <cstddef>

// Named, because an unnamed namespace would have to define all this.
namespace strata::rejection {

using Size = std::size_t;

struct Able {
  void shrink(void*, Size);
  void* remap(void*, Size);
  bool zeroed(void*);
  void remove(void*);
  void count_into(FootprintCounter&);
};

// HasShrink
static_assert(HasShrink<Able> && HasShrink<MmapHeap> && HasShrink<SbrkHeap<>> && HasShrink<BufferHeap>);
static_assert(!HasShrink<MallocHeap> && !HasShrink<int>);
// A block of a free list must stay as large as the next user needs it.
static_assert(!HasShrink<FreelistHeap<MmapHeap>> && !HasShrink<AdaptHeap<DLList, MmapHeap>>);
struct ShrinkThatTells : Able {
  bool shrink(void*, Size);
};
static_assert(!HasShrink<ShrinkThatTells>);
struct ShrinkWithoutSize : Able {
  void shrink(void*);
};
static_assert(!HasShrink<ShrinkWithoutSize>);
struct DeletedShrink : Able {
  void shrink(void*, Size) = delete;
};
static_assert(!HasShrink<DeletedShrink>);

// HasRemap
static_assert(HasRemap<Able> && HasRemap<MmapHeap>);
static_assert(!HasRemap<SbrkHeap<>> && !HasRemap<BufferHeap> && !HasRemap<MallocHeap>);
struct RemapThatTells : Able {
  bool remap(void*, Size);
};
static_assert(!HasRemap<RemapThatTells>);
struct RemapOfBytes : Able {
  char* remap(void*, Size);
};
static_assert(!HasRemap<RemapOfBytes>);
struct PrivateRemap : Able {
 private:
  void* remap(void*, Size);
};
static_assert(!HasRemap<PrivateRemap>);

// HasZeroed
static_assert(HasZeroed<Able> && HasZeroed<MmapHeap>);
static_assert(!HasZeroed<SbrkHeap<>> && !HasZeroed<MallocHeap>);
// What was freed and is handed out again is not fresh.
static_assert(!HasZeroed<FreelistHeap<MmapHeap>> && !HasZeroed<AdaptHeap<DLList, MmapHeap>>);
struct ZeroedByNumber : Able {
  int zeroed(void*);
};
static_assert(!HasZeroed<ZeroedByNumber>);
struct ZeroedOfNothing : Able {
  bool zeroed();
};
static_assert(!HasZeroed<ZeroedOfNothing>);
struct ZeroedMember : Able {
  bool zeroed;
};
static_assert(!HasZeroed<ZeroedMember>);

// HasRemove
static_assert(HasRemove<Able> && HasRemove<AdaptHeap<DLList, NullHeap>>);
static_assert(!HasRemove<FreelistHeap<NullHeap>> && !HasRemove<MmapHeap>);
struct RemoveThatTells : Able {
  bool remove(void*);
};
static_assert(!HasRemove<RemoveThatTells>);
struct RemoveOfAny : Able {
  void remove();
};
static_assert(!HasRemove<RemoveOfAny>);

// HasCountInto
static_assert(HasCountInto<Able> && HasCountInto<MmapHeap> && HasCountInto<SbrkHeap<>> &&
              HasCountInto<BufferHeap>);
static_assert(!HasCountInto<MallocHeap> && !HasCountInto<NullHeap>);
struct CountsIntoFootprint : Able {
  void count_into(Footprint&);
};
static_assert(!HasCountInto<CountsIntoFootprint>);
struct CountIntoThatTells : Able {
  Size count_into(FootprintCounter&);
};
static_assert(!HasCountInto<CountIntoThatTells>);

TEST(ResizeConcepts, RejectWhatTheyMust) {
  SUCCEED() << "by being compiled";
}

}  // namespace strata::rejection
