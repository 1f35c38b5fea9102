#include "record/recorder/wait.hpp"

#include "record/recorder/process.hpp"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace strata::recorder {
namespace {

constexpr long turn_nanoseconds = 100'000'000;
constexpr int turns_without_heartbeat = 50;  // then the drainer is taken for dead
constexpr int turns_without_hope = 5;        // of waiting while no slot is about to become free
/// Full slots that are worth waking the drainer, which looks by itself now and then: woken for each it would take the
/// program's core as often.
constexpr std::uint32_t wake_batch = 8;

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  const timespec turn{0, turn_nanoseconds};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &turn, nullptr, 0);
}

void wake_drainer() {
  syscall(SYS_futex, &file->work, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

struct Scan {
  std::uint32_t claimed = no_slot;
  bool full_ones = false;  // the drainer is about to free some
};

Scan scan(std::uint64_t word) {
  Scan result;
  for (std::uint32_t i = 0; i < file->slot_count; ++i) {
    auto& owner = slots::owner_word(*file, i);
    std::uint64_t seen = owner.load(std::memory_order_relaxed);
    // The lowest free one: the same few slots go round, and stay in the cache.
    if (seen == 0 && owner.compare_exchange_strong(seen, word, std::memory_order_acquire)) {
      result.claimed = i;
      return result;
    }
    result.full_ones |= slots::Owner::of(seen).state == slots::State::full;
  }
  return result;
}

bool drainer_exited() {
  return process->owner_pid != 0 && kill(file->drainer_pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::uint32_t claim_slot(slots::Owner owner) {
  int still = 0, hopeless = 0;
  while (file->recording.load(std::memory_order_relaxed) != 0) {
    const std::uint32_t freed = file->freed.load(std::memory_order_acquire);
    const std::uint32_t heartbeat = file->heartbeat.load(std::memory_order_relaxed);
    const Scan found = scan(owner.word());
    if (found.claimed != no_slot) return found.claimed;
    if (drainer_exited() || still >= turns_without_heartbeat) {
      file->recording.store(0, std::memory_order_relaxed);
      break;
    }
    if (hopeless >= turns_without_hope) break;
    file->starving.store(1, std::memory_order_relaxed);
    file->work.fetch_add(1, std::memory_order_release);
    wake_drainer();
    futex_wait(file->freed, freed);
    still = file->heartbeat.load(std::memory_order_relaxed) == heartbeat ? still + 1 : 0;
    hopeless = found.full_ones ? 0 : hopeless + 1;
  }
  return no_slot;
}

void announce_work() {
  const std::uint32_t work = file->work.fetch_add(1, std::memory_order_release) + 1;
  const std::uint32_t batch = file->slot_count / 8 < wake_batch ? file->slot_count / 8 : wake_batch;
  if (work - file->work_seen.load(std::memory_order_relaxed) >= batch) wake_drainer();
}

void note_lost(std::uint64_t events) {
  file->lost.fetch_add(events, std::memory_order_relaxed);
  process->dropped.fetch_add(events, std::memory_order_relaxed);
}

}  // namespace strata::recorder
