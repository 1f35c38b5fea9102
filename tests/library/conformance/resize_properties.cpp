/// What a heap that changes the size of a block promises.

#include "library/conformance/properties.hpp"
#include "library/conformance/shadow.hpp"
#include "library/conformance/workload.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <memory>

namespace strata::conformance {

/// An extension keeps the contents and really is there; a refusal changes nothing. The shadow checks both.
void check_try_extend(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  const std::size_t only = composition.traits.only_size;
  for (const std::size_t more : {0U, 1U, 8U, 16U, 40U, 100U, 5000U, 100000U}) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{24}, std::size_t{500}, 4 * KiB, 16 * KiB}) {
      if (only != 0 && (size != 500 || more > 16)) continue;
      // The middle one of three has a neighbour to run into; the last one has room behind it, if any has.
      void* const first = shadow.malloc(only != 0 ? only : size);
      void* const middle = shadow.malloc(only != 0 ? only : size);
      void* const last = shadow.malloc(only != 0 ? only : size);
      for (void* const block : {middle, last, first}) {
        if (block == nullptr || violations.enough()) return;
        const std::size_t extent = shadow.extent(block);
        violations.expect(shadow.try_extend(block, extent), "try_extend refuses what the block has already");
        shadow.try_extend(block, extent + more);
      }
    }
    shadow.check_all();
  }
  shadow.free_all();
  subject->destroy();
  expect_no_complaints(*subject, violations);
}

/// The shorter block keeps its contents, and what was behind them is of use again, to whomever.
void check_shrink(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  const std::size_t only = composition.traits.only_size;
  bool ever = false;
  for (const std::size_t size :
       {std::size_t{40}, std::size_t{100}, std::size_t{500}, 5 * KiB, 20 * KiB, 150 * KiB}) {
    for (const std::size_t part : {1U, 2U, 3U, 4U, 16U, 100U}) {
      if (violations.enough() || (only != 0 && size != 500)) continue;
      // The middle one of three has a neighbour; the last one may have room behind it.
      void* const first = shadow.malloc(only != 0 ? only : size);
      void* const middle = shadow.malloc(only != 0 ? only : size);
      void* const last = shadow.malloc(only != 0 ? only : size);
      for (void* const block : {last, middle, first}) {
        if (block == nullptr) return;
        const std::size_t before = shadow.extent(block);
        if (!shadow.shrink(block, std::max<std::size_t>((only != 0 ? only : size) / part, 1))) return;
        ever = ever || shadow.extent(block) < before;
        if (only == 0) shadow.malloc(1 + size / 3);
      }
      // What was freed once is as large as its next user asks.
      shadow.free(middle);
      shadow.malloc(only != 0 ? only : size);
      shadow.check_all();
    }
  }
  violations.expect(ever || only != 0 || !subject->has(Capability::usable_size),
                    "shrink never took anything back");
  shadow.free_all();
  subject->destroy();
  expect_no_complaints(*subject, violations);
}

/// A block that moves takes its contents along; one that cannot stays.
void check_remap(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  Shadow shadow(*subject, violations);
  const std::size_t only = composition.traits.only_size;
  bool ever = false;
  for (const bool refused : {false, true}) {
    for (const std::size_t size : {std::size_t{24}, 3 * KiB, 20 * KiB, 300 * KiB}) {
      for (const std::size_t next : {size / 2, size + 1, 2 * size, 5 * size}) {
        if (violations.enough() || next > composition.traits.largest) continue;
        void* const block = shadow.malloc(only != 0 ? only : size);
        if (block == nullptr) return;
        shadow.malloc(only != 0 ? only : 100);
        if (refused) subject->supply().refuse(1, true);
        const bool moved = shadow.remap(block, only != 0 ? only : next) != nullptr;
        subject->supply().refuse_none();
        ever = ever || moved;
      }
    }
    shadow.check_all();
    shadow.free_all();
  }
  violations.expect(ever, "remap never moved a block");
  subject->destroy();
  expect_all_returned(*subject, violations, "by the destructor after remap");
}

}  // namespace strata::conformance
