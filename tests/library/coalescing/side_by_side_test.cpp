/// Locked and unlocked heaps, and several over distinct ranges of memory, live side by side in one program; threads
/// use the locked ones at once; and each is deleted whole in one step, whichever goes first.

#include "library/conformance/supply.hpp"

#include <strata/heap/coalescing_kingsley_heap.hpp>
#include <strata/heap/kingsley_heap.hpp>
#include <strata/heap/lea_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/policy/locks.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/mmap_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <latch>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace strata::coalescing {
namespace {

using conformance::the_system;

using InRange = AnsiWrapper<LeaBlocks<{.growth = 16 * KiB}, BufferHeap>>;
using LockedInRange = AnsiWrapper<LockedHeap<Mutex, LeaBlocks<{.growth = 16 * KiB}, BufferHeap>>>;

struct Block {
  unsigned char* at;
  std::size_t size;
  unsigned char value;
};

/// A heap, what is in use in it, and where its blocks may lie.
class Inhabitant {
 public:
  explicit Inhabitant(std::string name, std::span<std::byte> range = {})
      : name_(std::move(name)), range_(range) {}
  virtual ~Inhabitant() = default;
  Inhabitant(const Inhabitant&) = delete;
  Inhabitant& operator=(const Inhabitant&) = delete;

  virtual void* malloc(std::size_t size) = 0;
  virtual void* realloc(void* block, std::size_t size) = 0;
  virtual void free(void* block) = 0;
  virtual bool owns(const void* address) const = 0;
  virtual std::size_t footprint() const = 0;
  /// Deletes the heap, with all that is in use in it.
  virtual void end() = 0;

  const std::string& name() const { return name_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  void live(unsigned seed, int steps) {
    std::minstd_rand random(seed);
    for (int i = 0; i < steps; ++i) {
      const std::size_t size = 1 + random() % (random() % 50 == 0 ? 200000 : random() % 5 == 0 ? 3000 : 100);
      if (blocks_.empty() || random() % 5 < 3) {
        add(malloc(size), size, static_cast<unsigned char>(random() % 255 + 1));
      } else if (random() % 4 == 0) {
        Block& block = blocks_[random() % blocks_.size()];
        const std::size_t kept = std::min(block.size, size);
        void* const moved = realloc(block.at, size);
        if (moved == nullptr) continue;
        block = {static_cast<unsigned char*>(moved), size, block.value};
        expect_filled(block, kept);
        std::memset(block.at, block.value, size);
      } else {
        std::swap(blocks_[random() % blocks_.size()], blocks_.back());
        expect_filled(blocks_.back(), blocks_.back().size);
        free(blocks_.back().at);
        blocks_.pop_back();
      }
    }
  }

  void expect_intact(const char* when) const {
    const std::size_t lost_before = lost_;
    for (const Block& block : blocks_) expect_filled(block, block.size);
    EXPECT_EQ(lost_, lost_before) << name_ << " " << when;
  }
  /// Counted, as threads may not report.
  std::size_t lost() const { return lost_; }

 private:
  void add(void* block, std::size_t size, unsigned char value) {
    if (block == nullptr) return;  // a range is full some day
    auto* const at = static_cast<unsigned char*>(block);
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(block) - range_.data());
    if (!range_.empty() && offset + size > range_.size()) ++lost_;
    std::memset(at, value, size);
    blocks_.push_back({at, size, value});
  }
  void expect_filled(const Block& block, std::size_t size) const {
    if (!std::all_of(block.at, block.at + size, [&](unsigned char each) { return each == block.value; }))
      ++lost_;
  }

  std::string name_;
  std::span<std::byte> range_;
  std::vector<Block> blocks_;
  mutable std::size_t lost_ = 0;
};

template <class Heap>
class InhabitantOf : public Inhabitant {
 public:
  template <class... Arguments>
  explicit InhabitantOf(const char* name, Arguments... arguments)
      : Inhabitant(name, arguments...), heap_(std::make_unique<Heap>(arguments...)) {}

  void* malloc(std::size_t size) override { return heap_->malloc(size); }
  void* realloc(void* block, std::size_t size) override { return heap_->realloc(block, size); }
  void free(void* block) override { heap_->free(block); }
  bool owns(const void* address) const override { return heap_->owns(address); }
  std::size_t footprint() const override { return heap_->footprint().current; }
  void end() override { heap_.reset(); }

 private:
  std::unique_ptr<Heap> heap_;
};

class SideBySide : public testing::Test {
 protected:
  static constexpr std::size_t range = 8 * MiB;

  void SetUp() override {
    the_system().begin();
    add<InRange>("LeaBlocks in a range", span(0));
    add<InRange>("LeaBlocks in another range", span(1));
    add<LockedInRange>("locked LeaBlocks in a third range", span(2));
    add<LeaHeap<>>("LeaHeap");
    add<LeaHeap<>>("another LeaHeap");
    add<LeaDropIn<>>("locked LeaHeap");
    add<LeaHeap<{}, MmapHeap>>("LeaHeap over MmapHeap");
    add<LeaDropIn<{}, MmapHeap>>("locked LeaHeap over MmapHeap");
    add<LeaDropIn<{}, MmapHeap>>("another locked LeaHeap over MmapHeap");
    add<CoalescingKingsleyHeap<>>("CoalescingKingsleyHeap");
    add<CoalescingKingsleyDropIn<{}, MmapHeap>>("locked CoalescingKingsleyHeap over MmapHeap");
    add<KingsleyHeap<>>("KingsleyHeap");
  }

  template <class Heap, class... Arguments>
  void add(const char* name, Arguments... arguments) {
    heaps.push_back(std::make_unique<InhabitantOf<Heap>>(name, arguments...));
  }
  std::span<std::byte> span(std::size_t number) { return {ranges.data() + number * range, range}; }

  /// What the heaps say that they have of the system, which knows.
  std::size_t footprints() const {
    return std::accumulate(heaps.begin() + 3, heaps.end(), std::size_t{0},
                           [](std::size_t sum, const auto& heap) { return sum + heap->footprint(); });
  }

  std::vector<std::byte> ranges = std::vector<std::byte>(3 * range);
  std::vector<std::unique_ptr<Inhabitant>> heaps;
};

TEST_F(SideBySide, EachOwnsItsBlocksAndNobodyElses) {
  for (const auto& heap : heaps) heap->live(1, 3000);
  EXPECT_EQ(footprints(), the_system().outstanding());
  for (const auto& heap : heaps) {
    heap->expect_intact("beside the others");
    EXPECT_EQ(heap->lost(), 0U) << heap->name();
    for (const auto& owner : heaps) {
      for (std::size_t i = 0; i < heap->blocks().size(); i += 16) {
        ASSERT_EQ(owner->owns(heap->blocks()[i].at), owner == heap)
            << owner->name() << " of " << heap->name();
      }
    }
  }
}

TEST_F(SideBySide, EachIsDeletedWholeInOneStep) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    for (const auto& heap : heaps) heap->live(seed, 2000);
    std::vector<std::size_t> order(heaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::minstd_rand(seed));
    std::vector<bool> gone(heaps.size());
    for (const std::size_t next : order) {
      const std::size_t before = the_system().outstanding();
      const std::size_t held = next < 3 ? 0 : heaps[next]->footprint();
      heaps[next]->end();
      gone[next] = true;
      EXPECT_EQ(the_system().outstanding(), before - held) << heaps[next]->name();
      for (std::size_t i = 0; i < heaps.size(); ++i) {
        if (!gone[i]) heaps[i]->expect_intact("after another was deleted");
      }
    }
    EXPECT_EQ(the_system().outstanding(), 0U);
    heaps.clear();
    SetUp();
  }
}

/// A range is as good as new once its heap is gone.
TEST_F(SideBySide, ARangeServesTheNextHeap) {
  for (unsigned round = 1; round <= 20; ++round) {
    InhabitantOf<InRange> heap("LeaBlocks in a used range", span(0));
    heap.live(round, 2000);
    heap.expect_intact("in a used range");
    EXPECT_EQ(heap.lost(), 0U);
    EXPECT_LE(heap.footprint(), range);
    EXPECT_GT(heap.blocks().size(), 100U);
  }
}

/// Two threads in each locked heap, while this one uses the others: no heap waits for another's lock or sees its blocks.
TEST_F(SideBySide, ThreadsUseTheLockedOnes) {
  // The one over the program break shares that with the heaps of this thread, and with the C library.
  const std::vector<std::size_t> locked = {2, 7, 8, 10};
  struct Guest : Inhabitant {
    explicit Guest(Inhabitant& host) : Inhabitant(host.name()), host_(host) {}
    void* malloc(std::size_t size) override { return host_.malloc(size); }
    void* realloc(void* block, std::size_t size) override { return host_.realloc(block, size); }
    void free(void* block) override { host_.free(block); }
    bool owns(const void* address) const override { return host_.owns(address); }
    std::size_t footprint() const override { return host_.footprint(); }
    void end() override {}
    Inhabitant& host_;
  };
  std::vector<std::unique_ptr<Guest>> guests;
  for (const std::size_t number : locked) {
    for (int i = 0; i < 2; ++i) guests.push_back(std::make_unique<Guest>(*heaps[number]));
  }
  std::latch ready(static_cast<std::ptrdiff_t>(guests.size()));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < guests.size(); ++i) {
    threads.emplace_back([&ready, &guest = *guests[i], seed = static_cast<unsigned>(i + 1)] {
      ready.arrive_and_wait();
      guest.live(seed, 3000);
    });
  }
  for (const std::size_t number : {0U, 1U, 6U}) heaps[number]->live(99, 3000);
  for (std::thread& thread : threads) thread.join();
  for (const auto& guest : guests) {
    guest->expect_intact("after the threads");
    EXPECT_EQ(guest->lost(), 0U) << guest->name();
  }
  EXPECT_EQ(footprints(), the_system().outstanding());
  for (const auto& heap : heaps) heap->end();
  EXPECT_EQ(the_system().outstanding(), 0U);
}

}  // namespace
}  // namespace strata::coalescing
