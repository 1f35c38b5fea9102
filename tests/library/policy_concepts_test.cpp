/// The concepts of policies, Lock and SizeClasses, with types that they must reject (see concepts_test.cpp).

#include <strata/combine/seg_heap.hpp>
#include <strata/contract/lock.hpp>
#include <strata/contract/size_classes.hpp>
#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/coalesce_heap.hpp>
#include <strata/layer/coalesceable_heap.hpp>
#include <strata/layer/dl_list.hpp>
#include <strata/layer/size_heap.hpp>
#include <strata/policy/boundary_tags.hpp>
#include <strata/policy/locks.hpp>
#include <strata/policy/size_class_maps.hpp>
#include <strata/source/malloc_heap.hpp>
#include <strata/source/mmap_heap.hpp>
#include <strata/source/null_heap.hpp>

#include <gtest/gtest.h>

#include <cstddef>

// Named, because an unnamed namespace would have to define all this.
namespace strata::rejection {

using Size = std::size_t;

struct SoundClasses {
  static constexpr Size count = 4;
  static constexpr Size class_of(Size size) { return (size - 1) / 16; }
  static constexpr Size size_of(Size index) { return (index + 1) * 16; }
};

struct ClassOfAtRunTime {
  static constexpr Size count = 4;
  static Size class_of(Size size);
  static constexpr Size size_of(Size index) { return (index + 1) * 16; }
};

// Lock
struct SoundLock {
  bool elided();
  void lock();
  void unlock();
  void before_fork();
  void after_fork_in_parent();
  void after_fork_in_child();
};
static_assert(Lock<SoundLock> && Lock<NoLock> && Lock<Mutex> && Lock<ElidedLock>);
static_assert(!Lock<int> && !Lock<SoundClasses>);
struct LockThatTries : SoundLock {
  bool lock();
};
static_assert(!Lock<LockThatTries>);
struct ElidedByNumber : SoundLock {
  int elided();
};
static_assert(!Lock<ElidedByNumber>);
class PrivateUnlock : public SoundLock {
  void unlock();
};
static_assert(!Lock<PrivateUnlock>);
struct LockWithoutForks {
  bool elided();
  void lock();
  void unlock();
};
static_assert(!Lock<LockWithoutForks>);

// SizeClasses
static_assert(SizeClasses<SoundClasses> && SizeClasses<PowerOfTwoClasses<>> &&
              SizeClasses<SteppedClasses<16>>);
static_assert(!SizeClasses<int> && !SizeClasses<SoundLock>);
struct NoClasses : SoundClasses {
  static constexpr Size count = 0;
};
static_assert(!SizeClasses<NoClasses>);
struct ClassesInInt : SoundClasses {
  static constexpr int count = 4;
};
static_assert(!SizeClasses<ClassesInInt>);
struct ClassesPerObject : SoundClasses {
  const Size count = 4;
};
static_assert(!SizeClasses<ClassesPerObject>);
static_assert(!SizeClasses<ClassOfAtRunTime>);
struct ClassOfInInt : SoundClasses {
  static constexpr int class_of(Size size) { return static_cast<int>((size - 1) / 16); }
};
static_assert(!SizeClasses<ClassOfInInt>);
struct ClassOfDisagrees : SoundClasses {
  static constexpr Size class_of(Size size) { return size / 16; }
};
static_assert(!SizeClasses<ClassOfDisagrees>);
struct NoEnd : SoundClasses {
  static constexpr Size class_of(Size size) { return size > 64 ? 3 : (size - 1) / 16; }
};
static_assert(!SizeClasses<NoEnd>);
static_assert(!SizeClasses<PowerOfTwoClasses<62>>, "the largest size does not fit into a size_t");

// HasBoundaryTags
using Tagged = CoalesceableHeap<4096, MmapHeap>;
using TaggedBins = SegHeap<PowerOfTwoClasses<>, AdaptHeap<DLList, NullHeap>, 0, Tagged>;
static_assert(HasBoundaryTags<Tagged> && HasBoundaryTags<TaggedBins>);
static_assert(!HasBoundaryTags<BoundaryTags> && !HasBoundaryTags<SizeHeap<MallocHeap>>);
// Its blocks are its user's: none may be handed back past it.
static_assert(!HasBoundaryTags<CoalesceHeap<TaggedBins>>);
struct TagsOfItsOwn {
  void* cut(Size);
  bool give_back(void*);
  void* remnant();
};
static_assert(!HasBoundaryTags<TagsOfItsOwn>);
struct CutOfAny : Tagged {
  void* cut();
};
static_assert(!HasBoundaryTags<CutOfAny>);
struct GiveBackThatTellsNothing : Tagged {
  void give_back(void*);
};
static_assert(!HasBoundaryTags<GiveBackThatTellsNothing>);
struct RemnantThatTellsOnly : Tagged {
  bool remnant();
};
static_assert(!HasBoundaryTags<RemnantThatTellsOnly>);

TEST(PolicyConcepts, RejectWhatTheyMust) {
  SUCCEED() << "by compiling";
}

}  // namespace strata::rejection
