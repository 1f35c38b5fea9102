#include "preload/drop_in.hpp"

#include <strata/heap/lea_heap.hpp>

STRATA_DROP_IN(strata::LeaDropIn<>)
