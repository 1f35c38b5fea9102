#include "preload/drop_in.hpp"

#include <strata/heap/kingsley_heap.hpp>

STRATA_DROP_IN(strata::KingsleyDropIn<>)
