#include "library/stress/occupancy.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace strata::stress {

namespace {

constexpr std::size_t word_bits = 64;
constexpr std::uint64_t whole = std::numeric_limits<std::uint64_t>::max();
constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

Occupancy::Occupancy() : regions_(std::make_unique<std::atomic<Word*>[]>(regions)) {}

Occupancy::~Occupancy() {
  for (std::size_t i = 0; i < regions; ++i) std::free(regions_[i].load(relaxed));
}

/// The bits of a region, which come to be, zeroed, when they are first asked for.
Occupancy::Word* Occupancy::region(std::size_t index) {
  std::atomic<Word*>& slot = regions_[index];
  Word* words = slot.load(std::memory_order_acquire);
  if (words == nullptr) [[unlikely]] {
    auto* const fresh = static_cast<Word*>(std::calloc(granules / word_bits, sizeof(Word)));
    if (fresh == nullptr) std::abort();
    if (slot.compare_exchange_strong(words, fresh)) return fresh;
    std::free(fresh);
  }
  return words;
}

template <class Visit>
void Occupancy::for_words(const void* begin, std::size_t bytes, Visit visit) {
  std::size_t at = address_of(begin) >> granule_bits;
  const std::size_t end = (address_of(begin) + bytes + (std::size_t{1} << granule_bits) - 1) >> granule_bits;
  while (at < end) {
    Word* const words = region(at / granules);
    const std::size_t stop = std::min(end, round_down(at, granules) + granules);
    while (at < stop) {
      const std::size_t first = at % word_bits;
      const std::size_t count = std::min(stop - at, word_bits - first);
      visit(words[at % granules / word_bits], (whole >> (word_bits - count)) << first);
      at += count;
    }
  }
}

// What lies inside a block needs no atomic exchange: only its ends may share a word with a neighbour.

bool Occupancy::take(const void* begin, std::size_t bytes) {
  std::uint64_t in_use = 0;
  for_words(begin, bytes, [&](Word& word, std::uint64_t mask) {
    if (mask == whole) {
      in_use |= word.load(relaxed);
      word.store(whole, relaxed);
    } else {
      in_use |= word.fetch_or(mask, relaxed) & mask;
    }
  });
  return in_use == 0;
}

void Occupancy::give(const void* begin, std::size_t bytes) {
  for_words(begin, bytes, [](Word& word, std::uint64_t mask) {
    if (mask == whole) {
      word.store(0, relaxed);
    } else {
      word.fetch_and(~mask, relaxed);
    }
  });
}

}  // namespace strata::stress
