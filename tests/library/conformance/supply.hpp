/// Where a heap under test gets its memory from, counted and able to refuse.
///
/// Ledger      the memory of a TestSource: hands out blocks at exactly the phase it is asked for, never better
///             aligned, filled with rubbish or, some larger ones, with zeros, between red zones; notices invalid and
///             double frees.
/// TheSystem   what the platform layer maps and where it moves the break (system_supply.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace strata::conformance {

/// Disjoint stretches of memory. Neighbours are not merged: a block may not reach from one into the next.
class Stretches {
 public:
  void add(std::uintptr_t begin, std::uintptr_t end);
  /// Adds, merged with a stretch that ends where this one begins.
  void extend(std::uintptr_t begin, std::uintptr_t end);
  /// Takes the part of every stretch that lies within; false if that is not all of it.
  bool remove(std::uintptr_t begin, std::uintptr_t end);
  bool contain(std::uintptr_t begin, std::uintptr_t end) const;
  std::size_t bytes() const { return bytes_; }

 private:
  std::map<std::uintptr_t, std::uintptr_t> ends_;
  std::size_t bytes_ = 0;
};

class Supply {
 public:
  /// Whether the account below means anything; it does not for memory that the suite cannot see.
  bool watched() const { return watched_; }
  std::size_t outstanding() const { return stretches_.bytes() - baseline_; }
  std::size_t peak() const { return peak_; }
  bool contains(const void* begin, std::size_t bytes) const;
  const std::vector<std::string>& complaints() const { return complaints_; }

  std::size_t requests() const { return requests_; }
  /// The nth request from now fails, and if so told, every later one.
  void refuse(std::size_t nth, bool and_later);
  void refuse_none() { refuse(0, false); }

  /// Forgets what was counted so far.
  void begin();
  void unwatched() { watched_ = false; }

  // For those who supply.
  bool admit();
  Stretches& stretches() { return stretches_; }
  void note_peak();
  void complain(std::string what) { complaints_.push_back(std::move(what)); }

 private:
  Stretches stretches_;
  std::vector<std::string> complaints_;
  std::size_t baseline_ = 0;
  std::size_t peak_ = 0;
  std::size_t requests_ = 0;
  std::size_t refused_request_ = 0;
  bool refuse_later_ = false;
  bool watched_ = true;
};

class Ledger : public Supply {
 public:
  Ledger() = default;
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// A block p with p % boundary == offset, and, so that nobody relies on luck, p % (2 * boundary) != offset.
  void* take(std::size_t size, std::size_t boundary, std::size_t offset);
  void give(void* block);
  std::size_t size_of(void* block);
  /// There are a few spare bytes behind every block to extend it into.
  bool extend(void* block, std::size_t size);
  void shrink(void* block, std::size_t size);
  /// The block elsewhere, with its contents.
  void* remap(void* block, std::size_t size, std::size_t boundary, std::size_t offset);
  /// Whether it was filled with zeros when it was taken.
  bool zeroed(void* block);
  bool holds(const void* address) const { return contains(address, 1); }
  void give_all();

 private:
  struct Block {
    void* memory;
    std::size_t size;
    std::size_t capacity;
    bool zeroed;
  };
  using Blocks = std::map<void*, Block>;

  void release(Blocks::iterator block);
  Blocks::iterator find(void* block, const char* operation);

  Blocks blocks_;
};

/// The account of the pages and the break of this process. There is one, so a test has it begin anew.
Supply& the_system();

}  // namespace strata::conformance
