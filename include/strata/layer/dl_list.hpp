/// A doubly linked list of blocks, first in, first out: the dictionary of a bin whose blocks can be taken from
/// anywhere (PLDI01 section 4 and Table 1, with AdaptHeap).
///
/// Guarantees: O(1) insert, take and remove; remove needs the entry alone. Constant-initialised.
/// Threads:    none of its own.
/// Cost:       two words in a block, which must be free; no branch but the test for empty.
#pragma once

#include <cstddef>

namespace strata {

class DLList {
 public:
  /// What a free block begins with.
  struct Entry {
    Entry* previous;
    Entry* next;
  };

  constexpr DLList() = default;
  DLList(const DLList&) = delete;
  DLList& operator=(const DLList&) = delete;

  /// Puts an entry behind all others.
  void insert(Entry* entry) {
    Entry* const ends = &ends_;  // one address, where the list is one of many
    Entry* const last = ends->previous;
    entry->previous = last;
    entry->next = ends;
    last->next = entry;
    ends->previous = entry;
  }

  /// The oldest entry, taken out; null if there is none.
  Entry* take() {
    Entry* const first = ends_.next;
    if (first == &ends_) return nullptr;
    remove(first);
    return first;
  }

  /// The oldest among the first `most` entries that `fits`, taken out; null if there is none.
  template <class Fits>
  Entry* take_if(Fits fits, std::size_t most) {
    for (Entry* entry = ends_.next; entry != &ends_ && most != 0; entry = entry->next, --most) {
      if (fits(entry)) {
        remove(entry);
        return entry;
      }
    }
    return nullptr;
  }

  static void remove(Entry* entry) {
    entry->previous->next = entry->next;
    entry->next->previous = entry->previous;
  }

  void clear() { ends_.previous = ends_.next = &ends_; }

 private:
  Entry ends_{&ends_, &ends_};
};

}  // namespace strata
