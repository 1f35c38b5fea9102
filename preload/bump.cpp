#include "preload/drop_in.hpp"

#include <strata/heap/bump_heap.hpp>

STRATA_DROP_IN(strata::BumpDropIn<>)
