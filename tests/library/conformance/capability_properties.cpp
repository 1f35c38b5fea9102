/// What a capability promises, for the heaps that have it.

#include "library/conformance/properties.hpp"
#include "library/conformance/shadow.hpp"
#include "library/conformance/workload.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace strata::conformance {

namespace {

std::vector<std::size_t> sizes_beside_boundaries(const Traits& traits) {
  if (traits.only_size != 0) return {traits.only_size};
  return {1, 7, 16, 24, 40, 100, 256, 1000, 4096, 20000};
}

}  // namespace

/// Every boundary with every size; such blocks are written, extended, reallocated and freed as any other.
void check_memalign(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  const std::size_t largest_boundary = std::min(1 * MiB, composition.traits.largest / 4);
  for (int round = 0; round < 2; ++round) {
    Shadow shadow(*subject, violations);
    for (std::size_t boundary = 1; boundary <= largest_boundary; boundary *= 2) {
      for (const std::size_t size : sizes_beside_boundaries(composition.traits)) {
        if (violations.enough()) return;
        violations.expect(shadow.memalign(boundary, size) != nullptr, "no usable block from memalign(",
                          boundary, ", ", size, ")");
        shadow.malloc(size);
      }
      if (boundary >= 64 * KiB) shadow.free_all();
    }
    const bool one_size = composition.traits.only_size != 0;
    for (std::size_t i = 0; i < shadow.count() && !one_size; ++i) {
      void* const block = shadow.at(i);
      if (subject->has(Capability::try_extend)) shadow.try_extend(block, shadow.extent(block) + 1);
    }
    // Grown, shrunk and left alone; each may move to the end of the shadow's list.
    for (std::size_t i = 0; i < shadow.count() && subject->has(Capability::ansi); ++i) {
      void* const block = shadow.at(i);
      const std::size_t size = shadow.asked(block);
      shadow.realloc(block, i % 3 == 0 ? size * 2 : i % 3 == 1 ? std::max<std::size_t>(size / 4, 1) : size);
    }
    shadow.free_all();
  }
  if (composition.traits.only_size == 0) {
    violations.expect(subject->memalign(4 * KiB, PTRDIFF_MAX - 8 * KiB) == nullptr,
                      "memalign claims to have nearly PTRDIFF_MAX bytes");
  }
  subject->destroy();
  expect_no_complaints(*subject, violations);
}

/// What is said to read as zeros does, whatever was freed before it; and something is.
void check_zeroed(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  bool ever = false;
  for (int round = 0; round < 2; ++round) {
    for (const std::size_t size : telling_sizes(composition.traits)) {
      if (violations.enough()) return;
      void* const block = subject->malloc(size);
      if (block == nullptr) continue;
      if (subject->zeroed(block)) {
        ever = true;
        const auto* const bytes = static_cast<const unsigned char*>(block);
        violations.expect(std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0; }),
                          "a block of ", size, " that is told to be zeroed is not");
      }
      shadow.adopt(block, size);
      if (round % 2 == 1) shadow.free(block);
    }
    shadow.free_all();
  }
  violations.expect(ever, "no block was ever told to be zeroed");
}

/// Nothing but what was freed, as large as asked, once each, and without asking the supply.
void check_take(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  violations.expect(subject->take(24) == nullptr, "take found a block in a fresh heap");
  bool ever = false;
  for (const std::size_t size : {std::size_t{24}, std::size_t{100}, std::size_t{1000}, 5 * KiB}) {
    std::vector<void*> blocks;
    for (std::size_t i = 0; i < 8; ++i) blocks.push_back(shadow.malloc(size + 16 * i));
    if (std::find(blocks.begin(), blocks.end(), nullptr) != blocks.end()) return;
    // What lies between is in use.
    for (std::size_t i = 0; i < 8; i += 2) shadow.free(blocks[i]);
    const std::size_t requests = subject->supply().requests();
    for (std::size_t i = 0; i < 8 && !violations.enough(); ++i) {
      void* const taken = subject->take(size);
      if (taken == nullptr) continue;
      ever = true;
      violations.expect(std::find(blocks.begin(), blocks.end(), taken) != blocks.end(),
                        "take gave what had not been freed");
      shadow.adopt(taken, size);
    }
    violations.expect(subject->supply().requests() == requests, "take asked the supply");
    shadow.free_all();
  }
  violations.expect(ever, "take never found a block");
}

/// A freed block that is taken out of its place is nobody else's until it is freed again; in any order.
void check_remove(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  const std::size_t only = composition.traits.only_size;
  for (const std::size_t first : {0U, 1U, 2U, 3U, 7U}) {
    std::vector<void*> blocks;
    const auto size_of = [&](std::size_t i) { return only != 0 ? only : 32 + 24 * i; };
    for (std::size_t i = 0; i < 8; ++i) blocks.push_back(shadow.malloc(size_of(i)));
    if (std::find(blocks.begin(), blocks.end(), nullptr) != blocks.end() || violations.enough()) return;
    for (void* const block : blocks) shadow.free(block);
    for (std::size_t i = first; i < 8; i += 3) shadow.remove(blocks[i], size_of(i));
    for (std::size_t i = 0; i < 8; ++i) shadow.malloc(size_of(i));
    shadow.check_all();
    shadow.free_all();
  }
  subject->destroy();
  expect_all_returned(*subject, violations, "by the destructor after remove");
}

void check_owns(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  const auto other = composition.make();
  Shadow shadow(*subject, violations);
  Shadow others(*other, violations);
  std::vector<std::byte> elsewhere(100);
  violations.expect(!subject->owns(nullptr), "owns null");
  violations.expect(!subject->owns(elsewhere.data()), "owns the memory of somebody else");
  for (const std::size_t size : telling_sizes(composition.traits)) {
    if (violations.enough()) return;
    void* const block = shadow.malloc(size);
    void* const foreign = others.malloc(size);
    if (block == nullptr || foreign == nullptr) continue;
    violations.expect(subject->owns(block), "does not own a block of ", size);
    violations.expect(subject->owns(bytes_at(block) + size - 1), "does not own the end of a block of ", size);
    violations.expect(!subject->owns(foreign), "owns the block of another heap of its type");
    violations.expect(!subject->owns(nullptr), "owns null");
    violations.expect(!subject->owns(&size), "owns the stack");
  }
  shadow.free_all();
  others.free_all();
}

/// Trim returns memory if it says so, and disturbs nothing.
void check_trim(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Supply& supply = subject->supply();
  violations.expect(!subject->trim(0), "trim of a fresh heap claims to have returned memory");
  Workload workload(*subject, violations, fit({.seed = 7}, composition.traits));
  bool ever = false;
  for (int round = 0; round < 20 && !violations.enough(); ++round) {
    for (int i = 0; i < 100; ++i) workload.step();
    if (round % 4 == 3) workload.shadow().free_all();
    for (const std::size_t keep : {64 * KiB, std::size_t{0}}) {
      const std::size_t before = supply.outstanding();
      const bool trimmed = subject->trim(keep);
      ever = ever || trimmed;
      if (!supply.watched()) continue;
      violations.expect(trimmed == (supply.outstanding() < before), "trim says ", trimmed, " but held ",
                        before, " bytes before and ", supply.outstanding(), " after");
    }
    workload.shadow().check_all();
  }
  violations.expect(ever, "trim never returned anything");
}

/// The footprint is what the supply counts, now and at its most.
void check_footprint(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  const Supply& supply = subject->supply();
  Workload workload(*subject, violations, fit({.seed = 11}, composition.traits));
  std::size_t most = 0;
  const auto compare = [&] {
    const Footprint footprint = subject->footprint();
    most = std::max(most, footprint.current);
    violations.expect(footprint.peak >= most, "the peak is below what the footprint was");
    if (supply.watched()) {
      violations.expect(footprint.current == supply.outstanding(), "the footprint tells ", footprint.current,
                        " where ", supply.outstanding(), " bytes are held");
      violations.expect(footprint.peak == supply.peak(), "the footprint's peak tells ", footprint.peak,
                        " where ", supply.peak(), " bytes were held");
    } else {
      violations.expect(footprint.current >= workload.shadow().bytes_asked(), "the footprint tells ",
                        footprint.current, " with more in use");
    }
  };
  compare();
  for (int i = 0; i < 1500 && !violations.enough(); ++i) {
    workload.step();
    compare();
    if (i % 500 == 499) {
      workload.shadow().free_all();
      compare();
    }
  }
  if (subject->has(Capability::clear)) {
    subject->clear();
    violations.expect(subject->footprint().current == 0, "the footprint is not 0 after clear");
    violations.expect(subject->footprint().peak >= most, "clear forgot the peak");
  }
}

}  // namespace strata::conformance
