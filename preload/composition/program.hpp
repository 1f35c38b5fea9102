/// A program that prints the tree of one heap, for a heap that strata-catalogue does not hold ready:
///
///   #include "preload/composition/program.hpp"
///   #include <strata/heap/kingsley_heap.hpp>
///   STRATA_COMPOSITION(strata::KingsleyDropIn<strata::KingsleyTunables{.steps = 4}>)
#pragma once

#include "preload/composition/json.hpp"

#include <iostream>

#define STRATA_COMPOSITION(...)                                                             \
  int main() {                                                                              \
    std::cout << strata::composition::tree_of<__VA_ARGS__>().dump(2) << '\n' << std::flush; \
    return std::cout ? 0 : 1;                                                               \
  }
