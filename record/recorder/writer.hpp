/// A thread's way into its slot: what every wrapped function goes through.
///
///     Control* control = enter();      // null: not recorded
///     ... real call, stamp(), cursor = control->encoder.malloc(control->cursor, ...)
///     leave(control, cursor);
///
/// Needs:      nothing before; the first enter() of a process attaches it to the slots file and claims a
/// slot. Guarantees: never allocates through the wrapped malloc, keeps errno in enter() and leave(). A signal
/// handler that
///             interrupts between enter() and leave() gets null: its event is counted as dropped, the slot
///             stays whole. A control block lies in memory that is wiped on fork, so a child finds it empty
///             and claims its own.
/// Threads:    no lock. A thread waits, boundedly, only when all slots are full.
/// Cost:       enter 4 instructions, stamp 4, leave 6.
#pragma once

#include <strata/event/encoding.hpp>
#include <strata/event/slot_file.hpp>

#include <sys/single_threaded.h>

#include <atomic>

namespace strata::recorder {

/// What two threads write lies this far apart: a line of the cache, and the one that is fetched with it.
inline constexpr std::size_t own_lines = 128;

/// One a slot, used by the thread that holds that slot. All zeros (never claimed, or wiped by fork): not
/// ready.
struct alignas(own_lines) Control {
  std::uint32_t ready;  // 0 while a thread is between enter() and leave()
  unsigned char* cursor;
  unsigned char* limit;  // beyond it leave() takes the slow path: time for a time row, or for another slot
  unsigned char* end;    // of what may be used
  unsigned char* rows;   // of its slot; null without one
  std::atomic<std::uint64_t>* owner;  // the slot's word
  Encoder encoder;
};

struct alignas(own_lines) Counter : std::atomic<std::uint64_t> {};

/// Stands in for the control block of a thread without a slot; never ready.
[[gnu::visibility("hidden")]] extern Control unclaimed;
[[gnu::visibility("hidden")]] extern constinit thread_local Control* current;
[[gnu::visibility("hidden")]] extern Counter next_order;

Control* enter_slowly();
void leave_slowly(Control* control);

[[gnu::always_inline]] inline Control* enter() {
  Control* control = current;
  if (!control->ready) [[unlikely]]
    return enter_slowly();
  control->ready = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return control;
}

/// Publishes the rows up to `cursor`.
[[gnu::always_inline]] inline void leave(Control* control, unsigned char* cursor) {
  control->cursor = cursor;
  unsigned char* rows = control->rows;
  slots::Slot::of(rows).written.store(static_cast<std::uint32_t>(cursor - rows), std::memory_order_release);
  if (cursor > control->limit) [[unlikely]]
    return leave_slowly(control);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  control->ready = 1;
}

/// The next number of the process-wide order.
[[gnu::always_inline]] inline std::uint64_t stamp() {
  if (__libc_single_threaded) [[likely]] {
    const std::uint64_t order = next_order.load(std::memory_order_relaxed);
    next_order.store(order + 1, std::memory_order_relaxed);
    return order;
  }
  return next_order.fetch_add(1, std::memory_order_relaxed);
}

/// Hands the calling thread's slot to the drainer.
void hand_back();

}  // namespace strata::recorder
