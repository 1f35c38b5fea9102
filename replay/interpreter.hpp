/// The timed loop: calls plain malloc, calloc, realloc, posix_memalign and free as the words say.
/// Needs:      words of a Decoder, in order, `prefetch_distance` more behind them; slots for all that they name.
/// Guarantees: every call is made; nothing else of the process's memory is used. An allocation that fails
///             is counted and leaves its slot null, or the old object where it was a realloc.
/// Threads:    one.
/// Cost:       a load, a jump and a store an event beside the call.
#pragma once

#include "replay/instruction.hpp"

#include <cstdint>
#include <span>

namespace strata::replay {

/// Whether an object is written to at birth, as a program would: one byte in each cache line of its first
/// page, one in each page after that, and its last one. A realloc writes what it added.
enum class Touch : bool { no, yes };

/// Returns how many allocations failed.
std::uint64_t interpret(std::span<const Word> words, void** slots, Touch touch);

}  // namespace strata::replay
