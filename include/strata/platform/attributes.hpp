/// What we ask of the compiler beyond the language.
#pragma once

/// Off the fast path: kept out of line so that the path beside it stays short.
#define STRATA_COLD __attribute__((noinline, cold))
/// On the fast path: a layer is free only while it is inlined.
#define STRATA_INLINE __attribute__((always_inline)) inline
/// Not on the fast path, but not rare either.
#define STRATA_NOINLINE __attribute__((noinline))
