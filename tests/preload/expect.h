/* What the programs under test say: one line for each thing that is not as it must be, and an exit status.
   Usable from C and C++, with any C++ runtime; safe to use from several threads. */
#ifndef STRATA_TESTS_PRELOAD_EXPECT_H
#define STRATA_TESTS_PRELOAD_EXPECT_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expect_failures;

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      __atomic_add_fetch(&expect_failures, 1, __ATOMIC_RELAXED);              \
    }                                                                         \
  } while (0)

/* The test is worth nothing unless the drop-in is there: the runner names it in STRATA_EXPECT. */
static inline void expect_drop_in(void) {
  const char* const wanted = getenv("STRATA_EXPECT");
  const char* const found = (const char*)dlsym(RTLD_DEFAULT, "strata_drop_in_name");
  if (wanted == NULL || found == NULL || strcmp(wanted, found) != 0) {
    fprintf(stderr, "the drop-in is %s, not %s\n", found == NULL ? "missing" : found,
            wanted == NULL ? "named by STRATA_EXPECT" : wanted);
    exit(2);
  }
}

/* Whether the drop-in hands freed memory out again: one that does not must be asked for little. */
static inline int heap_reuses(void) {
  return strcmp(getenv("STRATA_EXPECT"), "bump") != 0;
}

static inline int expect_status(void) {
  return expect_failures == 0 ? 0 : 1;
}

static inline int aligned_to(const void* p, size_t alignment) {
  return (uintptr_t)p % alignment == 0;
}

/* A pattern that tells blocks and offsets apart, so that a block which another one overlaps is noticed. */
static inline void fill(void* p, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; ++i) ((unsigned char*)p)[i] = (unsigned char)(seed + i * 7u + 1u);
}
static inline int filled(const void* p, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; ++i) {
    if (((const unsigned char*)p)[i] != (unsigned char)(seed + i * 7u + 1u)) return 0;
  }
  return 1;
}

#endif
