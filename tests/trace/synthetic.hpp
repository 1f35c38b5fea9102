/// Recordings of programs that never ran: rows as the recorder would write them, and beside them the events
/// that a trace of them must hold.
#pragma once

#include "trace/block_writer.hpp"
#include "trace/columns.hpp"

#include <strata/event/encoding.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace strata::test {

/// What a reader found in a trace, as far as it could be read.
struct ReadBack {
  trace::StreamStart start{};
  std::string text;
  std::vector<trace::Event> events;
  trace::StreamTotals totals{};
  bool ended = false;  ///< the totals were there
};

/// Every stream of a trace, in the order of the file; `fault` is what the reader stopped at, if anything.
std::vector<ReadBack> read_trace(const std::string& path, trace::Fault& fault);

bool same(const trace::Event& left, const trace::Event& right);

/// True when `events` are the first of `all`.
bool begins(const std::vector<trace::Event>& events, const std::vector<trace::Event>& all);

/// The rows of one thread, buffer by buffer.
class ThreadWriter {
 public:
  ThreadWriter(std::uint32_t stream, std::uint32_t thread) : stream_(stream), thread_(thread) {}

  /// Where the next row of at most `bytes` goes; begins a new buffer when this one is full.
  unsigned char* room(trace::BlockWriter& part, std::uint64_t order, std::size_t bytes = 0);
  void wrote(unsigned char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
  Encoder& encoder() { return encoder_; }

  /// Appends what is left to the part file.
  void flush(trace::BlockWriter& part);
  /// Or gives it away, as a slot would hold it.
  std::vector<unsigned char> take_rest();

  std::uint32_t stream() const { return stream_; }
  std::uint32_t thread() const { return thread_; }
  std::uint64_t sequence() const { return sequence_ - 1; }  ///< of the buffer that is being filled

 private:
  std::uint32_t stream_, thread_;
  Encoder encoder_;
  std::vector<unsigned char> buffer_;
  std::size_t used_ = 0;
  std::uint64_t sequence_ = 0;
};

/// A random program: threads that allocate, free each other's objects, reuse addresses at once, resize while
/// others receive the old address, and free what was never theirs.
struct RandomProgram {
  std::uint64_t seed = 1;
  std::uint32_t threads = 3;
  std::size_t steps = 1000;
  bool tells_its_end = true;

  struct Expected {
    std::vector<trace::Event> events;
    trace::StreamTotals totals{};
  };

  /// Appends the program's rows as stream `id`.
  Expected write(trace::BlockWriter& part, std::uint32_t id) const;
};

}  // namespace strata::test
