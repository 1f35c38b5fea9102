/// The malloc that the program would have used without the recorder: the next definition after ours.
///
/// Needs:      libc's dlsym.
/// Guarantees: `real` can be called at any time, also from inside the dlsym that looks it up: until then, and
/// from other
///             threads meanwhile, blocks come from a small arena that is never reused. Such blocks reach free
///             and realloc later, which must ask bootstrap_owns() first.
/// Threads:    any; no lock. Whoever comes while another thread resolves is served by the arena.
/// Cost:       once resolved, one indirect call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata::recorder {

struct Real {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  void* (*memalign)(std::size_t, std::size_t);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
  void* (*valloc)(std::size_t);
  void* (*pvalloc)(std::size_t);
  std::size_t (*usable_size)(void*);
};

[[gnu::visibility("hidden")]] extern Real real;

/// Looks `real` up on the first call. False while another call, below on this stack or in another thread,
/// does.
bool resolve();

inline constexpr std::size_t bootstrap_bytes = std::size_t{64} * 1024;
alignas(16) [[gnu::visibility("hidden")]] extern unsigned char bootstrap_arena[bootstrap_bytes];

inline bool bootstrap_owns(const void* block) {
  return reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(bootstrap_arena) <
         bootstrap_bytes;
}
std::size_t bootstrap_size(const void* block);

}  // namespace strata::recorder
