/// A heap together with the one source that all its parts share by reference.
///
/// Needs:      a source, and a heap that is constructed with a reference to it (its parts are UniqueHeaps).
/// Guarantees: construction and destruction in the right order (source, heap; heap, source); the footprint is
///             the source's; clear() resets the heap and then has the source give everything back.
/// Threads:    none of its own.
/// Cost:       nothing.
#pragma once

#include <strata/contract/heap.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace strata {

/// A base, so that the source is there before the heap beside it is.
template <class Source>
struct SourceHolder {
  template <class... Arguments>
  explicit constexpr SourceHolder(Arguments&&... arguments) : source(std::forward<Arguments>(arguments)...) {}
  Source source;
};

template <class Source, class SharingHeap>
class SourcedHeap : private SourceHolder<Source>, public SharingHeap {
  static_assert(Heap<Source> && Heap<SharingHeap>,
                "SourcedHeap needs a source, and a heap that refers to it");

  using Holder = SourceHolder<Source>;

 public:
  template <class... Arguments>
    requires std::is_constructible_v<Source, Arguments...>
  explicit constexpr SourcedHeap(Arguments&&... arguments)
      : Holder(std::forward<Arguments>(arguments)...), SharingHeap(Holder::source) {}
  SourcedHeap(const SourcedHeap&) = delete;
  SourcedHeap& operator=(const SourcedHeap&) = delete;

  bool owns(const void* address) const
    requires HasOwns<Source>
  {
    return Holder::source.owns(address);
  }
  bool trim(std::size_t keep)
    requires HasTrim<Source>
  {
    return Holder::source.trim(keep);
  }
  constexpr void count_into(FootprintCounter& whole)
    requires HasCountInto<Source>
  {
    Holder::source.count_into(whole);
  }
  void clear()
    requires HasClear<SharingHeap> && HasClear<Source>
  {
    SharingHeap::clear();
    Holder::source.clear();
  }
  Footprint footprint() const
    requires HasFootprint<Source>
  {
    return Holder::source.footprint();
  }
};

}  // namespace strata
