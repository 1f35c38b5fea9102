#include "library/conformance/workload.hpp"

#include "library/conformance/effort.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <algorithm>

namespace strata::conformance {

std::vector<std::size_t> telling_sizes(const Traits& traits) {
  if (traits.only_size != 0) return {traits.only_size};
  std::vector<std::size_t> sizes;
  for (std::size_t size = 1; size <= 80; ++size) sizes.push_back(size);
  for (std::size_t power = 128; power <= 4 * MiB / restraint; power *= 2) {
    for (const std::size_t size :
         {power - 17, power - 16, power - 8, power - 1, power, power + 1, power + 8, power + power / 2}) {
      sizes.push_back(size);
    }
  }
  for (const std::size_t pages : {3U, 5U, 16U, 31U}) sizes.push_back(pages * 4 * KiB);
  std::erase_if(sizes, [&](std::size_t size) { return size > traits.largest; });
  return sizes;
}

Load fit(Load load, const Traits& traits) {
  load.largest = std::min(load.largest, std::max<std::size_t>(traits.largest / 8, 64));
  load.most_bytes = std::min(load.most_bytes, traits.largest / 2);
  // What does not reuse grows with every operation.
  if (!traits.reuses) load.operations = std::min<std::size_t>(load.operations, 2000);
  return load;
}

std::size_t Workload::pick_size() {
  const Traits& traits = subject_.traits();
  if (traits.only_size != 0) return traits.only_size;
  const std::size_t kind = below(100);
  const std::size_t most = std::min(kind < 70 ? 256 : kind < 97 ? 8 * KiB : load_.largest, load_.largest);
  return 1 + below(most);
}

void* Workload::pick_block() {
  return shadow_.at(below(shadow_.count()));
}

void Workload::ask() {
  const std::size_t size = pick_size();
  const std::size_t kind = below(10);
  void* block = nullptr;
  if (kind == 0 && subject_.has(Capability::memalign)) {
    block = shadow_.memalign(natural_alignment << below(9), size);
  } else if (kind == 1 && subject_.has(Capability::ansi)) {
    block = shadow_.calloc(1 + below(3), std::max<std::size_t>(size / 3, 1));
  } else {
    block = shadow_.malloc(size);
  }
  violations_.expect(block != nullptr || load_.may_fail, "no usable block for a request of ", size);
}

void Workload::change() {
  void* const block = pick_block();
  if (below(3) == 0 && subject_.has(Capability::try_extend)) {
    const std::size_t only = subject_.traits().only_size;
    const std::size_t size = only != 0 ? only : shadow_.asked(block) + below(128);
    shadow_.try_extend(block, size);
  } else if (below(4) == 0 && subject_.has(Capability::shrink)) {
    shadow_.shrink(block, subject_.traits().only_size != 0 ? subject_.traits().only_size
                                                           : 1 + below(shadow_.asked(block)));
  } else if (below(4) == 0 && subject_.has(Capability::remap)) {
    shadow_.remap(block, subject_.traits().only_size != 0 ? subject_.traits().only_size : pick_size());
  } else if (subject_.has(Capability::ansi)) {
    const bool moved = shadow_.realloc(block, pick_size()) != nullptr;
    violations_.expect(moved || load_.may_fail, "realloc failed");
  }
}

void Workload::step() {
  const bool full = shadow_.count() >= load_.most_blocks || shadow_.bytes_asked() >= load_.most_bytes;
  const std::size_t kind = below(100);
  if (shadow_.count() == 0 || (kind < 55 && !full)) {
    ask();
  } else if (kind < 65 && !full) {
    change();
  } else {
    shadow_.free(pick_block());
  }
}

void Workload::run() {
  for (std::size_t i = 0; i < load_.operations && !violations_.enough(); ++i) step();
}

void run(Subject& subject, Violations& violations, const Load& load) {
  Workload workload(subject, violations, load);
  workload.run();
  workload.shadow().free_all();
}

}  // namespace strata::conformance
