/// The recorded process: its mapping of the slots file, its stream, its start and end records.
///
/// Needs:      STRATA_SLOTS names the slots file (ignored in a setuid program).
/// Guarantees: no descriptor stays open in the program. A forked child attaches anew at its first event and
/// is a stream
///             of its own. A vfork child borrows its parent's memory, so its events are the parent's.
/// Threads:    any; attach() has one winner, the others record nothing until it is done.
#pragma once

#include "record/recorder/writer.hpp"

namespace strata::recorder {

/// Wiped on fork, like the control blocks that follow it.
struct alignas(own_lines) Process {
  std::atomic<std::uint32_t> attached;
  std::atomic<std::uint32_t> next_thread;
  std::uint32_t stream;
  std::int32_t owner_pid;              // 0 in another pid namespace than the drainer's
  std::atomic<std::uint32_t> started;  // the start record has its writer
  std::atomic<std::uint64_t> dropped;
  std::atomic<std::uint64_t> touched[slots::max_slots / 64];  // slots this process has ever mapped in
};

/// Null until this image has mapped the slots file.
[[gnu::visibility("hidden")]] extern slots::Header* file;
[[gnu::visibility("hidden")]] extern Process* process;

inline Control* control_of(std::uint32_t slot) {
  return reinterpret_cast<Control*>(process + 1) + slot;
}

/// True when this process is attached and the recording goes on.
bool attach();

/// True when this is a vfork child, or the child of a fork that bypassed libc: the memory's books are not its
/// own.
bool borrowed();

/// Writes the start record at `at`; needs start_record_bytes of room.
inline constexpr std::size_t start_record_bytes = 16 * 1024;
unsigned char* write_start(unsigned char* at);

/// Writes the end record, from whatever thread; does nothing in a process that recorded nothing.
void end_process(Ending ending);

}  // namespace strata::recorder
