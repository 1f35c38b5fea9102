/// Every form of operator new and delete over TheHeap. Included once, by drop_in.hpp.
///
/// As the standard has it, only four forms are our own: plain and aligned new, plain and aligned delete. Each
/// of the others goes through these by their exported names, so that a program which replaces one of them
/// gets its own from every form. All are weak, as in libstdc++, so that no compiler inlines one into another.
#pragma once

#include "preload/cxx_runtime.hpp"
#include "preload/the_heap.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#define STRATA_REPLACEABLE __attribute__((weak, visibility("default")))

namespace strata::drop_in {

/// operator new must not return null, and here is nobody to throw: end as terminate would.
[[noreturn]] STRATA_COLD inline void die_of_exhaustion() {
  constexpr char text[] =
      "strata: operator new: out of memory, and the program has no C++ runtime to throw bad_alloc\n";
  static_cast<void>(::write(STDERR_FILENO, text, sizeof text - 1) == 0);
  std::abort();
}

/// Hands a failed throwing form over to the runtime's own.
template <class... Arguments>
[[gnu::returns_nonnull]] STRATA_COLD void* new_failed(const char* form, const void* caller,
                                                      Arguments... arguments) {
  void* const own = runtimes_own(form, caller);
  if (own == nullptr) die_of_exhaustion();
  return reinterpret_cast<void* (*)(Arguments...)>(own)(arguments...);
}

/// The nothrow forms are the runtime's own too: it catches what the throwing form or a new-handler throws.
/// Without a runtime nothing can throw.
template <class... Arguments>
STRATA_COLD void* nothrow_new(const char* form, const void* caller, Arguments... arguments) {
  void* const own = runtimes_own(form, caller);
  if (own == nullptr) return nullptr;
  return reinterpret_cast<void* (*)(Arguments..., const std::nothrow_t&)>(own)(arguments...,
                                                                               std::nothrow_t{});
}

}  // namespace strata::drop_in

STRATA_REPLACEABLE void* operator new(std::size_t size) {
  void* const block = strata::drop_in::TheHeap::malloc(size);
  if (block != nullptr) [[likely]]
    return block;
  return strata::drop_in::new_failed("_Znwm", __builtin_return_address(0), size);
}

STRATA_REPLACEABLE void* operator new(std::size_t size, std::align_val_t alignment) {
  void* const block = strata::drop_in::TheHeap::memalign(static_cast<std::size_t>(alignment), size);
  if (block != nullptr) [[likely]]
    return block;
  return strata::drop_in::new_failed("_ZnwmSt11align_val_t", __builtin_return_address(0), size, alignment);
}

STRATA_REPLACEABLE void* operator new[](std::size_t size) {
  return ::operator new(size);
}

STRATA_REPLACEABLE void* operator new[](std::size_t size, std::align_val_t alignment) {
  return ::operator new(size, alignment);
}

// What the names of the throwing forms lead to unless the program replaced them.
#define STRATA_OWN(form) __attribute__((alias(form), visibility("hidden"), malloc, alloc_size(1)))
extern "C" {
void* strata_new(std::size_t) STRATA_OWN("_Znwm");
void* strata_array_new(std::size_t) STRATA_OWN("_Znam");
void* strata_aligned_new(std::size_t, std::align_val_t) STRATA_OWN("_ZnwmSt11align_val_t");
void* strata_aligned_array_new(std::size_t, std::align_val_t) STRATA_OWN("_ZnamSt11align_val_t");
}

namespace strata::drop_in {

using New = void* (*)(std::size_t);
using AlignedNew = void* (*)(std::size_t, std::align_val_t);

inline bool new_is_ours() {
  return static_cast<New>(&::operator new) == &strata_new;
}
inline bool array_new_is_ours() {
  return new_is_ours() && static_cast<New>(&::operator new[]) == &strata_array_new;
}
inline bool aligned_new_is_ours() {
  return static_cast<AlignedNew>(&::operator new) == &strata_aligned_new;
}
inline bool aligned_array_new_is_ours() {
  return aligned_new_is_ours() && static_cast<AlignedNew>(&::operator new[]) == &strata_aligned_array_new;
}

}  // namespace strata::drop_in

STRATA_REPLACEABLE void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (strata::drop_in::new_is_ours()) [[likely]] {
    void* const block = strata::drop_in::TheHeap::malloc(size);
    if (block != nullptr) [[likely]]
      return block;
  }
  return strata::drop_in::nothrow_new("_ZnwmRKSt9nothrow_t", __builtin_return_address(0), size);
}

STRATA_REPLACEABLE void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  if (strata::drop_in::array_new_is_ours()) [[likely]] {
    void* const block = strata::drop_in::TheHeap::malloc(size);
    if (block != nullptr) [[likely]]
      return block;
  }
  return strata::drop_in::nothrow_new("_ZnamRKSt9nothrow_t", __builtin_return_address(0), size);
}

STRATA_REPLACEABLE void* operator new(std::size_t size, std::align_val_t alignment,
                                      const std::nothrow_t&) noexcept {
  if (strata::drop_in::aligned_new_is_ours()) [[likely]] {
    void* const block = strata::drop_in::TheHeap::memalign(static_cast<std::size_t>(alignment), size);
    if (block != nullptr) [[likely]]
      return block;
  }
  return strata::drop_in::nothrow_new("_ZnwmSt11align_val_tRKSt9nothrow_t", __builtin_return_address(0), size,
                                      alignment);
}

STRATA_REPLACEABLE void* operator new[](std::size_t size, std::align_val_t alignment,
                                        const std::nothrow_t&) noexcept {
  if (strata::drop_in::aligned_array_new_is_ours()) [[likely]] {
    void* const block = strata::drop_in::TheHeap::memalign(static_cast<std::size_t>(alignment), size);
    if (block != nullptr) [[likely]]
      return block;
  }
  return strata::drop_in::nothrow_new("_ZnamSt11align_val_tRKSt9nothrow_t", __builtin_return_address(0), size,
                                      alignment);
}

STRATA_REPLACEABLE void operator delete(void* block) noexcept {
  strata::drop_in::TheHeap::free(block);
}

STRATA_REPLACEABLE void operator delete(void* block, std::align_val_t) noexcept {
  strata::drop_in::TheHeap::free(block);
}

STRATA_REPLACEABLE void operator delete[](void* block) noexcept {
  ::operator delete(block);
}

STRATA_REPLACEABLE void operator delete[](void* block, std::align_val_t alignment) noexcept {
  ::operator delete(block, alignment);
}

STRATA_REPLACEABLE void operator delete(void* block, std::size_t) noexcept {
  ::operator delete(block);
}

STRATA_REPLACEABLE void operator delete[](void* block, std::size_t) noexcept {
  ::operator delete[](block);
}

STRATA_REPLACEABLE void operator delete(void* block, std::size_t, std::align_val_t alignment) noexcept {
  ::operator delete(block, alignment);
}

STRATA_REPLACEABLE void operator delete[](void* block, std::size_t, std::align_val_t alignment) noexcept {
  ::operator delete[](block, alignment);
}

STRATA_REPLACEABLE void operator delete(void* block, const std::nothrow_t&) noexcept {
  ::operator delete(block);
}

STRATA_REPLACEABLE void operator delete[](void* block, const std::nothrow_t&) noexcept {
  ::operator delete[](block);
}

STRATA_REPLACEABLE void operator delete(void* block, std::align_val_t alignment,
                                        const std::nothrow_t&) noexcept {
  ::operator delete(block, alignment);
}

STRATA_REPLACEABLE void operator delete[](void* block, std::align_val_t alignment,
                                          const std::nothrow_t&) noexcept {
  ::operator delete[](block, alignment);
}
