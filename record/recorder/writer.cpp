#include "record/recorder/writer.hpp"

#include "record/recorder/process.hpp"
#include "record/recorder/wait.hpp"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

namespace strata::recorder {

constinit Control unclaimed{};
constinit thread_local Control* current = &unclaimed;
constinit Counter next_order{};

namespace {

/// What a thread remembers from slot to slot. Valid for the stream it names, so a forked child starts anew.
struct Thread {
  std::uint32_t stream_plus_one;
  std::uint32_t number;
  std::uint32_t next_sequence;
  std::int32_t tid;
  std::uint32_t to_lose;  // events to give up before looking for a slot again
  bool busy;              // in the slow path, which is not to be entered again by a signal handler
};
constinit thread_local Thread self{};

/// Events a thread gives up at once after a futile wait for a slot, so that waiting cannot become its life.
constexpr std::uint32_t loss = 4096;
/// Bytes of rows, about a thousand events, between two time rows.
constexpr std::size_t time_interval = 4096;

std::atomic<std::uint32_t> key_state{0};
pthread_key_t key;

std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

void set_limit(Control* control) {
  const auto room = static_cast<std::size_t>(control->end - control->cursor);
  control->limit = control->cursor + (room < time_interval ? room : time_interval);
}

/// Makes sure that the slot is handed back when this thread ends. Destructors that allocate after ours claim
/// a slot again, and set the key again.
void watch_thread_end(Control* control) {
  std::uint32_t seen = 0;
  if (key_state.compare_exchange_strong(seen, 1)) {
    const bool made = pthread_key_create(&key, [](void*) { hand_back(); }) == 0;
    key_state.store(made ? 2 : 3, std::memory_order_release);
  }
  if (key_state.load(std::memory_order_acquire) == 2) pthread_setspecific(key, control);
}

void give(Control* control) {
  slots::Owner owner = slots::Owner::of(control->owner->load(std::memory_order_relaxed));
  owner.state = slots::State::full;
  control->rows = nullptr;
  current = &unclaimed;
  control->owner->store(owner.word(), std::memory_order_release);
  announce_work();
}

/// A slot for this thread, not ready yet; null when there is none, or nothing is recorded any more.
Control* claim() {
  if (!attach()) return nullptr;
  if (self.to_lose > 0) {
    --self.to_lose;
    note_lost(1);
    return nullptr;
  }
  if (self.stream_plus_one != process->stream + 1) {
    if (borrowed()) return nullptr;
    self.stream_plus_one = process->stream + 1;
    self.number = process->next_thread.fetch_add(1, std::memory_order_relaxed);
    self.next_sequence = 0;
    self.tid = gettid();
  }
  const std::uint32_t index = claim_slot({slots::State::filling, process->owner_pid, self.tid});
  if (index == no_slot) {
    self.to_lose = loss;
    note_lost(1);
    return nullptr;
  }
  process->touched[index / 64].fetch_or(std::uint64_t{1} << (index % 64), std::memory_order_relaxed);
  slots::Slot& slot = slots::slot(*file, index);
  slot.stream = process->stream;
  slot.thread = self.number;
  slot.sequence = self.next_sequence++;

  Control* control = control_of(index);
  *control = {};
  control->rows = slot.rows();
  control->owner = &slots::owner_word(*file, index);
  control->end = slot.rows() + slots::rows_capacity - 2 * Encoder::slack;
  control->cursor = control->encoder.buffer_start(slot.rows(), next_order.load(std::memory_order_relaxed),
                                                  slot.sequence, now());
  if (process->started.exchange(1, std::memory_order_relaxed) == 0)
    control->cursor = write_start(control->cursor);
  slot.written.store(static_cast<std::uint32_t>(control->cursor - slot.rows()), std::memory_order_release);
  set_limit(control);
  current = control;
  watch_thread_end(control);
  return control;
}

}  // namespace

Control* enter_slowly() {
  if (self.busy || current->rows != nullptr) {
    // A signal handler, or the real malloc itself, inside of one of our own events.
    if (process) process->dropped.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  const int kept = errno;
  self.busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Control* control = claim();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  self.busy = false;
  errno = kept;
  return control;
}

void leave_slowly(Control* control) {
  const int kept = errno;
  self.busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool recording = file->recording.load(std::memory_order_relaxed) != 0;
  if (recording && control->cursor < control->end) {
    control->cursor = Encoder::time(control->cursor, now());
    set_limit(control);
  } else {
    give(control);
    control = recording ? claim() : nullptr;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  self.busy = false;
  if (control) control->ready = 1;
  errno = kept;
}

void hand_back() {
  if (self.busy || !current->ready) return;
  self.busy = true;
  current->ready = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  give(current);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  self.busy = false;
}

}  // namespace strata::recorder
