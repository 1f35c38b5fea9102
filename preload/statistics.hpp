/// What a drop-in tells about itself: its name, and the bytes asked from the OS, now and at their most.
/// Included once, by drop_in.hpp.
///
/// glibc's structures are filled as far as they mean something for any heap: `arena` is the current
/// footprint, `usmblks` (unused by glibc today) its peak. `mallopt` tunes glibc's own arenas: it accepts
/// everything, as a hint that does not apply here.
#pragma once

#include "preload/the_heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdio>

STRATA_C_EXPORT const char strata_drop_in_name[] = STRATA_QUOTE(STRATA_NAME);

STRATA_C_EXPORT int malloc_trim(std::size_t keep) noexcept {
  return strata::drop_in::TheHeap::trim(keep) ? 1 : 0;
}

STRATA_C_EXPORT int mallopt(int, int) noexcept {
  return 1;
}

STRATA_C_EXPORT struct mallinfo2 mallinfo2() noexcept {
  const strata::Footprint footprint = strata::drop_in::TheHeap::footprint();
  struct mallinfo2 info = {};
  info.arena = footprint.current;
  info.usmblks = footprint.peak;
  return info;
}

/// The same in ints: what does not fit is told as INT_MAX, where glibc wraps.
STRATA_C_EXPORT struct mallinfo mallinfo() noexcept {
  const auto saturated = [](std::size_t n) { return static_cast<int>(std::min<std::size_t>(n, INT_MAX)); };
  const strata::Footprint footprint = strata::drop_in::TheHeap::footprint();
  struct mallinfo info = {};
  info.arena = saturated(footprint.current);
  info.usmblks = saturated(footprint.peak);
  return info;
}

STRATA_C_EXPORT void malloc_stats() noexcept {
  const strata::Footprint footprint = strata::drop_in::TheHeap::footprint();
  std::fprintf(stderr, "strata %s: %zu bytes from the system, %zu at most\n", strata_drop_in_name,
               footprint.current, footprint.peak);
}

STRATA_C_EXPORT int malloc_info(int options, std::FILE* stream) noexcept {
  if (options != 0) return EINVAL;
  const strata::Footprint footprint = strata::drop_in::TheHeap::footprint();
  std::fprintf(stream,
               "<malloc version=\"1\">\n<heap nr=\"0\" name=\"strata %s\">\n"
               "<system type=\"current\" size=\"%zu\"/>\n<system type=\"max\" size=\"%zu\"/>\n"
               "</heap>\n</malloc>\n",
               strata_drop_in_name, footprint.current, footprint.peak);
  return 0;
}
