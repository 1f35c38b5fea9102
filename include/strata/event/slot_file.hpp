/// TRACE.slots: the file, mapped by every recorded process and by the drainer, through which events travel.
///
/// One page of header, an owner word for every slot, then slots of equal size. A thread claims a free slot by
/// one compare-and-swap of its owner word, appends rows (strata/event/encoding.hpp) and publishes how far it
/// has written after each; a full slot, or that of a thread that ended, is drained: its rows become one block
/// of TRACE.part, then the slot is free again.
///
/// Needs:      the file allocated on disk beforehand: a full disk must not be a SIGBUS in the program.
/// Guarantees: `written` never counts a partial row. A slot's stream and thread are valid once written > 0. A
///             slot may still stand here although its rows were drained, if the drainer was killed in
///             between: rows begin with a buffer_start, and (stream, thread, its sequence) names a buffer for
///             good.
/// Threads:    the words that several sides touch are atomics, and lock-free.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::slots {

inline constexpr std::array<unsigned char, 8> magic = {0x89, 'S', 'T', 'R', 'S', 'L', 'T', '\n'};
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t header_bytes = 4096;
inline constexpr std::size_t slot_bytes = std::size_t{64} * 1024;

struct Header {
  std::array<unsigned char, 8> magic;
  std::uint32_t version;
  std::uint32_t slot_count;
  std::uint64_t pid_namespace;  // inode of the drainer's; pids seen from another mean nothing to it
  std::int32_t drainer_pid;
  std::atomic<std::uint32_t> recording;    // 0: write no more, the drainer is done or gone
  std::atomic<std::uint32_t> next_stream;  // number of the next process to be recorded
  std::atomic<std::uint32_t> heartbeat;    // moves while the drainer makes progress
  std::atomic<std::uint32_t> work;         // futex: counts the slots that became full
  std::atomic<std::uint32_t> work_seen;    // what the drainer knows of `work`
  std::atomic<std::uint32_t> freed;        // futex: moves when a slot became free
  std::atomic<std::uint32_t> starving;     // set by a thread that found no free slot
  std::atomic<std::uint64_t> lost;         // events that found no slot, of all processes
};
static_assert(sizeof(Header) <= header_bytes);

enum class State : std::uint64_t { free = 0, filling = 1, full = 2 };

/// Who holds a slot, in one word so that one compare-and-swap claims it. All zeros is free. A pid
/// of 0 stands for an owner in another pid namespace.
struct Owner {
  State state;
  std::int32_t pid;
  std::int32_t tid;

  static constexpr std::uint64_t id_mask = (std::uint64_t{1} << 30) - 1;
  static constexpr Owner of(std::uint64_t word) {
    return {static_cast<State>(word >> 60), static_cast<std::int32_t>(word >> 30 & id_mask),
            static_cast<std::int32_t>(word & id_mask)};
  }
  constexpr std::uint64_t word() const {
    return static_cast<std::uint64_t>(state) << 60 | (static_cast<std::uint64_t>(pid) & id_mask) << 30 |
           (static_cast<std::uint64_t>(tid) & id_mask);
  }
};

struct Slot {
  std::atomic<std::uint32_t> written;  // bytes of rows; 0 in a free slot
  std::uint32_t stream;
  std::uint32_t thread;    // number of the thread in its stream
  std::uint32_t sequence;  // number of this buffer among its thread's

  static constexpr std::size_t head_bytes = 64;
  unsigned char* rows() { return reinterpret_cast<unsigned char*>(this) + head_bytes; }
  static Slot& of(unsigned char* rows) { return *reinterpret_cast<Slot*>(rows - head_bytes); }
  const unsigned char* rows() const { return reinterpret_cast<const unsigned char*>(this) + head_bytes; }
};
static_assert(sizeof(Slot) <= Slot::head_bytes);
inline constexpr std::size_t rows_capacity = slot_bytes - Slot::head_bytes;

static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::uint64_t>::is_always_lock_free);

inline constexpr std::uint32_t max_slots = 4096;

/// Where the first slot lies.
constexpr std::size_t first_slot(std::uint32_t slot_count) {
  const std::size_t owners = slot_count * sizeof(std::uint64_t);
  return header_bytes + (owners + header_bytes - 1) / header_bytes * header_bytes;
}
constexpr std::size_t file_bytes(std::uint32_t slot_count) {
  return first_slot(slot_count) + slot_count * slot_bytes;
}

/// The owner words stand together, because they are scanned.
inline std::atomic<std::uint64_t>& owner_word(Header& file, std::uint32_t index) {
  auto* bytes = reinterpret_cast<unsigned char*>(&file) + header_bytes;
  return reinterpret_cast<std::atomic<std::uint64_t>*>(bytes)[index];
}
inline const Slot& slot(const Header& file, std::uint32_t index) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&file);
  return *reinterpret_cast<const Slot*>(bytes + first_slot(file.slot_count) + index * slot_bytes);
}
inline Slot& slot(Header& file, std::uint32_t index) {
  return const_cast<Slot&>(slot(static_cast<const Header&>(file), index));
}

/// Null when the mapped bytes are a whole slots file, else what is wrong with them.
inline const char* fault(const void* file, std::size_t bytes) {
  if (bytes < header_bytes) return "is shorter than its header";
  const auto& header = *static_cast<const Header*>(file);
  if (header.magic != magic) return "is not a slots file of strata-record";
  if (header.version != version) return "was written by another version of strata-record";
  if (header.slot_count > max_slots || file_bytes(header.slot_count) != bytes)
    return "does not have the length its header states";
  return nullptr;
}

/// What a slot holds; empty when nothing.
inline std::span<const unsigned char> undrained(const Slot& held) {
  const std::size_t written = held.written.load(std::memory_order_acquire);
  return {held.rows(), written <= rows_capacity ? written : rows_capacity};
}

}  // namespace strata::slots
