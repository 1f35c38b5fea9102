/// Hostile operations on finished heaps against a shadow model, as many as one asks for, repeatable by their seed.
///
///   test-library-stress [--threads N] OPERATIONS SEED [HEAP...]
///   test-library-stress --list
///
/// Without HEAPs: on every finished heap; with --threads, on those that have a lock, by so many threads at a time.
/// A heap is named as in conformance/compositions.cpp; `variants` are those that --list leaves out. Prints a line a
/// heap; exit status 1, and what was wrong and how to see it again, if one breaks a promise.

#include "library/conformance/compositions.hpp"
#include "library/stress/last_words.hpp"
#include "library/stress/soak.hpp"

#include <getopt.h>
#include <malloc.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace strata::stress {
namespace {

using conformance::Composition;
using conformance::finished_heaps;

struct Job {
  std::size_t threads = 0;
  std::size_t operations = 0;
  std::uint64_t seed = 0;
  std::vector<const Composition*> heaps;
};

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr,
               "test-library-stress: %s; usage: test-library-stress [--threads N] OPERATIONS SEED [HEAP...] "
               "| --list\n",
               what.c_str());
  std::exit(2);
}

std::size_t number(const char* argument) {
  char* end = nullptr;
  const std::size_t value = std::strtoull(argument, &end, 10);
  if (end == argument || *end != '\0') give_up(std::string("not a number: ") + argument);
  return value;
}

bool has_lock(const Composition& heap) {
  return heap.traits.capabilities.contains(Capability::fork_hooks);
}

std::vector<const Composition*> heaps_named(const std::string& name) {
  std::vector<const Composition*> found;
  for (const Composition& heap : finished_heaps()) {
    if (name.empty() || heap.traits.name == name || (name == "variants" && heap.traits.variant)) {
      found.push_back(&heap);
    }
  }
  if (found.empty()) give_up("no such heap: " + name);
  return found;
}

void list() {
  for (const Composition& heap : finished_heaps()) {
    if (!heap.traits.variant) std::printf("%s\n", heap.traits.name.c_str());
  }
}

Job job_of(int argc, char** argv) {
  Job job;
  static constexpr option options[] = {{"threads", required_argument, nullptr, 't'},
                                       {"list", no_argument, nullptr, 'l'},
                                       {nullptr, 0, nullptr, 0}};
  for (int option = 0; (option = ::getopt_long(argc, argv, "", options, nullptr)) != -1;) {
    if (option == 'l') {
      list();
      std::exit(0);
    }
    if (option != 't') give_up("unknown option");
    job.threads = number(::optarg);
  }
  if (argc - ::optind < 2) give_up("how many operations, and from which seed?");
  job.operations = number(argv[::optind]);
  job.seed = number(argv[::optind + 1]);
  if (argc - ::optind == 2) job.heaps = heaps_named("");
  for (int i = ::optind + 2; i < argc; ++i) {
    const auto more = heaps_named(argv[i]);
    job.heaps.insert(job.heaps.end(), more.begin(), more.end());
  }
  if (job.threads != 0) std::erase_if(job.heaps, [](const Composition* heap) { return !has_lock(*heap); });
  return job;
}

bool stress(const Composition& heap, const Job& job) {
  const char* const name = heap.traits.name.c_str();
  bool sound = true;
  const auto on_failure = [&](const Failure& failure) {
    sound = false;
    std::printf(
        "%s: BROKEN at operation %zu of seed %llu; to see it again: test-library-stress %s%zu %llu '%s'\n%s",
        name, failure.operation, static_cast<unsigned long long>(failure.seed),
        job.threads == 0 ? "" : ("--threads " + std::to_string(job.threads) + " ").c_str(), job.operations,
        static_cast<unsigned long long>(failure.seed), name, failure.text.c_str());
    std::fflush(stdout);
  };
  const auto begun = std::chrono::steady_clock::now();
  const Outcome outcome = job.threads == 0 ? soak(heap, job.operations, job.seed, on_failure)
                                           : soak(heap, job.threads, job.operations, job.seed, on_failure);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const Tally& did = outcome.tally;
  std::printf(
      "%s: %zu operations (%zu asked, %zu freed, %zu changed, %zu refused) on %zu heaps, seeds %llu to %llu, "
      "at most %zu blocks and %zu KiB at a time, in %.1f s, %.1f million a second: %s\n",
      name, did.operations, did.asked, did.freed, did.changed, did.refused, outcome.heaps,
      static_cast<unsigned long long>(job.seed),
      static_cast<unsigned long long>(job.seed + outcome.heaps - 1), did.most_blocks, did.most_bytes / 1024,
      seconds, static_cast<double>(did.operations) / seconds / 1e6, sound ? "sound" : "BROKEN");
  std::fflush(stdout);
  return sound;
}

/// What a heap does depends on addresses too: with the same ones in every run, a seed repeats it. Where the system does
/// not allow that, runs differ as addresses do.
void keep_addresses(char** argv) {
  const int persona = ::personality(0xFFFFFFFF);
  if (persona == -1 || (persona & ADDR_NO_RANDOMIZE) != 0) return;
  if (::personality(static_cast<unsigned>(persona) | ADDR_NO_RANDOMIZE) != -1)
    ::execv("/proc/self/exe", argv);
}

}  // namespace
}  // namespace strata::stress

int main(int argc, char** argv) {
  using namespace strata::stress;
  keep_addresses(argv);
  const Job job = job_of(argc, argv);
  // The C library takes from the program break what it will need, so that a heap under test finds it unmoved.
  ::mallopt(M_TOP_PAD, 16 << 20);
  install_last_words();
  bool sound = true;
  for (const strata::conformance::Composition* const heap : job.heaps) sound = stress(*heap, job) && sound;
  return sound ? 0 : 1;
}
