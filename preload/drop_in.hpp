/// Makes a finished heap the complete malloc of an unmodified program. A drop-in is one file:
///
///   #include "preload/drop_in.hpp"
///   #include <strata/heap/kingsley_heap.hpp>
///   STRATA_DROP_IN(strata::KingsleyDropIn)
///
/// compiled with -DSTRATA_NAME=kingsley (the library exports it as strata_drop_in_name) and the flags of the
/// function strata_drop_in in preload/CMakeLists.txt.
///
/// Needs:      a heap as the_heap.hpp requires it, and libc; no C++ runtime.
/// Guarantees: every allocation function of glibc and of C++ (docs/drop-ins.md), from the first instruction
///             of the dynamic linker that allocates to the last of an exit handler; nothing else is exported.
/// Threads:    as the heap's; its fork hooks run around every fork.
/// Cost:       malloc and free are the heap's own, inlined: the ABI adds a test for null.
#pragma once

#ifndef STRATA_NAME
#error "compile a drop-in with -DSTRATA_NAME=the-name-of-the-heap"
#endif

#define STRATA_QUOTE_TOKENS(...) #__VA_ARGS__
#define STRATA_QUOTE(...) STRATA_QUOTE_TOKENS(__VA_ARGS__)
#define STRATA_EXPORT __attribute__((visibility("default")))
#define STRATA_C_EXPORT extern "C" STRATA_EXPORT

#include "preload/c_abi.hpp"
#include "preload/cxx_abi.hpp"
#include "preload/fork.hpp"
#include "preload/statistics.hpp"
#include "preload/the_heap.hpp"

#define STRATA_DROP_IN(...) STRATA_DEFINE_THE_HEAP(__VA_ARGS__)
