#include "library/conformance/compositions.hpp"
#include "library/conformance/subject_of.hpp"
#include "library/conformance/test_source.hpp"

#include <strata/heap/bump_heap.hpp>
#include <strata/heap/coalescing_kingsley_heap.hpp>
#include <strata/heap/kingsley_heap.hpp>
#include <strata/heap/lea_heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/mmap_heap.hpp>

#include <initializer_list>
#include <set>
#include <vector>

namespace strata::conformance {

namespace {

using enum Capability;

using Rich = RichSource<0>;

constexpr KingsleyTunables small = {.chunk = 4096, .growth = 8192, .steps = 1};
constexpr LeaTunables nervous = {.hold = 4 * KiB,
                                 .flush_from = 1 * KiB,
                                 .steps = 1,
                                 .mmap_threshold = 16 * KiB,
                                 .mmap_limit = 16 * KiB,
                                 .growth = 4 * KiB};
constexpr LeaTunables calm = {.quick = 512,
                              .hold = 64 * MiB,
                              .flush_from = 1 * MiB,
                              .steps = 64,
                              .mmap_threshold = 256 * KiB,
                              .growth = 1 * MiB};
constexpr CoalescingKingsleyTunables narrow = {.scan = 1, .growth = 4 * KiB};
constexpr KingsleyTunables stepped = {.chunk = 16384, .growth = 65536, .steps = 4};

std::set<Capability> with(std::set<Capability> all, std::initializer_list<Capability> more) {
  all.insert(more);
  return all;
}

}  // namespace

const std::vector<Composition>& finished_heaps() {
  static const std::set<Capability> kingsley = {usable_size, memalign, owns, clear, footprint, ansi};
  static const std::set<Capability> coalescing = with(kingsley, {try_extend, shrink});
  static const std::vector<Composition> list = {
      over_system<KingsleyHeap<>>({.name = "KingsleyHeap",
                                   .files = {"heap/kingsley_heap.hpp"},
                                   .capabilities = with(kingsley, {trim}),
                                   .takes_all_with_it = true}),
      over_system<KingsleyHeap<small>>({.name = "KingsleyHeap with small chunks",
                                        .files = {"heap/kingsley_heap.hpp"},
                                        .capabilities = with(kingsley, {trim}),
                                        .takes_all_with_it = true,
                                        .variant = true}),
      over_system<KingsleyHeap<stepped>>({.name = "KingsleyHeap with steps",
                                          .files = {"heap/kingsley_heap.hpp"},
                                          .capabilities = with(kingsley, {trim}),
                                          .takes_all_with_it = true,
                                          .variant = true}),
      over_system<KingsleyHeap<{}, MmapHeap>>({.name = "KingsleyHeap over MmapHeap",
                                               .files = {"heap/kingsley_heap.hpp"},
                                               .capabilities = kingsley,
                                               .takes_all_with_it = true,
                                               .variant = true}),
      over_ledger<KingsleyHeap<small, Rich>>({.name = "KingsleyHeap over a given source",
                                              .files = {"heap/kingsley_heap.hpp"},
                                              .capabilities = kingsley,
                                              .variant = true}),
      over_buffer<KingsleyHeap<small, BufferHeap>, 128 * MiB>({.name = "KingsleyHeap in a buffer",
                                                               .files = {"heap/kingsley_heap.hpp"},
                                                               .capabilities = kingsley,
                                                               .takes_all_with_it = true,
                                                               .variant = true}),
      // Not thread_safe in here, where the C library moves the break too; its drop-in is tested as one.
      over_system<KingsleyDropIn<>>({.name = "KingsleyDropIn",
                                     .files = {"heap/kingsley_heap.hpp"},
                                     .capabilities = with(kingsley, {trim, fork_hooks}),
                                     .takes_all_with_it = true}),
      over_system<KingsleyDropIn<stepped, MmapHeap>>({.name = "KingsleyDropIn over MmapHeap",
                                                      .files = {"heap/kingsley_heap.hpp"},
                                                      .capabilities = with(kingsley, {fork_hooks}),
                                                      .takes_all_with_it = true,
                                                      .thread_safe = true,
                                                      .variant = true}),
      over_system<BumpHeap<>>({.name = "BumpHeap",
                               .files = {"heap/bump_heap.hpp"},
                               .capabilities = kingsley,
                               .reuses = false,
                               .takes_all_with_it = true}),
      over_system<BumpHeap<{.chunk = 4096}>>({.name = "BumpHeap with small chunks",
                                              .files = {"heap/bump_heap.hpp"},
                                              .capabilities = kingsley,
                                              .reuses = false,
                                              .takes_all_with_it = true,
                                              .variant = true}),
      over_system<BumpDropIn<>>({.name = "BumpDropIn",
                                 .files = {"heap/bump_heap.hpp"},
                                 .capabilities = with(kingsley, {fork_hooks}),
                                 .reuses = false,
                                 .takes_all_with_it = true,
                                 .thread_safe = true}),
      over_system<CoalescingKingsleyHeap<>>({.name = "CoalescingKingsleyHeap",
                                             .files = {"heap/coalescing_kingsley_heap.hpp"},
                                             .capabilities = with(coalescing, {trim}),
                                             .takes_all_with_it = true}),
      over_system<CoalescingKingsleyDropIn<>>({.name = "CoalescingKingsleyDropIn",
                                               .files = {"heap/coalescing_kingsley_heap.hpp"},
                                               .capabilities = with(coalescing, {trim, fork_hooks}),
                                               .takes_all_with_it = true}),
      over_system<LeaHeap<>>({.name = "LeaHeap",
                              .files = {"heap/lea_heap.hpp"},
                              .capabilities = with(coalescing, {trim, remap, zeroed}),
                              .takes_all_with_it = true}),
      over_system<LeaDropIn<>>({.name = "LeaDropIn",
                                .files = {"heap/lea_heap.hpp"},
                                .capabilities = with(coalescing, {trim, remap, zeroed, fork_hooks}),
                                .takes_all_with_it = true}),
      over_system<CoalescingKingsleyHeap<narrow, MmapHeap>>({.name = "CoalescingKingsleyHeap over MmapHeap",
                                                             .files = {"heap/coalescing_kingsley_heap.hpp"},
                                                             .capabilities = with(coalescing, {trim}),
                                                             .takes_all_with_it = true,
                                                             .variant = true}),
      over_ledger<CoalescingKingsleyHeap<narrow, BareSource<0>>>(
          {.name = "CoalescingKingsleyHeap over a bare source",
           .files = {"heap/coalescing_kingsley_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, shrink, ansi},
           .takes_all_with_it = true,
           .variant = true}),
      over_buffer<CoalescingKingsleyHeap<{}, BufferHeap>, 128 * MiB>(
          {.name = "CoalescingKingsleyHeap in a buffer",
           .files = {"heap/coalescing_kingsley_heap.hpp"},
           .capabilities = with(coalescing, {trim}),
           .takes_all_with_it = true,
           .variant = true}),
      over_system<CoalescingKingsleyDropIn<{}, MmapHeap>>(
          {.name = "CoalescingKingsleyDropIn over MmapHeap",
           .files = {"heap/coalescing_kingsley_heap.hpp"},
           .capabilities = with(coalescing, {trim, fork_hooks}),
           .takes_all_with_it = true,
           .thread_safe = true,
           .variant = true}),
      over_system<LeaHeap<nervous>>({.name = "LeaHeap of small thresholds",
                                     .files = {"heap/lea_heap.hpp"},
                                     .capabilities = with(coalescing, {trim, remap, zeroed}),
                                     .takes_all_with_it = true,
                                     .variant = true}),
      over_system<LeaHeap<calm, MmapHeap>>({.name = "LeaHeap of large thresholds over MmapHeap",
                                            .files = {"heap/lea_heap.hpp"},
                                            .capabilities = with(coalescing, {trim, remap, zeroed}),
                                            .takes_all_with_it = true,
                                            .variant = true}),
      over_ledger<AnsiWrapper<LeaBlocks<nervous, Rich>>>({.name = "LeaBlocks over a given source",
                                                          .files = {"heap/lea_heap.hpp"},
                                                          .capabilities = with(coalescing, {trim}),
                                                          .takes_all_with_it = true,
                                                          .variant = true}),
      over_ledger<AnsiWrapper<LeaBlocks<{}, BareSource<0>>>>(
          {.name = "LeaBlocks over a bare source",
           .files = {"heap/lea_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, shrink, ansi},
           .takes_all_with_it = true,
           .variant = true}),
      over_buffer<AnsiWrapper<LeaBlocks<{}, BufferHeap>>, 128 * MiB>(
          {.name = "LeaBlocks in a buffer",
           .files = {"heap/lea_heap.hpp"},
           .capabilities = with(coalescing, {trim}),
           .takes_all_with_it = true,
           .variant = true}),
      over_system<LeaDropIn<{}, MmapHeap>>(
          {.name = "LeaDropIn over MmapHeap",
           .files = {"heap/lea_heap.hpp"},
           .capabilities = with(coalescing, {trim, remap, zeroed, fork_hooks}),
           .takes_all_with_it = true,
           .thread_safe = true,
           .variant = true}),
  };
  return list;
}

}  // namespace strata::conformance
