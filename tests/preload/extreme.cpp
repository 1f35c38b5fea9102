// Kingsley with every tunable off its default: as a recipe of the lab compiles one.
#include "preload/drop_in.hpp"

#include <strata/heap/kingsley_heap.hpp>

STRATA_DROP_IN(strata::KingsleyDropIn<strata::KingsleyTunables{.chunk = 4096, .growth = 4096, .steps = 16}>)
