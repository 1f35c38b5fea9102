/// strata-catalogue: prints, as JSON, which heaps there are as drop-ins, and what can be tuned in each. What it
/// says comes from the heaps' own headers, so that nobody else needs to keep a list.
#include <strata/heap/bump_heap.hpp>
#include <strata/heap/kingsley_heap.hpp>

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>
#include <string_view>

namespace {

using nlohmann::ordered_json;

const char* step_of(const strata::Tunable& tunable) {
  switch (tunable.step) {
    case strata::TunableStep::power_of_two:
      return "power of two";
    case strata::TunableStep::any:
      return "any";
  }
  return "any";
}

template <class Tunables>
ordered_json tunables_of() {
  ordered_json list = ordered_json::array();
  for (const strata::Tunable& tunable : Tunables::describe()) {
    list.push_back({{"name", tunable.name},
                    {"default", tunable.standard},
                    {"low", tunable.low},
                    {"high", tunable.high},
                    {"step", step_of(tunable)},
                    {"what", tunable.what}});
  }
  return list;
}

template <class DropIn, class Tunables>
ordered_json heap(const std::string& name, std::string_view type, std::string_view tunables_type, bool reuses,
                  std::string_view summary) {
  static_assert(strata::Heap<DropIn>, "a drop-in is a heap with its tunables as a template argument");
  return {{"name", name},
          {"header", "strata/heap/" + name + "_heap.hpp"},
          {"type", type},
          {"library", "libstrata-" + name + ".so"},
          {"summary", summary},
          {"reuses", reuses},  // a heap that does not is for measuring, and never recommended
          {"tunables_type", tunables_type},
          {"tunables", tunables_of<Tunables>()}};
}

// Types and their names are one token each, so that a name cannot outlive its type.
// NOLINTBEGIN(bugprone-macro-parentheses): types take none
#define HEAP(name, drop_in, tunables, reuses, summary) \
  heap<drop_in<tunables{}>, tunables>(name, #drop_in, #tunables, reuses, summary)
// NOLINTEND(bugprone-macro-parentheses)

ordered_json catalogue() {
  return {{"heaps",
           ordered_json::array({HEAP("kingsley", strata::KingsleyDropIn, strata::KingsleyTunables, true,
                                     "a free list for every power of two: fast, and generous with memory"),
                                HEAP("bump", strata::BumpDropIn, strata::BumpTunables, false,
                                     "never frees: what a program takes if nothing is used again")})}};
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) {
    std::cerr << "strata-catalogue: " << arguments[1] << ": takes no arguments, prints JSON\n";
    return 2;
  }
  std::cout << catalogue().dump(2) << '\n' << std::flush;
  return std::cout ? 0 : 1;
}
