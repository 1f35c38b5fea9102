/// strata-catalogue: prints, as JSON, which heaps there are as drop-ins, and what can be tuned in each; with
/// --tree NAME, what one of them is made of. What it says comes from the heaps' own headers, so that nobody else
/// needs to keep a list.
#include "preload/composition/json.hpp"

#include <strata/heap/bump_heap.hpp>
#include <strata/heap/coalescing_kingsley_heap.hpp>
#include <strata/heap/kingsley_heap.hpp>
#include <strata/heap/lea_heap.hpp>

#include <nlohmann/json.hpp>

#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

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

struct Entry {
  ordered_json about;
  ordered_json (*tree)();
};

template <class DropIn, class Tunables>
Entry heap(const std::string& name, std::string_view type, std::string_view tunables_type, bool reuses,
           std::string_view summary) {
  static_assert(strata::Heap<DropIn>, "a drop-in is a heap with its tunables as a template argument");
  return {{{"name", name},
           {"header", "strata/heap/" + name + "_heap.hpp"},
           {"type", type},
           {"library", "libstrata-" + name + ".so"},
           {"summary", summary},
           {"reuses", reuses},  // a heap that does not is for measuring, and never recommended
           {"tunables_type", tunables_type},
           {"tunables", tunables_of<Tunables>()}},
          strata::composition::tree_of<DropIn>};
}

// Types and their names are one token each, so that a name cannot outlive its type.
// NOLINTBEGIN(bugprone-macro-parentheses): types take none
#define HEAP(name, drop_in, tunables, reuses, summary) \
  heap<drop_in<tunables{}>, tunables>(name, #drop_in, #tunables, reuses, summary)
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> heaps() {
  return {HEAP("kingsley", strata::KingsleyDropIn, strata::KingsleyTunables, true,
               "a free list for every power of two: fast, and generous with memory"),
          HEAP("coalescing_kingsley", strata::CoalescingKingsleyDropIn, strata::CoalescingKingsleyTunables,
               true, "Kingsley's powers of two, with coalescing and splitting"),
          HEAP("lea", strata::LeaDropIn, strata::LeaTunables, true,
               "quick lists, approximate best fit, mappings: close to glibc's own"),
          HEAP("bump", strata::BumpDropIn, strata::BumpTunables, false,
               "never frees: what a program takes if nothing is used again")};
}

int print(const ordered_json& json) {
  std::cout << json.dump(2) << '\n' << std::flush;
  return std::cout ? 0 : 1;
}

int print_all() {
  ordered_json all = ordered_json::array();
  for (const Entry& entry : heaps()) all.push_back(entry.about);
  return print({{"heaps", all}});
}

int print_tree(std::string_view name) {
  for (const Entry& entry : heaps()) {
    if (entry.about["name"] == name) return print(entry.tree());
  }
  std::cerr << "strata-catalogue: " << name << ": no such heap; without arguments, all are listed\n";
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const std::vector<std::string_view> words(arguments + 1, arguments + count);
    if (words.empty()) return print_all();
    if (words.size() == 2 && words[0] == "--tree") return print_tree(words[1]);
    std::cerr << "strata-catalogue: " << words[0] << ": usage: strata-catalogue [--tree NAME]\n";
    return 2;
  } catch (const std::exception& error) {  // out of memory
    std::cerr << "strata-catalogue: " << error.what() << '\n';
    return 1;
  }
}
