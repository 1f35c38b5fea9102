/// Which memory is in use: a bit for every 8 bytes of the address space that blocks lie in.
///
/// Blocks begin at multiples of 8, so that two of them meet in a granule only if they overlap.
/// Threads:    safe. Relaxed throughout: the map must not order what a heap's threads do, or ThreadSanitizer would
///             not see a lock that is missing.
/// Cost:       a few nanoseconds for a small block, a word for every 512 bytes of a large one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace strata::stress {

class Occupancy {
 public:
  Occupancy();
  ~Occupancy();
  Occupancy(const Occupancy&) = delete;
  Occupancy& operator=(const Occupancy&) = delete;

  /// Marks the memory; false if part of it was in use.
  bool take(const void* begin, std::size_t bytes);
  void give(const void* begin, std::size_t bytes);

 private:
  using Word = std::atomic<std::uint64_t>;

  static constexpr std::size_t region_bits = 26, address_bits = 47, granule_bits = 3;
  static constexpr std::size_t regions = std::size_t{1} << (address_bits - region_bits);
  static constexpr std::size_t granules = std::size_t{1} << (region_bits - granule_bits);
  static constexpr std::size_t word_bits = 64, words_a_region = granules / word_bits;

  Word* region(std::size_t index);
  static Word* zeroed_words(std::size_t regions_of_them);
  template <class Visit>
  void for_words(const void* begin, std::size_t bytes, Visit visit);

  std::unique_ptr<std::atomic<Word*>[]> regions_;
  /// The bits of the first regions, allocated beforehand: later, they would lie where a heap would else have mapped.
  static constexpr std::size_t beforehand = 256;
  std::unique_ptr<Word, void (*)(void*)> words_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace strata::stress
