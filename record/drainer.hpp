/// Empties slots into TRACE.part while the program runs.
///
/// Needs:      a slots file and an open BlockWriter.
/// Guarantees: every buffer becomes one block; the blocks of a thread stand in the order they were filled. A
/// slot is
///             free again only after its rows were written. When the file takes no more, the recording is
///             over for the programs too, and what was written stays.
/// Threads:    one at a time.
/// Cost:       one block a full slot; a look at /proc for every held slot when asked to reclaim.
#pragma once

#include "record/slots_store.hpp"
#include "trace/block_writer.hpp"

#include <map>
#include <utility>
#include <vector>

namespace strata::record {

class Drainer {
 public:
  Drainer(SlotsStore& store, trace::BlockWriter& output) : store_(store), output_(output) {}

  /// Drains what is full. True when there was something.
  bool drain();

  /// Drains what dead threads left. Returns how many live processes hold slots.
  std::size_t reclaim();

  /// Ends the recording: drains whatever slots hold, also those of live threads.
  void finish();

  /// Sleeps until a slot becomes full, `interrupt()` is called or some milliseconds went by.
  void wait(int milliseconds);

  /// Makes wait() return; from a signal handler, too.
  static void interrupt(slots::Header& header);

 private:
  using Thread = std::pair<std::uint32_t, std::uint32_t>;  // stream, number

  void empty(std::uint32_t index);
  bool is_next(const slots::Slot& slot) const;

  SlotsStore& store_;
  trace::BlockWriter& output_;
  std::map<Thread, std::uint32_t> next_sequence_;
};

}  // namespace strata::record
