/// An allocation event: what a program asked of its heap, and in which order.
///
/// Needs:      nothing but the C library.
/// Guarantees: plain values; copying one is copying a few words.
/// Threads:    orders are stamps of one counter per process (a "stream"), so that the events of its threads
///             merge. A free is stamped before the real call and an allocation after it: the stamp of an
///             object's free is below that of whoever gets the address next. A realloc has a stamp of each
///             kind, because another thread may receive the old address in between.
///
/// Not events: free(NULL), and calls that failed (nothing was born, nothing died). realloc(NULL, n) is a
/// malloc; a realloc to 0 bytes that returned NULL is a free. operator new shows as the malloc below it.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata {

enum class Operation : std::uint8_t {
  // Operations of the program. `order`, `address` and `size` are set, in a free all but `size`.
  malloc = 1,
  calloc = 2,   // size is the product
  aligned = 3,  // aligned_alloc and its kin; `alignment` is set, a power of two
  free = 4,
  realloc = 5,  // old_address (died at order_before) became address (born at order)

  // Records about the recording.
  buffer_start =
      7,     // first in every buffer: `order` that its first event has at least, `sequence`, `nanoseconds`
  time = 8,  // about every thousand events of a thread: `nanoseconds`
  process_start = 9,  // first event of a process: `pid`, `parent_pid`, `text`
  process_end = 10,   // `ending`, `peak_resident_bytes`, `dropped`; the last one of a process counts
};

/// How a process ended its stream. One without a process_end was killed, or left by a raw system
/// call.
enum class Ending : std::uint8_t { exited = 0, replaced_by_exec = 1 };

struct Event {
  Operation operation{};
  Ending ending{};                      // process_end
  std::uint64_t order{};                // unique in its process
  std::uint64_t order_before{};         // realloc: when the old block was given up
  std::uint64_t address{};              // the object; realloc: the new one
  std::uint64_t old_address{};          // realloc
  std::uint64_t size{};                 // bytes asked for
  std::uint64_t alignment{};            // aligned
  std::uint64_t nanoseconds{};          // time, buffer_start: CLOCK_MONOTONIC, comparable between processes
  std::uint64_t sequence{};             // buffer_start: number of this buffer among its thread's, from 0
  std::uint64_t peak_resident_bytes{};  // process_end
  std::uint64_t dropped{};     // process_end: events that were seen but could not be recorded, process-wide
  std::uint32_t pid{};         // process_start
  std::uint32_t parent_pid{};  // process_start
  std::string_view text{};     // process_start: the executable, a NUL, then every argument and its NUL;
                               // points into the decoded buffer; cut when longer than the recorder's limit
};

}  // namespace strata
