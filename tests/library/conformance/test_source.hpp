/// Sources over a Ledger, which they are constructed with: so a composition over them shows that it hands its
/// construction arguments on.
///
/// BareSource  malloc and free alone: a layer may not need more than it says.
/// RichSource  every capability besides, so that one that a layer breaks and yet inherits is found out.
#pragma once

#include "library/conformance/supply.hpp"

#include <strata/contract/heap.hpp>

#include <algorithm>
#include <cstddef>

namespace strata::conformance {

template <std::size_t Offset>
class BareSource {
 public:
  static constexpr std::size_t alignment = natural_alignment;
  static constexpr std::size_t alignment_offset = Offset;

  explicit BareSource(Ledger& ledger) : ledger_(&ledger) {}
  BareSource(const BareSource&) = delete;
  BareSource& operator=(const BareSource&) = delete;

  void* malloc(std::size_t size) { return ledger_->take(size, alignment, Offset); }
  void free(void* block) { ledger_->give(block); }

 protected:
  Ledger* ledger_;
};

template <std::size_t Offset>
class RichSource : public BareSource<Offset> {
 public:
  using BareSource<Offset>::BareSource;

  std::size_t usable_size(void* block) { return this->ledger_->size_of(block); }
  void* memalign(std::size_t boundary, std::size_t size)
    requires(Offset == 0)
  {
    return this->ledger_->take(size, std::max(boundary, natural_alignment), 0);
  }
  bool try_extend(void* block, std::size_t size) { return this->ledger_->extend(block, size); }
  void shrink(void* block, std::size_t size) { this->ledger_->shrink(block, size); }
  void* remap(void* block, std::size_t size) {
    return this->ledger_->remap(block, size, natural_alignment, Offset);
  }
  bool zeroed(void* block) { return this->ledger_->zeroed(block); }
  bool owns(const void* address) const { return this->ledger_->holds(address); }
  void clear() { this->ledger_->give_all(); }
  Footprint footprint() const { return {this->ledger_->outstanding(), this->ledger_->peak()}; }
};

}  // namespace strata::conformance
