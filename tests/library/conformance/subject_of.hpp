/// Makes a Subject of any heap, and a Composition of its type, its traits and a way to construct it.
#pragma once

#include "library/conformance/subject.hpp"
#include "library/conformance/supply.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <set>
#include <span>
#include <utility>

namespace strata::conformance {

template <class H>
concept HasAnsi = requires(H& heap, void* block, std::size_t n) {
  { heap.calloc(n, n) } -> std::same_as<void*>;
  { heap.realloc(block, n) } -> std::same_as<void*>;
};

template <class H>
std::set<Capability> capabilities_of() {
  std::set<Capability> all;
  const auto add = [&](bool has, Capability capability) {
    if (has) all.insert(capability);
  };
  add(HasUsableSize<H>, Capability::usable_size);
  add(HasMemalign<H>, Capability::memalign);
  add(HasTryExtend<H>, Capability::try_extend);
  add(HasShrink<H>, Capability::shrink);
  add(HasRemap<H>, Capability::remap);
  add(HasZeroed<H>, Capability::zeroed);
  add(HasTake<H>, Capability::take);
  add(HasRemove<H>, Capability::remove);
  add(HasOwns<H>, Capability::owns);
  add(HasClear<H>, Capability::clear);
  add(HasTrim<H>, Capability::trim);
  add(HasFootprint<H>, Capability::footprint);
  add(HasForkHooks<H>, Capability::fork_hooks);
  add(HasAnsi<H>, Capability::ansi);
  return all;
}

// A stand holds a heap together with what it is constructed with: heap(), destroy(), supply(), and reset(), which
// clears what the heap does not own.

/// The heap's source takes a Ledger.
template <class H>
class OverLedger {
 public:
  H& heap() { return *heap_; }
  void destroy() { heap_.reset(); }
  void reset() {}
  Supply& supply() { return ledger_; }

 private:
  Ledger ledger_;
  std::unique_ptr<H> heap_ = std::make_unique<H>(ledger_);
};

/// The heap refers to a source that somebody else owns.
template <class H, class Source>
class OverShared {
 public:
  H& heap() { return *heap_; }
  void destroy() { heap_.reset(); }
  void reset() {
    if constexpr (HasClear<Source>) source_.clear();
  }
  Supply& supply() { return ledger_; }

 private:
  Ledger ledger_;
  Source source_{ledger_};
  std::unique_ptr<H> heap_ = std::make_unique<H>(source_);
};

/// The heap takes its memory from the system.
template <class H>
class OverSystem {
 public:
  OverSystem() {
    the_system().begin();
    heap_ = std::make_unique<H>();
  }
  H& heap() { return *heap_; }
  void destroy() { heap_.reset(); }
  void reset() {}
  Supply& supply() { return the_system(); }

 private:
  std::unique_ptr<H> heap_;
};

/// The heap takes its memory from where the suite cannot look.
template <class H>
class OverUnseen {
 public:
  OverUnseen() { supply_.unwatched(); }
  H& heap() { return *heap_; }
  void destroy() { heap_.reset(); }
  void reset() {}
  Supply& supply() { return supply_; }

 private:
  Supply supply_;
  std::unique_ptr<H> heap_ = std::make_unique<H>();
};

/// The heap is given a buffer, which begins at an odd address. It cannot be refused, only full.
template <class H, std::size_t Bytes>
class OverBuffer {
 public:
  OverBuffer() { supply_.unwatched(); }
  H& heap() { return *heap_; }
  void destroy() { heap_.reset(); }
  void reset() {}
  Supply& supply() { return supply_; }

 private:
  Supply supply_;
  std::unique_ptr<std::byte[]> buffer_ = std::make_unique_for_overwrite<std::byte[]>(Bytes + 1);
  std::unique_ptr<H> heap_ = std::make_unique<H>(std::span<std::byte>(buffer_.get() + 1, Bytes));
};

template <class H, class Stand>
class SubjectOf final : public Subject {
 public:
  using Subject::Subject;

  std::set<Capability> capabilities() const override { return capabilities_of<H>(); }
  std::size_t alignment() const override { return H::alignment; }
  std::size_t alignment_offset() const override { return H::alignment_offset; }

  void* malloc(std::size_t size) override { return heap().malloc(size); }
  void free(void* block) override { heap().free(block); }
  std::size_t usable_size(void* block) override {
    if constexpr (HasUsableSize<H>) return heap().usable_size(block);
    std::abort();
  }
  void* memalign(std::size_t boundary, std::size_t size) override {
    if constexpr (HasMemalign<H>) return heap().memalign(boundary, size);
    std::abort();
  }
  bool try_extend(void* block, std::size_t size) override {
    if constexpr (HasTryExtend<H>) return heap().try_extend(block, size);
    std::abort();
  }
  void shrink(void* block, std::size_t size) override {
    if constexpr (HasShrink<H>) return heap().shrink(block, size);
    std::abort();
  }
  void* remap(void* block, std::size_t size) override {
    if constexpr (HasRemap<H>) return heap().remap(block, size);
    std::abort();
  }
  bool zeroed(void* block) override {
    if constexpr (HasZeroed<H>) return heap().zeroed(block);
    std::abort();
  }
  void* take(std::size_t size) override {
    if constexpr (HasTake<H>) return heap().take(size);
    std::abort();
  }
  void remove(void* block) override {
    if constexpr (HasRemove<H>) return heap().remove(block);
    std::abort();
  }
  bool owns(const void* address) const override {
    if constexpr (HasOwns<H>) return std::as_const(heap()).owns(address);
    std::abort();
  }
  void clear() override {
    if constexpr (HasClear<H>) {
      heap().clear();
      stand_.reset();
    } else {
      std::abort();
    }
  }
  bool trim(std::size_t keep) override {
    if constexpr (HasTrim<H>) return heap().trim(keep);
    std::abort();
  }
  Footprint footprint() const override {
    if constexpr (HasFootprint<H>) return std::as_const(heap()).footprint();
    std::abort();
  }
  void before_fork() override {
    if constexpr (HasForkHooks<H>) heap().before_fork();
  }
  void after_fork_in_parent() override {
    if constexpr (HasForkHooks<H>) heap().after_fork_in_parent();
  }
  void after_fork_in_child() override {
    if constexpr (HasForkHooks<H>) heap().after_fork_in_child();
  }
  void* calloc(std::size_t count, std::size_t size) override {
    if constexpr (HasAnsi<H>) return heap().calloc(count, size);
    std::abort();
  }
  void* realloc(void* block, std::size_t size) override {
    if constexpr (HasAnsi<H>) return heap().realloc(block, size);
    std::abort();
  }

  void destroy() override { stand_.destroy(); }
  Supply& supply() override { return stand_.supply(); }

 private:
  H& heap() const { return stand_.heap(); }

  mutable Stand stand_;
};

template <class H, class Stand>
Composition compose(Traits traits) {
  return {std::move(traits),
          [](const Traits& known) { return std::make_unique<SubjectOf<H, Stand>>(known); }};
}

template <class H>
Composition over_ledger(Traits traits) {
  return compose<H, OverLedger<H>>(std::move(traits));
}

template <class H, class Source>
Composition over_shared(Traits traits) {
  return compose<H, OverShared<H, Source>>(std::move(traits));
}

template <class H>
Composition over_system(Traits traits) {
  return compose<H, OverSystem<H>>(std::move(traits));
}

template <class H>
Composition over_unseen(Traits traits) {
  return compose<H, OverUnseen<H>>(std::move(traits));
}

template <class H, std::size_t Bytes>
Composition over_buffer(Traits traits) {
  return compose<H, OverBuffer<H, Bytes>>(std::move(traits));
}

}  // namespace strata::conformance
