#include "record/drainer.hpp"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <tuple>

namespace strata::record {
namespace {

using slots::Owner;
using slots::State;

/// A thread that does not exist, or never runs again (a zombie that its parent has not waited for).
bool is_dead(const Owner& owner) {
  if (owner.pid == 0) return false;  // of another pid namespace: nobody can tell
  if (syscall(SYS_tgkill, owner.pid, owner.tid, 0) != 0) return errno == ESRCH;
  std::ifstream file("/proc/" + std::to_string(owner.pid) + "/task/" + std::to_string(owner.tid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return syscall(SYS_tgkill, owner.pid, owner.tid, 0) != 0 && errno == ESRCH;
  const std::size_t name_end = line.rfind(')');
  const char state = name_end + 2 < line.size() ? line[name_end + 2] : '?';
  return state == 'Z' || state == 'X';
}

}  // namespace

/// Buffers of one thread may become full in any order of slots; each waits for the one before it.
bool Drainer::is_next(const slots::Slot& slot) const {
  if (slots::undrained(slot).empty()) return true;  // its owner died before it wrote
  const auto found = next_sequence_.find({slot.stream, slot.thread});
  return slot.sequence == (found == next_sequence_.end() ? 0 : found->second);
}

void Drainer::empty(std::uint32_t index) {
  slots::Slot& slot = store_.slot(index);
  const auto rows = slots::undrained(slot);
  slots::Header& header = store_.header();
  if (!rows.empty()) {
    const Thread thread{slot.stream, slot.thread};
    const trace::Bytes payload{reinterpret_cast<const std::byte*>(rows.data()), rows.size()};
    if (!output_.append(trace::BlockKind::rows, slot.stream, slot.thread, payload)) header.recording = 0;
    next_sequence_[thread] = slot.sequence + 1;
  }
  slot.written.store(0, std::memory_order_relaxed);
  store_.owner(index).store(0, std::memory_order_release);
  header.heartbeat.fetch_add(1, std::memory_order_relaxed);
  header.freed.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &header.freed, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool Drainer::drain() {
  bool any = false, again = true;
  while (again) {
    again = false;
    for (std::uint32_t i = 0; i < store_.header().slot_count; ++i) {
      const Owner owner = Owner::of(store_.owner(i).load(std::memory_order_acquire));
      if (owner.state != State::full || !is_next(store_.slot(i))) continue;
      empty(i);
      any = again = true;
    }
  }
  return any;
}

std::size_t Drainer::reclaim() {
  std::set<std::int32_t> live;
  for (std::uint32_t i = 0; i < store_.header().slot_count; ++i) {
    Owner owner = Owner::of(store_.owner(i).load(std::memory_order_acquire));
    if (owner.state != State::filling) continue;
    if (!is_dead(owner)) {
      live.insert(owner.pid);
      continue;
    }
    owner.state = State::full;
    store_.owner(i).store(owner.word(), std::memory_order_release);
  }
  drain();
  return live.size();
}

void Drainer::finish() {
  store_.header().recording = 0;
  std::vector<std::uint32_t> held;
  for (std::uint32_t i = 0; i < store_.header().slot_count; ++i)
    if (store_.owner(i).load(std::memory_order_acquire) != 0) held.push_back(i);
  std::ranges::sort(held, {}, [this](std::uint32_t i) {
    const slots::Slot& slot = store_.slot(i);
    return std::tuple(slot.stream, slot.thread, slot.sequence);
  });
  for (const std::uint32_t i : held) empty(i);
}

void Drainer::wait(int milliseconds) {
  slots::Header& header = store_.header();
  const std::uint32_t seen = header.work.load(std::memory_order_acquire);
  header.work_seen.store(seen, std::memory_order_relaxed);
  header.heartbeat.fetch_add(1, std::memory_order_relaxed);
  if (drain()) return;
  if (header.starving.exchange(0) != 0) reclaim();
  const timespec turn{0, milliseconds * 1'000'000L};
  syscall(SYS_futex, &header.work, FUTEX_WAIT, seen, &turn, nullptr, 0);
}

void Drainer::interrupt(slots::Header& header) {
  header.work.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &header.work, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace strata::record
