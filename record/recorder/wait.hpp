/// Finding a slot, and waiting for one when all are taken.
///
/// Guarantees: no wait without an end. Full slots are waited for as long as the drainer's heart beats; when
/// it has not for
///             some seconds, or its process is gone, the recording is over for every process. Where all slots
///             are held by live threads, waiting is given up soon: the thread loses events, which are
///             counted.
/// Threads:    any; no lock, one compare-and-swap a claim.
/// Cost:       a scan of the slots' owner words, once in some thousand events.
#pragma once

#include <strata/event/slot_file.hpp>

namespace strata::recorder {

inline constexpr std::uint32_t no_slot = ~std::uint32_t{0};

/// The number of a slot that is `owner`'s from now on, or no_slot.
std::uint32_t claim_slot(slots::Owner owner);

/// Tells the drainer that a slot became full.
void announce_work();

void note_lost(std::uint64_t events);

}  // namespace strata::recorder
