/// What every heap must do: the one suite that runs over every source, layer and heap, and that every seeded
/// mutant must fail.
///
/// A property makes heaps of a composition as it needs them, and records what it finds wrong. It applies to heaps
/// that have the capability that it is about.
#pragma once

#include "library/conformance/subject.hpp"
#include "library/conformance/violations.hpp"

#include <string>
#include <vector>

namespace strata::conformance {

struct Property {
  std::string name;
  bool (*applies)(const Traits&);
  void (*check)(const Composition&, Violations&);
};

const std::vector<Property>& properties();

/// Every property that applies.
void check_all(const Composition&, Violations&);

// block_properties.cpp
void check_capabilities(const Composition&, Violations&);
void check_sizes(const Composition&, Violations&);
void check_contents(const Composition&, Violations&);
void check_reuse(const Composition&, Violations&);
void check_empty(const Composition&, Violations&);

// resize_properties.cpp
void check_try_extend(const Composition&, Violations&);
void check_shrink(const Composition&, Violations&);
void check_remap(const Composition&, Violations&);

// capability_properties.cpp
void check_memalign(const Composition&, Violations&);
void check_zeroed(const Composition&, Violations&);
void check_take(const Composition&, Violations&);
void check_remove(const Composition&, Violations&);
void check_owns(const Composition&, Violations&);
void check_trim(const Composition&, Violations&);
void check_footprint(const Composition&, Violations&);

// lifetime_properties.cpp
void check_clear(const Composition&, Violations&);
void check_destructor(const Composition&, Violations&);
void check_refusals(const Composition&, Violations&);
void check_instances(const Composition&, Violations&);

// ansi_properties.cpp
void check_edges(const Composition&, Violations&);
void check_calloc(const Composition&, Violations&);
void check_realloc(const Composition&, Violations&);

// thread_properties.cpp
void check_threads(const Composition&, Violations&);
void check_lock(const Composition&, Violations&);
void check_fork(const Composition&, Violations&);

/// After a heap is gone: its supply has everything back, and nothing to complain about.
void expect_all_returned(Subject& subject, Violations& violations, const std::string& after);
void expect_no_complaints(Subject& subject, Violations& violations);

}  // namespace strata::conformance
