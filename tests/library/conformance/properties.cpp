#include "library/conformance/properties.hpp"

namespace strata::conformance {

namespace {

bool serves(const Traits& traits) {
  return traits.largest != 0;
}

template <Capability Needed>
bool has(const Traits& traits) {
  return serves(traits) && traits.capabilities.contains(Needed);
}

}  // namespace

const std::vector<Property>& properties() {
  static const std::vector<Property> all = {
      {"capabilities", [](const Traits&) { return true; }, check_capabilities},
      {"empty", [](const Traits& traits) { return !serves(traits); }, check_empty},
      {"sizes", serves, check_sizes},
      {"contents", serves, check_contents},
      {"reuse", [](const Traits& traits) { return serves(traits) && traits.reuses; }, check_reuse},
      {"memalign", has<Capability::memalign>, check_memalign},
      {"try_extend", has<Capability::try_extend>, check_try_extend},
      {"shrink", has<Capability::shrink>, check_shrink},
      {"remap", has<Capability::remap>, check_remap},
      {"zeroed", has<Capability::zeroed>, check_zeroed},
      {"take", has<Capability::take>, check_take},
      {"remove", has<Capability::remove>, check_remove},
      {"owns", has<Capability::owns>, check_owns},
      {"trim", has<Capability::trim>, check_trim},
      {"footprint", has<Capability::footprint>, check_footprint},
      {"clear", has<Capability::clear>, check_clear},
      {"destructor", serves, check_destructor},
      {"refusals", serves, check_refusals},
      {"instances", serves, check_instances},
      {"edges", has<Capability::ansi>, check_edges},
      {"calloc", has<Capability::ansi>, check_calloc},
      {"realloc", has<Capability::ansi>, check_realloc},
      {"threads", [](const Traits& traits) { return serves(traits) && traits.thread_safe; }, check_threads},
      {"lock", has<Capability::fork_hooks>, check_lock},
      {"fork", has<Capability::fork_hooks>, check_fork},
  };
  return all;
}

void check_all(const Composition& composition, Violations& violations) {
  for (const Property& property : properties()) {
    if (!property.applies(composition.traits)) continue;
    violations.enter(property.name);
    property.check(composition, violations);
  }
}

void expect_no_complaints(Subject& subject, Violations& violations) {
  for (const std::string& complaint : subject.supply().complaints()) violations.expect(false, complaint);
}

void expect_all_returned(Subject& subject, Violations& violations, const std::string& after) {
  const Supply& supply = subject.supply();
  if (supply.watched()) {
    violations.expect(supply.outstanding() == 0, supply.outstanding(), " bytes were not returned ", after);
  }
  expect_no_complaints(subject, violations);
}

}  // namespace strata::conformance
