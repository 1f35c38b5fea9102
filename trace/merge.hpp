/// The events of one stream in their order: a merge of its threads by order stamp.
/// Needs:      a Recording that outlives it.
/// Guarantees: memory for one buffer a thread. A realloc comes twice: when its old block was given up and
///             when its new one was there.
/// Threads:    one at a time.
/// Cost:       a comparison an event while one thread keeps the turn, else a heap of threads.
#pragma once

#include "trace/recording.hpp"

#include <strata/event/encoding.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace strata::trace {

/// What a stream's rows say beside its events.
struct StreamNotes {
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::string text;  ///< the executable and a NUL, then every argument and its NUL
  std::uint64_t begin_nanoseconds = 0;
  std::uint64_t end_nanoseconds = 0;
  std::uint64_t peak_resident_bytes = 0;
  std::uint64_t dropped = 0;
  bool ended = false;              ///< the process told its end
  std::uint64_t damaged_rows = 0;  ///< buffers whose rows stop making sense
};

/// The events of one thread.
class ThreadRows {
 public:
  ThreadRows(const Recording& recording, const std::vector<Recording::Buffer>& buffers, std::uint32_t thread,
             StreamNotes& notes);

  bool done() const { return done_; }
  std::uint64_t key() const { return key_; }  ///< order of the step that comes next
  bool gives_up_old() const { return gives_up_old_; }
  const strata::Event& event() const { return event_; }
  std::uint32_t thread() const { return thread_; }
  std::uint64_t nanoseconds() const { return nanoseconds_; }  ///< of the last clock before event()

  /// To the next step: the other half of a realloc, or the next event.
  void advance();

  /// What the converter has to remember of a realloc between its two steps.
  struct GivenUp {
    std::uint64_t object = 0;
    std::uint64_t size = 0;
    bool known = false;
  };
  GivenUp given_up;

 private:
  bool next_row();
  void note(const strata::Event& record);

  const Recording& recording_;
  const std::vector<Recording::Buffer>& buffers_;
  std::size_t next_buffer_ = 0;
  std::vector<std::byte> room_;
  Decoder decoder_;
  strata::Event event_;
  std::uint64_t key_ = 0;
  std::uint64_t nanoseconds_ = 0;
  std::uint32_t thread_;
  bool gives_up_old_ = false;
  bool done_ = false;
  StreamNotes& notes_;
};

class Merge {
 public:
  Merge(const Recording& recording, const Recording::Stream& stream);
  Merge(const Merge&) = delete;
  Merge& operator=(const Merge&) = delete;

  /// The thread whose step is next, null at the end. The caller looks, then calls again.
  ThreadRows* next();

  const StreamNotes& notes() const { return notes_; }
  std::size_t threads() const { return threads_.size(); }

 private:
  StreamNotes notes_;
  std::deque<ThreadRows> threads_;
  std::vector<ThreadRows*> waiting_;  ///< a heap, the lowest key first
  ThreadRows* current_ = nullptr;
};

}  // namespace strata::trace
