/// The layers that coalescing heaps are made of, over every kind of source: with and without capabilities, counted
/// and refusing.

#include "library/conformance/compositions.hpp"
#include "library/conformance/subject_of.hpp"
#include "library/conformance/test_source.hpp"

#include <strata/combine/hybrid_heap.hpp>
#include <strata/combine/seg_heap.hpp>
#include <strata/combine/select_mmap_heap.hpp>
#include <strata/combine/threshold_heap.hpp>
#include <strata/layer/adapt_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/coalesce_heap.hpp>
#include <strata/layer/coalesceable_heap.hpp>
#include <strata/layer/dl_list.hpp>
#include <strata/layer/freelist_heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/layer/size_heap.hpp>
#include <strata/layer/unique_heap.hpp>
#include <strata/platform/arithmetic.hpp>
#include <strata/platform/pages.hpp>
#include <strata/policy/locks.hpp>
#include <strata/policy/size_class_maps.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/mmap_heap.hpp>
#include <strata/source/null_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

#include <vector>

namespace strata::conformance {

namespace {

using enum Capability;

using Bare = BareSource<0>;
using Rich = RichSource<0>;
using RichAt8 = RichSource<8>;

using Bin = AdaptHeap<DLList, NullHeap>;
using Fine = ClassesFrom<SteppedClasses<8>, 24>;
using Coarse = ClassesFrom<PowerOfTwoClasses<20>, 16>;

template <class Source>
using Medium = CoalesceHeap<SegHeap<Fine, Bin, 4, CoalesceableHeap<8 * KiB, Source>>>;
template <class Source>
using CoarseMedium = CoalesceHeap<SegHeap<Coarse, Bin, 16, CoalesceableHeap<256, Source>>>;
template <std::size_t FlushFrom, std::size_t Hold, class Super>
using Quick = ThresholdHeap<GranuleClasses<24, 64>, FreelistHeap<NullHeap>, FlushFrom, Hold, Super>;

template <class Source>
using Hybrid = HybridHeap<256, SizeHeap<UniqueHeap<Source>>, SizeHeap<UniqueHeap<Source>>>;

/// Mappings of which nothing is known but their size.
struct PlainMmap : private MmapHeap {
  using MmapHeap::alignment, MmapHeap::alignment_offset, MmapHeap::malloc, MmapHeap::free,
      MmapHeap::usable_size;
};

const std::set<Capability> on_the_system = {usable_size, memalign, try_extend, shrink,
                                            owns,        clear,    footprint};

std::set<Capability> with(std::set<Capability> all, std::initializer_list<Capability> more) {
  all.insert(more);
  return all;
}

std::vector<Composition> blocks() {
  return {
      over_ledger<AdaptHeap<DLList, Rich>>(
          {.name = "AdaptHeap",
           .files = {"layer/adapt_heap.hpp", "layer/dl_list.hpp"},
           .capabilities = {usable_size, memalign, try_extend, remove, owns, clear, footprint},
           .only_size = 64}),
      over_ledger<AdaptHeap<DLList, RichAt8>>(
          {.name = "AdaptHeap of entries",
           .files = {"layer/adapt_heap.hpp"},
           .capabilities = {usable_size, try_extend, remove, owns, clear, footprint},
           .only_size = 16}),
      over_ledger<AdaptHeap<DLList, SizeHeap<Bare>>>({.name = "AdaptHeap over headers",
                                                      .files = {"layer/adapt_heap.hpp"},
                                                      .capabilities = {usable_size, remove},
                                                      .only_size = 40}),
      over_unseen<Bin>({.name = "AdaptHeap of nothing",
                        .files = {"layer/adapt_heap.hpp"},
                        .capabilities = {remove, clear},
                        .largest = 0}),
      over_ledger<CoalesceableHeap<8 * KiB, Rich>>(
          {.name = "CoalesceableHeap",
           .files = {"layer/coalesceable_heap.hpp"},
           .capabilities = {usable_size, try_extend, trim, owns, clear, footprint},
           .reuses = false,
           .takes_all_with_it = true}),
      over_ledger<CoalesceableHeap<256, Bare>>({.name = "CoalesceableHeap of the smallest segments",
                                                .files = {"layer/coalesceable_heap.hpp"},
                                                .capabilities = {usable_size, try_extend},
                                                .reuses = false,
                                                .takes_all_with_it = true}),
      over_system<CoalesceableHeap<8 * KiB, MmapHeap>>(
          {.name = "CoalesceableHeap over MmapHeap",
           .files = {"layer/coalesceable_heap.hpp"},
           .capabilities = {usable_size, try_extend, trim, owns, clear, footprint},
           .reuses = false,
           .takes_all_with_it = true}),
      over_system<CoalesceableHeap<8 * KiB, SbrkHeap<page_size>>>(
          {.name = "CoalesceableHeap over SbrkHeap",
           .files = {"layer/coalesceable_heap.hpp"},
           .capabilities = {usable_size, try_extend, trim, owns, clear, footprint},
           .reuses = false,
           .takes_all_with_it = true}),
      over_ledger<SegHeap<Fine, Bin, 4, SizeHeap<Rich>>>(
          {.name = "SegHeap",
           .files = {"combine/seg_heap.hpp"},
           .capabilities = {usable_size, try_extend, take, remove, owns, clear, footprint}}),
      over_ledger<SegHeap<Fine, Bin, 16, CoalesceableHeap<4 * KiB, Rich>>>(
          {.name = "SegHeap over CoalesceableHeap",
           .files = {"combine/seg_heap.hpp", "layer/coalesceable_heap.hpp"},
           .capabilities = {usable_size, try_extend, trim, take, remove, owns, clear, footprint},
           .takes_all_with_it = true}),
  };
}

std::vector<Composition> coalescing() {
  return {
      over_ledger<Medium<Bare>>({.name = "CoalesceHeap over a bare source",
                                 .files = {"layer/coalesce_heap.hpp"},
                                 .capabilities = {usable_size, memalign, try_extend, shrink},
                                 .takes_all_with_it = true}),
      over_ledger<Medium<Rich>>({.name = "CoalesceHeap",
                                 .files = {"layer/coalesce_heap.hpp"},
                                 .capabilities = with(on_the_system, {trim}),
                                 .takes_all_with_it = true}),
      over_ledger<CoarseMedium<Rich>>({.name = "CoalesceHeap of the smallest segments",
                                       .files = {"layer/coalesce_heap.hpp"},
                                       .capabilities = with(on_the_system, {trim}),
                                       .takes_all_with_it = true}),
      over_ledger<CoarseMedium<Bare>>({.name = "CoalesceHeap of the smallest segments over a bare source",
                                       .files = {"layer/coalesce_heap.hpp"},
                                       .capabilities = {usable_size, memalign, try_extend, shrink},
                                       .takes_all_with_it = true}),
      over_ledger<CoalesceHeap<SegHeap<Coarse, Bin, 0, CoalesceableHeap<4 * KiB, Bare>>>>(
          {.name = "CoalesceHeap that does not look into the bin below",
           .files = {"layer/coalesce_heap.hpp", "combine/seg_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, shrink},
           .takes_all_with_it = true}),
      over_system<Medium<MmapHeap>>({.name = "CoalesceHeap over MmapHeap",
                                     .files = {"layer/coalesce_heap.hpp"},
                                     .capabilities = with(on_the_system, {trim}),
                                     .takes_all_with_it = true}),
      over_system<Medium<SbrkHeap<page_size>>>({.name = "CoalesceHeap over SbrkHeap",
                                                .files = {"layer/coalesce_heap.hpp"},
                                                .capabilities = with(on_the_system, {trim}),
                                                .takes_all_with_it = true}),
      over_buffer<Medium<BufferHeap>, 32 * MiB>({.name = "CoalesceHeap in a buffer",
                                                 .files = {"layer/coalesce_heap.hpp"},
                                                 .capabilities = with(on_the_system, {trim}),
                                                 .largest = 1 * MiB,
                                                 .takes_all_with_it = true}),
      over_shared<Medium<UniqueHeap<Rich>>, Rich>(
          {.name = "CoalesceHeap over a shared source",
           .files = {"layer/coalesce_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, shrink, owns, clear},
           .takes_all_with_it = true}),
      over_ledger<AnsiWrapper<LockedHeap<Mutex, Medium<Rich>>>>(
          {.name = "CoalesceHeap behind a lock",
           .files = {"layer/coalesce_heap.hpp", "layer/locked_heap.hpp"},
           .capabilities = with(on_the_system, {trim, fork_hooks, ansi}),
           .takes_all_with_it = true,
           .thread_safe = true}),
  };
}

std::vector<Composition> combined() {
  return {
      over_shared<Hybrid<Rich>, Rich>({.name = "HybridHeap",
                                       .files = {"combine/hybrid_heap.hpp"},
                                       .capabilities = {usable_size, owns, clear}}),
      over_shared<Hybrid<Bare>, Bare>({.name = "HybridHeap over a bare source",
                                       .files = {"combine/hybrid_heap.hpp"},
                                       .capabilities = {usable_size}}),
      over_ledger<Quick<64 * KiB, 16 * KiB, Medium<Rich>>>({.name = "ThresholdHeap",
                                                            .files = {"combine/threshold_heap.hpp"},
                                                            .capabilities = with(on_the_system, {trim}),
                                                            .takes_all_with_it = true}),
      over_ledger<Quick<128, 512, CoarseMedium<Bare>>>(
          {.name = "ThresholdHeap that is flushed often",
           .files = {"combine/threshold_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, shrink},
           .takes_all_with_it = true}),
      over_ledger<Quick<1 * KiB, 4 * KiB, SizeHeap<Rich>>>(
          {.name = "ThresholdHeap over headers",
           .files = {"combine/threshold_heap.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, footprint}}),
      over_system<SelectMmapHeap<16 * KiB, 0, MmapHeap, Medium<SbrkHeap<page_size>>>>(
          {.name = "SelectMmapHeap",
           .files = {"combine/select_mmap_heap.hpp"},
           .capabilities = with(on_the_system, {trim, remap, zeroed}),
           .takes_all_with_it = true}),
      over_system<SelectMmapHeap<4 * KiB, 256 * KiB, MmapHeap, Medium<MmapHeap>>>(
          {.name = "SelectMmapHeap that follows",
           .files = {"combine/select_mmap_heap.hpp"},
           .capabilities = with(on_the_system, {trim, remap, zeroed}),
           .takes_all_with_it = true}),
      over_system<SelectMmapHeap<4 * KiB, 0, PlainMmap, Medium<MmapHeap>>>(
          {.name = "SelectMmapHeap of plain mappings",
           .files = {"combine/select_mmap_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, shrink, trim},
           .takes_all_with_it = true}),
      over_system<
          AnsiWrapper<SelectMmapHeap<32 * KiB, 0, MmapHeap, Quick<4 * KiB, 4 * KiB, Medium<SbrkHeap<>>>>>>(
          {.name = "AnsiWrapper over SelectMmapHeap",
           .files = {"layer/ansi_wrapper.hpp", "combine/select_mmap_heap.hpp"},
           .capabilities = with(on_the_system, {trim, remap, zeroed, ansi}),
           .takes_all_with_it = true}),
  };
}

}  // namespace

const std::vector<Composition>& coalescing_layers() {
  static const std::vector<Composition> list = [] {
    std::vector<Composition> all = blocks();
    for (const auto& more : {coalescing(), combined()}) all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return list;
}

}  // namespace strata::conformance
