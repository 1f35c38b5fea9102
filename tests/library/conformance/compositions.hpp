/// The list: every source, layer and finished heap, in compositions small enough that a violation names its
/// culprit. A header of the library that no entry names fails the suite.
#pragma once

#include "library/conformance/subject.hpp"

#include <vector>

namespace strata::conformance {

const std::vector<Composition>& sources();
const std::vector<Composition>& layers();
const std::vector<Composition>& coalescing_layers();
const std::vector<Composition>& finished_heaps();

std::vector<Composition> all_compositions();

}  // namespace strata::conformance
