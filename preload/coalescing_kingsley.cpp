#include "preload/drop_in.hpp"

#include <strata/heap/coalescing_kingsley_heap.hpp>

STRATA_DROP_IN(strata::CoalescingKingsleyDropIn<>)
