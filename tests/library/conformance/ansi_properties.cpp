/// The C standard's corner cases, for heaps that face a program.

#include "library/conformance/properties.hpp"
#include "library/conformance/shadow.hpp"
#include "library/conformance/workload.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>

namespace strata::conformance {

namespace {

constexpr std::size_t too_much = std::size_t{PTRDIFF_MAX} + 1;
constexpr std::size_t huge[] = {PTRDIFF_MAX - 64, PTRDIFF_MAX,   too_much,
                                SIZE_MAX - 4096,  SIZE_MAX - 15, SIZE_MAX};

}  // namespace

/// 0 bytes, far too many bytes, and null.
void check_edges(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  void* const empty = shadow.malloc(0);
  violations.expect(empty != nullptr, "malloc(0) gave no block");
  violations.expect(shadow.malloc(0) != empty, "malloc(0) gave one block twice");
  shadow.free_all();
  for (const std::size_t size : huge) {
    violations.expect(subject->malloc(size) == nullptr, "malloc(", size, ") gave a block");
    violations.expect(subject->calloc(1, size) == nullptr, "calloc(1, ", size, ") gave a block");
    violations.expect(subject->calloc(size, 2) == nullptr, "calloc(", size, ", 2) gave a block");
    violations.expect(subject->realloc(nullptr, size) == nullptr, "realloc(null, ", size, ") gave a block");
    if (subject->has(Capability::memalign)) {
      violations.expect(subject->memalign(64, size) == nullptr, "memalign(64, ", size, ") gave a block");
      violations.expect(subject->memalign(too_much, 1) == nullptr, "memalign(2^63, 1) gave a block");
      violations.expect(subject->memalign(too_much / 2, size) == nullptr, "memalign(2^62, ", size,
                        ") gave a block");
    }
    void* const block = shadow.malloc(100);
    violations.expect(shadow.realloc(block, size) == nullptr, "realloc(100 -> ", size, ") gave a block");
    if (subject->has(Capability::try_extend)) {
      violations.expect(!subject->try_extend(block, size), "try_extend to ", size, " claims to have worked");
    }
    shadow.free_all();
  }
  if (subject->has(Capability::memalign)) {
    violations.expect(shadow.memalign(64, 0) != nullptr, "memalign(64, 0) gave no block");
    shadow.free_all();
  }
  if (subject->has(Capability::usable_size)) {
    violations.expect(subject->usable_size(nullptr) == 0, "null has a usable size");
  }
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{500}, 64 * KiB, std::min(composition.traits.largest, MiB)}) {
    void* const block = subject->malloc(size);
    errno = 1234;
    subject->free(block);
    violations.expect(errno == 1234, "free of ", size, " bytes changed errno");
  }
  errno = 1234;
  subject->free(nullptr);
  violations.expect(errno == 1234, "free of null changed errno");
  subject->destroy();
  expect_no_complaints(*subject, violations);
}

/// Calloc zeroes what others have used before.
void check_calloc(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  for (const std::size_t size : telling_sizes(composition.traits)) {
    for (int i = 0; i < 3; ++i) shadow.malloc(size);
    shadow.free_all();
    for (int i = 0; i < 3 && !violations.enough(); ++i) {
      const std::size_t count = size % 3 == 0 ? 3 : 1;
      violations.expect(shadow.calloc(count, size / count) != nullptr, "calloc of ", size, " bytes failed");
    }
    shadow.free_all();
  }
  violations.expect(shadow.calloc(0, 8) != nullptr && shadow.calloc(8, 0) != nullptr,
                    "calloc of nothing gave no block");
  violations.expect(subject->calloc((std::size_t{1} << 63) + 8, 2) == nullptr,
                    "calloc overlooked an overflow");
  shadow.free_all();
}

/// Growing and shrinking through every size keeps the contents; one that fails keeps the block.
void check_realloc(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  const std::vector<std::size_t> sizes = telling_sizes(composition.traits);
  void* const fresh = subject->realloc(nullptr, 24);
  violations.expect(fresh != nullptr, "realloc of null gave no block");
  subject->free(fresh);
  void* block = shadow.malloc(1);
  const auto to = [&](std::size_t size) {
    shadow.malloc(size / 2 + 1);  // so that it is not always the last one
    void* const moved = shadow.realloc(block, size);
    if (!violations.expect(moved != nullptr, "realloc to ", size, " failed")) return;
    block = moved;
  };
  std::for_each(sizes.begin(), sizes.end(), to);
  std::for_each(sizes.rbegin(), sizes.rend(), to);
  for (std::size_t i = 0; i < sizes.size(); ++i) to(sizes[i * 7 % sizes.size()]);
  shadow.free_all();

  void* const emptied = subject->realloc(subject->malloc(100), 0);
  violations.expect(emptied != nullptr, "realloc to 0 gave no block");
  subject->free(emptied);

  if (!subject->supply().watched()) return;
  for (const std::size_t size : sizes) {
    if (violations.enough()) return;
    void* const kept = shadow.malloc(size);
    if (kept == nullptr) continue;
    subject->supply().refuse(1, true);
    // The shadow checks that a block whose realloc failed is as it was, in use and its owner's.
    for (const std::size_t wanted : {size * 4, size * 2, size + 1, size, size / 3 + 1}) {
      void* const now = shadow.realloc(shadow.at(0), wanted);
      violations.expect(now != nullptr || wanted > size, "realloc failed to shrink a block where it lies");
    }
    subject->supply().refuse_none();
    shadow.free_all();
  }
  subject->destroy();
  expect_no_complaints(*subject, violations);
}

}  // namespace strata::conformance
