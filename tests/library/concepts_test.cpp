/// Every concept of contract/heap.hpp, with types that it must reject: each differs in one thing from a type that it
/// accepts. A concept that accepts everything has shipped in a well-known allocator. Compiling this is the test.

#include <strata/contract/heap.hpp>
#include <strata/source/malloc_heap.hpp>
#include <strata/source/mmap_heap.hpp>

#include <gtest/gtest.h>

#include <cstddef>

// Named, because an unnamed namespace would have to define all this.
namespace strata::rejection {

using Size = std::size_t;

// Declared and nowhere defined, which must not make them constants.
struct AlignmentThatVaries {
  static Size alignment;
  static constexpr Size alignment_offset = 0;
};

struct AlignmentUnknownHere {
  static const Size alignment;
  static constexpr Size alignment_offset = 0;
};

// What accepted types are made from; a rejected one redeclares a member, which hides the sound one.
struct Phase {
  static constexpr Size alignment = 16;
  static constexpr Size alignment_offset = 0;
};

struct Plain : Phase {
  void* malloc(Size);
  void free(void*);
};

struct Full : Plain {
  Size usable_size(void*);
  void* memalign(Size, Size);
  bool try_extend(void*, Size);
  bool owns(const void*) const;
  void clear();
  bool trim(Size);
  Footprint footprint() const;
  static Size& header(void*);
  void before_fork();
  void after_fork_in_parent();
  void after_fork_in_child();
};

// HasPhase
static_assert(HasPhase<Phase>);
struct AtPhase8 {
  static constexpr Size alignment = 16, alignment_offset = 8;
};
static_assert(HasPhase<AtPhase8>);

struct NoAlignment {
  static constexpr Size alignment_offset = 0;
};
static_assert(!HasPhase<NoAlignment>);

struct NoOffset {
  static constexpr Size alignment = 16;
};
static_assert(!HasPhase<NoOffset>);

struct NoPowerOfTwo {
  static constexpr Size alignment = 24, alignment_offset = 0;
};
static_assert(!HasPhase<NoPowerOfTwo>);

struct NoAlignmentAtAll {
  static constexpr Size alignment = 0, alignment_offset = 0;
};
static_assert(!HasPhase<NoAlignmentAtAll>);

struct OffsetTooLarge {
  static constexpr Size alignment = 16, alignment_offset = 16;
};
static_assert(!HasPhase<OffsetTooLarge>);

struct AlignmentOfAnotherType {
  static constexpr int alignment = 16;
  static constexpr Size alignment_offset = 0;
};
static_assert(!HasPhase<AlignmentOfAnotherType>);

struct AlignmentPerObject {
  const Size alignment = 16;
  static constexpr Size alignment_offset = 0;
};
static_assert(!HasPhase<AlignmentPerObject>);

static_assert(!HasPhase<AlignmentThatVaries>);
static_assert(!HasPhase<AlignmentUnknownHere>);

class PrivateAlignment {
  static constexpr Size alignment = 16;

 public:
  static constexpr Size alignment_offset = 0;
};
static_assert(!HasPhase<PrivateAlignment>);
static_assert(!HasPhase<int>);

static_assert(at_phase<Phase>(16, 0) && at_phase<Phase>(8, 0) && !at_phase<Phase>(16, 8));
static_assert(at_phase<AtPhase8>(16, 8) && at_phase<AtPhase8>(8, 0) && !at_phase<AtPhase8>(16, 0));
static_assert(!at_phase<Phase>(32, 0) && !at_phase<Phase>(32, 16));

// Heap
static_assert(Heap<Plain> && Heap<Full> && Heap<MallocHeap>);
static_assert(!Heap<int> && !Heap<void> && !Heap<Plain*> && !Heap<const Plain>);
static_assert(!Heap<Phase>);

struct NoFree : Phase {
  void* malloc(Size);
};
static_assert(!Heap<NoFree>);

struct NoMalloc : Phase {
  void free(void*);
};
static_assert(!Heap<NoMalloc>);

struct NoPhase {
  void* malloc(Size);
  void free(void*);
};
static_assert(!Heap<NoPhase>);

struct MallocOfBytes : Plain {
  char* malloc(Size);
};
static_assert(!Heap<MallocOfBytes>);

struct MallocWithoutSize : Plain {
  void* malloc();
};
static_assert(!Heap<MallocWithoutSize>);

struct FreeThatTells : Plain {
  bool free(void*);
};
static_assert(!Heap<FreeThatTells>);

struct FreeThatNeedsSize : Plain {
  void free(void*, Size);
};
static_assert(!Heap<FreeThatNeedsSize>);

struct DeletedFree : Plain {
  void free(void*) = delete;
};
static_assert(!Heap<DeletedFree>);

class PrivateMalloc : public Phase {
  void* malloc(Size);

 public:
  void free(void*);
};
static_assert(!Heap<PrivateMalloc>);

class ProtectedFree : public Phase {
 public:
  void* malloc(Size);

 protected:
  void free(void*);
};
static_assert(!Heap<ProtectedFree>);

struct PrivatelyAHeap : private Plain {};
static_assert(!Heap<PrivatelyAHeap>);

// HasUsableSize
static_assert(HasUsableSize<Full> && !HasUsableSize<Plain> && !HasUsableSize<int>);
struct DeletedUsableSize : Full {
  void usable_size(void*) = delete;
};
static_assert(!HasUsableSize<DeletedUsableSize>);
struct UsableSizeInInt : Full {
  int usable_size(void*);
};
static_assert(!HasUsableSize<UsableSizeInInt>);
struct UsableSizeOfNothing : Full {
  Size usable_size();
};
static_assert(!HasUsableSize<UsableSizeOfNothing>);
class PrivateUsableSize : public Full {
  Size usable_size(void*);
};
static_assert(!HasUsableSize<PrivateUsableSize>);

// HasMemalign
static_assert(HasMemalign<Full> && !HasMemalign<Plain> && !HasMemalign<MmapHeap>);
struct MemalignOfOne : Full {
  void* memalign(Size);
};
static_assert(!HasMemalign<MemalignOfOne>);
struct MemalignThatTells : Full {
  int memalign(Size, Size);
};
static_assert(!HasMemalign<MemalignThatTells>);
struct DeletedMemalign : Full {
  void memalign(Size, Size) = delete;
};
static_assert(!HasMemalign<DeletedMemalign>);

// HasTryExtend
static_assert(HasTryExtend<Full> && !HasTryExtend<Plain>);
struct TryExtendThatMoves : Full {
  void* try_extend(void*, Size);
};
static_assert(!HasTryExtend<TryExtendThatMoves>);
struct TryExtendWithoutSize : Full {
  bool try_extend(void*);
};
static_assert(!HasTryExtend<TryExtendWithoutSize>);

// HasOwns
static_assert(HasOwns<Full> && !HasOwns<Plain>);
struct OwnsChanges : Full {
  bool owns(const void*);
};
static_assert(!HasOwns<OwnsChanges>);
struct OwnsWritable : Full {
  bool owns(void*) const;
};
static_assert(!HasOwns<OwnsWritable>);
struct OwnsByNumber : Full {
  int owns(const void*) const;
};
static_assert(!HasOwns<OwnsByNumber>);

// HasClear
static_assert(HasClear<Full> && !HasClear<Plain> && !HasClear<MallocHeap>);
struct ClearThatTells : Full {
  bool clear();
};
static_assert(!HasClear<ClearThatTells>);
struct ClearOfPart : Full {
  void clear(Size);
};
static_assert(!HasClear<ClearOfPart>);

// HasTrim
static_assert(HasTrim<Full> && !HasTrim<Plain>);
struct TrimOfAll : Full {
  bool trim();
};
static_assert(!HasTrim<TrimOfAll>);
struct TrimThatTellsNothing : Full {
  void trim(Size);
};
static_assert(!HasTrim<TrimThatTellsNothing>);

// HasTake
struct Taking : Plain {
  void* take(Size);
};
static_assert(HasTake<Taking> && !HasTake<Plain>);
struct TakeOfAny : Taking {
  void* take();
};
static_assert(!HasTake<TakeOfAny>);
struct TakeThatTellsOnly : Taking {
  bool take(Size);
};
static_assert(!HasTake<TakeThatTellsOnly>);

// HasFootprint
static_assert(HasFootprint<Full> && !HasFootprint<Plain>);
struct FootprintInBytes : Full {
  Size footprint() const;
};
static_assert(!HasFootprint<FootprintInBytes>);
struct FootprintChanges : Full {
  Footprint footprint();
};
static_assert(!HasFootprint<FootprintChanges>);

// HasDiscardablePages
struct Discardable : Plain {
  static constexpr bool discardable = true;
};
static_assert(HasDiscardablePages<Discardable> && HasDiscardablePages<MmapHeap>);
static_assert(!HasDiscardablePages<Plain> && !HasDiscardablePages<MallocHeap>);
struct NotDiscardable : Plain {
  static constexpr bool discardable = false;
};
static_assert(!HasDiscardablePages<NotDiscardable>);
struct DiscardableByNumber : Plain {
  static constexpr int discardable = 1;
};
static_assert(!HasDiscardablePages<DiscardableByNumber>);
struct DiscardablePerObject : Plain {
  const bool discardable = true;
};
static_assert(!HasDiscardablePages<DiscardablePerObject>);
struct DiscardableByCall : Plain {
  static bool discardable();
};
static_assert(!HasDiscardablePages<DiscardableByCall>);

// HasHeader
static_assert(HasHeader<Full> && !HasHeader<Plain>);
struct HeaderByValue : Full {
  static Size header(void*);
};
static_assert(!HasHeader<HeaderByValue>);
struct HeaderOfObject : Full {
  Size& header(void*);
};
static_assert(!HasHeader<HeaderOfObject>);
struct DeletedHeader : Full {
  void header(void*) = delete;
};
static_assert(!HasHeader<DeletedHeader>);

// HasForkHooks
static_assert(HasForkHooks<Full> && !HasForkHooks<Plain>);
struct NoChildHook : Plain {
  void before_fork();
  void after_fork_in_parent();
};
static_assert(!HasForkHooks<NoChildHook>);
struct HookThatTells : Full {
  bool before_fork();
};
static_assert(!HasForkHooks<HookThatTells>);

TEST(Concepts, RejectWhatTheyMust) {
  SUCCEED() << "by compiling";
}

}  // namespace strata::rejection
