#include "library/conformance/compositions.hpp"

#include "library/conformance/subject_of.hpp"
#include "library/conformance/test_source.hpp"

#include <strata/combine/sourced_heap.hpp>
#include <strata/combine/strict_seg_heap.hpp>
#include <strata/layer/aligned_heap.hpp>
#include <strata/layer/ansi_wrapper.hpp>
#include <strata/layer/chunk_heap.hpp>
#include <strata/layer/freelist_heap.hpp>
#include <strata/layer/locked_heap.hpp>
#include <strata/layer/size_heap.hpp>
#include <strata/layer/unique_heap.hpp>
#include <strata/policy/locks.hpp>
#include <strata/policy/size_class_maps.hpp>
#include <strata/source/buffer_heap.hpp>
#include <strata/source/malloc_heap.hpp>
#include <strata/source/mmap_heap.hpp>
#include <strata/source/null_heap.hpp>
#include <strata/source/sbrk_heap.hpp>

namespace strata::conformance {

namespace {

using enum Capability;

using Bare = BareSource<0>;
using Rich = RichSource<0>;
using BareAt8 = BareSource<8>;
using RichAt8 = RichSource<8>;

using Bin = FreelistHeap<NullHeap>;
template <class Source>
using Chunked = SizeHeap<ChunkHeap<4096, Source>>;

template <class Source>
using SharedSeg =
    StrictSegHeap<PowerOfTwoClasses<10>, Bin, Chunked<UniqueHeap<Source>>, SizeHeap<UniqueHeap<Source>>>;
template <class Source>
using SteppedSeg =
    StrictSegHeap<SteppedClasses<4, 6>, Bin, Chunked<UniqueHeap<Source>>, SizeHeap<UniqueHeap<Source>>>;
using SeparateSeg = StrictSegHeap<PowerOfTwoClasses<10>, Bin, Chunked<Rich>, AlignedHeap<SizeHeap<Rich>>>;

}  // namespace

const std::vector<Composition>& sources() {
  static const std::vector<Composition> list = {
      over_unseen<MallocHeap>({.name = "MallocHeap",
                               .files = {"source/malloc_heap.hpp"},
                               .capabilities = {usable_size, memalign},
                               .thread_safe = true}),
      over_system<MmapHeap>(
          {.name = "MmapHeap",
           .files = {"source/mmap_heap.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, footprint, shrink, remap, zeroed},
           .takes_all_with_it = true}),
      over_system<SbrkHeap<>>(
          {.name = "SbrkHeap",
           .files = {"source/sbrk_heap.hpp", "source/block_stack.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, trim, footprint, shrink},
           .reuses = false,
           .takes_all_with_it = true}),
      over_system<SbrkHeap<page_size>>(
          {.name = "SbrkHeap page by page",
           .files = {"source/sbrk_heap.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, trim, footprint, shrink},
           .reuses = false,
           .takes_all_with_it = true}),
      over_buffer<BufferHeap, 32 * MiB>(
          {.name = "BufferHeap",
           .files = {"source/buffer_heap.hpp", "source/block_stack.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, footprint, shrink},
           .largest = 256 * KiB,
           .reuses = false,
           .takes_all_with_it = true}),
      over_unseen<NullHeap>(
          {.name = "NullHeap", .files = {"source/null_heap.hpp"}, .capabilities = {clear}, .largest = 0}),
  };
  return list;
}

const std::vector<Composition>& layers() {
  static const std::vector<Composition> list = {
      over_ledger<FreelistHeap<Rich>>(
          {.name = "FreelistHeap",
           .files = {"layer/freelist_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear, footprint},
           .only_size = 64}),
      over_ledger<FreelistHeap<BareAt8>>({.name = "FreelistHeap of words",
                                          .files = {"layer/freelist_heap.hpp"},
                                          .capabilities = {},
                                          .only_size = 8}),
      over_ledger<FreelistHeap<SizeHeap<Bare>>>({.name = "FreelistHeap over headers",
                                                 .files = {"layer/freelist_heap.hpp"},
                                                 .capabilities = {usable_size},
                                                 .only_size = 40}),
      over_ledger<ChunkHeap<4096, Rich>>({.name = "ChunkHeap",
                                          .files = {"layer/chunk_heap.hpp"},
                                          .capabilities = {owns, clear, footprint},
                                          .reuses = false,
                                          .takes_all_with_it = true}),
      over_ledger<ChunkHeap<256, Bare>>({.name = "ChunkHeap of the smallest chunks",
                                         .files = {"layer/chunk_heap.hpp"},
                                         .capabilities = {},
                                         .reuses = false,
                                         .takes_all_with_it = true}),
      over_ledger<SizeHeap<Rich>>({.name = "SizeHeap",
                                   .files = {"layer/size_heap.hpp"},
                                   .capabilities = {usable_size, try_extend, owns, clear, footprint}}),
      over_ledger<SizeHeap<RichAt8>>({.name = "SizeHeap at phase 8",
                                      .files = {"layer/size_heap.hpp"},
                                      .capabilities = {usable_size, try_extend, owns, clear, footprint}}),
      over_ledger<SizeHeap<BareAt8>>({.name = "SizeHeap over a bare source",
                                      .files = {"layer/size_heap.hpp"},
                                      .capabilities = {usable_size}}),
      over_ledger<Chunked<Rich>>({.name = "SizeHeap over ChunkHeap",
                                  .files = {"layer/size_heap.hpp", "layer/chunk_heap.hpp"},
                                  .capabilities = {usable_size, owns, clear, footprint},
                                  .reuses = false,
                                  .takes_all_with_it = true}),
      over_ledger<SizeHeap<AnsiWrapper<Rich>>>(
          {.name = "SizeHeap over AnsiWrapper",
           .files = {"layer/size_heap.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, footprint}}),
      over_ledger<ChunkHeap<4096, AnsiWrapper<Rich>>>({.name = "ChunkHeap over AnsiWrapper",
                                                       .files = {"layer/chunk_heap.hpp"},
                                                       .capabilities = {owns, clear, footprint},
                                                       .reuses = false,
                                                       .takes_all_with_it = true}),
      over_ledger<AlignedHeap<AnsiWrapper<SizeHeap<Rich>>>>(
          {.name = "AlignedHeap over AnsiWrapper",
           .files = {"layer/aligned_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear, footprint}}),
      over_ledger<LockedHeap<Mutex, AnsiWrapper<SizeHeap<Rich>>>>(
          {.name = "LockedHeap over AnsiWrapper",
           .files = {"layer/locked_heap.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, footprint, fork_hooks},
           .thread_safe = true}),
      over_ledger<AlignedHeap<SizeHeap<Rich>>>(
          {.name = "AlignedHeap",
           .files = {"layer/aligned_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear, footprint}}),
      over_ledger<AlignedHeap<Chunked<Bare>>>({.name = "AlignedHeap over chunks",
                                               .files = {"layer/aligned_heap.hpp"},
                                               .capabilities = {usable_size, memalign},
                                               .reuses = false,
                                               .takes_all_with_it = true}),
      over_ledger<LockedHeap<Mutex, AlignedHeap<SizeHeap<Rich>>>>(
          {.name = "LockedHeap",
           .files = {"layer/locked_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear, footprint, fork_hooks},
           .thread_safe = true}),
      over_ledger<LockedHeap<ElidedLock, FreelistHeap<Rich>>>(
          {.name = "LockedHeap with an elided lock",
           .files = {"layer/locked_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear, footprint, fork_hooks},
           .only_size = 48,
           .thread_safe = true}),
      over_ledger<LockedHeap<Mutex, ChunkHeap<4096, Bare>>>({.name = "LockedHeap without capabilities",
                                                             .files = {"layer/locked_heap.hpp"},
                                                             .capabilities = {fork_hooks},
                                                             .reuses = false,
                                                             .takes_all_with_it = true,
                                                             .thread_safe = true}),
      over_shared<UniqueHeap<Rich>, Rich>(
          {.name = "UniqueHeap",
           .files = {"layer/unique_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear, shrink, remap, zeroed}}),
      over_shared<UniqueHeap<BareAt8>, BareAt8>(
          {.name = "UniqueHeap of a bare source", .files = {"layer/unique_heap.hpp"}, .capabilities = {}}),
      over_shared<FreelistHeap<UniqueHeap<Rich>>, Rich>(
          {.name = "FreelistHeap over UniqueHeap",
           .files = {"layer/freelist_heap.hpp", "layer/unique_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear},
           .only_size = 64}),
      over_ledger<AnsiWrapper<SizeHeap<Rich>>>(
          {.name = "AnsiWrapper",
           .files = {"layer/ansi_wrapper.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, footprint, ansi}}),
      over_ledger<AnsiWrapper<Rich>>({.name = "AnsiWrapper over a source",
                                      .files = {"layer/ansi_wrapper.hpp"},
                                      .capabilities = {usable_size, memalign, try_extend, owns, clear,
                                                       footprint, ansi, shrink, remap, zeroed}}),
      over_ledger<AnsiWrapper<AlignedHeap<Chunked<Bare>>>>({.name = "AnsiWrapper over AlignedHeap",
                                                            .files = {"layer/ansi_wrapper.hpp"},
                                                            .capabilities = {usable_size, memalign, ansi},
                                                            .reuses = false,
                                                            .takes_all_with_it = true}),
      over_ledger<AnsiWrapper<LockedHeap<Mutex, AlignedHeap<SizeHeap<Rich>>>>>(
          {.name = "AnsiWrapper over LockedHeap",
           .files = {"layer/ansi_wrapper.hpp", "layer/locked_heap.hpp"},
           .capabilities = {usable_size, memalign, try_extend, owns, clear, footprint, fork_hooks, ansi},
           .thread_safe = true}),
      over_system<AnsiWrapper<MmapHeap>>(
          {.name = "AnsiWrapper over MmapHeap",
           .files = {"layer/ansi_wrapper.hpp"},
           .capabilities = {usable_size, try_extend, owns, clear, footprint, ansi, shrink, remap, zeroed},
           .takes_all_with_it = true}),
      over_unseen<AnsiWrapper<MallocHeap>>({.name = "AnsiWrapper over MallocHeap",
                                            .files = {"layer/ansi_wrapper.hpp"},
                                            .capabilities = {usable_size, memalign, ansi},
                                            .thread_safe = true}),
      over_shared<SharedSeg<Rich>, Rich>({.name = "StrictSegHeap",
                                          .files = {"combine/strict_seg_heap.hpp"},
                                          .capabilities = {usable_size, owns, clear}}),
      over_shared<SteppedSeg<Bare>, Bare>({.name = "StrictSegHeap of stepped classes",
                                           .files = {"combine/strict_seg_heap.hpp"},
                                           .capabilities = {usable_size}}),
      over_ledger<SeparateSeg>({.name = "StrictSegHeap of two sources",
                                .files = {"combine/strict_seg_heap.hpp"},
                                .capabilities = {usable_size, owns, clear}}),
      over_ledger<SourcedHeap<Rich, SharedSeg<Rich>>>(
          {.name = "SourcedHeap",
           .files = {"combine/sourced_heap.hpp"},
           .capabilities = {usable_size, owns, clear, footprint}}),
      over_ledger<SourcedHeap<Bare, SizeHeap<UniqueHeap<Bare>>>>({.name = "SourcedHeap of a bare source",
                                                                  .files = {"combine/sourced_heap.hpp"},
                                                                  .capabilities = {usable_size}}),
  };
  return list;
}

std::vector<Composition> all_compositions() {
  std::vector<Composition> all = sources();
  for (const auto* const more : {&layers(), &coalescing_layers(), &finished_heaps()}) {
    all.insert(all.end(), more->begin(), more->end());
  }
  return all;
}

}  // namespace strata::conformance
