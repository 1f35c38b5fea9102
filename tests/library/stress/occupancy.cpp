#include "library/stress/occupancy.hpp"

#include <strata/platform/arithmetic.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace strata::stress {

namespace {

constexpr std::uint64_t whole = std::numeric_limits<std::uint64_t>::max();
constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

Occupancy::Occupancy()
    : regions_(std::make_unique<std::atomic<Word*>[]>(regions)),
      words_(zeroed_words(beforehand), std::free) {}

Occupancy::~Occupancy() {
  const Word* const first = words_.get();
  for (std::size_t i = 0; i < regions; ++i) {
    Word* const words = regions_[i].load(relaxed);
    if (words < first || words >= first + beforehand * words_a_region) std::free(words);
  }
}

/// Zeroed, as words that nobody has used yet are; null only if there is no memory.
Occupancy::Word* Occupancy::zeroed_words(std::size_t regions_of_them) {
  void* const words = std::calloc(regions_of_them * words_a_region, sizeof(Word));
  if (words == nullptr) std::abort();
  return static_cast<Word*>(words);
}

/// The bits of a region, which come to be when they are first asked for.
Occupancy::Word* Occupancy::region(std::size_t index) {
  std::atomic<Word*>& slot = regions_[index];
  Word* words = slot.load(std::memory_order_acquire);
  if (words == nullptr) [[unlikely]] {
    const std::size_t number = used_.fetch_add(1, relaxed);
    Word* const fresh = number < beforehand ? words_.get() + number * words_a_region : zeroed_words(1);
    if (slot.compare_exchange_strong(words, fresh)) return fresh;
    if (number >= beforehand) std::free(fresh);
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
