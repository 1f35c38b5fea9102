#include "library/stress/program.hpp"

#include "library/conformance/properties.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <algorithm>

namespace strata::stress {

namespace {

/// What a heap that never reuses memory may take before it has to make room for the next.
constexpr std::size_t most_for_one_use = 256 * MiB;

}  // namespace

void Tally::add(const Tally& other) {
  operations += other.operations;
  asked += other.asked;
  freed += other.freed;
  changed += other.changed;
  refused += other.refused;
  most_blocks = std::max(most_blocks, other.most_blocks);
  most_bytes = std::max(most_bytes, other.most_bytes);
}

Program::Program(Subject& subject, Occupancy& occupancy, Violations& violations, std::uint64_t seed,
                 Mailbox* mailbox)
    : subject_(subject),
      violations_(violations),
      mailbox_(mailbox),
      random_(seed),
      limits_(limits_for(subject.traits())),
      shadow_(subject, occupancy, violations, random_(), mailbox == nullptr),
      ansi_(subject.has(Capability::ansi)),
      aligns_(subject.has(Capability::memalign)),
      extends_(subject.has(Capability::try_extend)),
      shrinks_(subject.has(Capability::shrink)),
      remaps_(subject.has(Capability::remap)) {}

bool Program::exhausted() const {
  return !violations_.empty() || (!subject_.traits().reuses && bytes_in_all_ > most_for_one_use);
}

void Program::run(std::size_t operations) {
  const std::size_t end = tally_.operations + operations;
  while (tally_.operations < end && !exhausted()) {
    const Phase phase = draw_phase(random_, limits_, operations);
    starved_ = mailbox_ == nullptr && random_.once_in(16);
    if (starved_) subject_.supply().refuse(1 + random_.below(8), random_.once_in(2));
    live_through(phase, std::min(end, tally_.operations + phase.operations));
    if (starved_) subject_.supply().refuse_none();
    starved_ = false;
    tally_.most_blocks = std::max(tally_.most_blocks, shadow_.count());
    tally_.most_bytes = std::max(tally_.most_bytes, shadow_.bytes());
    if (mailbox_ == nullptr && violations_.empty()) rest();
  }
}

void Program::live_through(const Phase& phase, std::size_t end) {
  while (tally_.operations < end && !exhausted()) step(phase);
}

void Program::step(const Phase& phase) {
  const std::size_t blocks = shadow_.count();
  const bool full = blocks >= phase.most_blocks || shadow_.bytes() >= phase.most_bytes;
  const std::size_t chance = random_.below(256);
  if (full) {
    rising_ = false;
  } else if (blocks <= phase.fewest_blocks) {
    rising_ = true;
  }
  const bool asks = phase.bursts ? rising_ : chance < phase.changes + phase.asks;
  if (blocks == 0) {
    ask(phase);
  } else if (chance < phase.changes) {
    change(phase);
  } else if (asks && !full) {
    ask(phase);
  } else {
    drop(phase.order);
  }
  if (mailbox_ != nullptr && random_.once_in(16)) hand_on();
}

/// A request may be refused when memory is, and by a heap whose memory is a buffer.
void Program::count(bool served, std::size_t& kind) {
  ++tally_.operations;
  ++kind;
  if (served) return;
  ++tally_.refused;
  violations_.expect(starved_ || !subject_.supply().watched(), "a request was refused");
}

void Program::ask(const Phase& phase) {
  const std::size_t size = phase.sizes[random_.below(phase.sizes.size())];
  const std::size_t chance = random_.below(256);
  bytes_in_all_ += size;
  bool served = false;
  if (aligns_ && chance < phase.aligned) {
    const std::size_t boundary = natural_alignment << random_.below(random_.once_in(32) ? 13 : 6);
    bytes_in_all_ += boundary;
    served = shadow_.memalign(boundary, size);
  } else if (ansi_ && chance < phase.aligned + phase.zeroed) {
    const std::size_t count = 1 + random_.below(4);
    served = shadow_.calloc(count, (size + count - 1) / count);
  } else {
    served = shadow_.malloc(size);
  }
  count(served, tally_.asked);
}

/// Where a block lies, or by moving pages; false if it is to be done otherwise.
bool Program::resize(std::size_t index, std::size_t size) {
  const std::size_t only = subject_.traits().only_size;
  switch (random_.below(ansi_ ? 12 : 3)) {
    case 0:
      if (!extends_) return false;
      shadow_.try_extend(index, only != 0 ? only : size + 1 + random_.below(random_.once_in(2) ? 32 : size));
      return true;
    case 1:
      if (!shrinks_) return false;
      shadow_.shrink(index, 1 + random_.below(size));
      return true;
    case 2:
      if (!remaps_ || only != 0) return false;
      shadow_.remap(index, std::min(1 + random_.below(2 * size), std::max(size, limits_.largest)));
      return true;
    default:
      return false;
  }
}

void Program::change(const Phase& phase) {
  const std::size_t index = random_.below(shadow_.count());
  const std::size_t size = shadow_.asked(index);
  if (resize(index, size)) {
    ++tally_.operations;
    ++tally_.changed;
    return;
  }
  if (!ansi_) return drop(phase.order);
  std::size_t next = 0;
  switch (random_.below(6)) {
    case 0:
      next = size / 2 + 1;
      break;
    case 1:
      next = size - random_.below(size);
      break;
    case 2:
      next = size + 1 + random_.below(32);
      break;
    case 3:
      next = size + size / 2 + 1;
      break;
    case 4:
      next = 2 * size;
      break;
    default:
      next = phase.sizes[random_.below(phase.sizes.size())];
  }
  next = std::min(next, std::max(size, limits_.largest));
  bytes_in_all_ += next;
  count(shadow_.realloc(index, next), tally_.changed);
}

void Program::drop(Order order) {
  ++tally_.operations;
  ++tally_.freed;
  const std::size_t blocks = shadow_.count();
  switch (random_.once_in(32) ? Order::any : order) {
    case Order::newest:
      return shadow_.free_newest();
    case Order::oldest:
      return shadow_.free_oldest();
    case Order::any:
      return shadow_.free(random_.below(blocks));
    case Order::every_other:
      comb_ += 2;
      return shadow_.free(comb_ % blocks);
  }
}

void Program::hand_on() {
  if (shadow_.count() == 0) return;
  const Live got = mailbox_->exchange(random_(), shadow_.release(random_.below(shadow_.count())));
  if (got.block != nullptr) shadow_.adopt(got);
}

void Program::drain() {
  static constexpr Order orders[] = {Order::newest, Order::oldest, Order::any, Order::every_other};
  const Order order = orders[random_.below(4)];
  while (shadow_.count() != 0 && violations_.empty()) drop(order);
}

/// Between phases.
void Program::rest() {
  check_account();
  switch (random_.below(16)) {
    case 0:
      return drain();
    case 1:
      return shadow_.check_all();
    case 2:
      if (subject_.has(Capability::clear)) {
        shadow_.forget_all();
        if (!violations_.empty()) return;
        subject_.clear();
        conformance::expect_all_returned(subject_, violations_, "by clear");
      }
      return;
    case 3:
      if (subject_.has(Capability::trim) && subject_.supply().watched()) {
        const std::size_t before = subject_.supply().outstanding();
        const bool trimmed = subject_.trim(random_.below(256 * KiB));
        violations_.expect(trimmed == (subject_.supply().outstanding() < before), "trim says ", trimmed,
                           " but held ", before, " bytes before and ", subject_.supply().outstanding(),
                           " after");
      }
      return;
    default:
      return;
  }
}

/// What the heap says of itself.
void Program::check_account() {
  const conformance::Supply& supply = subject_.supply();
  if (subject_.has(Capability::footprint) && supply.watched()) {
    const Footprint footprint = subject_.footprint();
    violations_.expect(footprint.current == supply.outstanding(), "the footprint tells ", footprint.current,
                       " where ", supply.outstanding(), " bytes are held");
    violations_.expect(footprint.peak == supply.peak(), "the footprint's peak tells ", footprint.peak,
                       " where ", supply.peak(), " bytes were held");
  }
  if (subject_.has(Capability::owns)) {
    const bool any = shadow_.count() != 0;
    violations_.expect(!any || subject_.owns(shadow_.block(random_.below(shadow_.count()))),
                       "does not own a block in use");
    violations_.expect(!subject_.owns(&supply), "owns what is not its own");
  }
}

}  // namespace strata::stress
