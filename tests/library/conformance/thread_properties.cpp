/// What a heap that several threads share must do, in life and at a fork.

#include "library/conformance/properties.hpp"
#include "library/conformance/shadow.hpp"
#include "library/conformance/workload.hpp"

#include <strata/contract/heap.hpp>
#include <strata/platform/arithmetic.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

namespace strata::conformance {

namespace {

struct Parcel {
  void* block = nullptr;
  std::size_t size = 0;
  std::uint64_t seed = 0;
};

/// Where threads leave blocks for each other.
class Mailbox {
 public:
  Parcel exchange(std::size_t slot, const Parcel& parcel) {
    const std::scoped_lock lock(mutex_);
    return std::exchange(parcels_[slot % parcels_.size()], parcel);
  }

 private:
  std::mutex mutex_;
  std::array<Parcel, 64> parcels_;
};

/// Allocates, fills, keeps, hands on and frees, and counts the blocks whose contents were lost. Nothing else in
/// here allocates, so that at a fork that holds the heap's lock nobody is inside the C library's malloc either.
class Worker {
 public:
  Worker(Subject& subject, Mailbox& mailbox, std::uint64_t number)
      : subject_(subject), mailbox_(mailbox), random_(number), seeds_(number << 32) {}

  void step() {
    Parcel& mine = mine_[random_() % mine_.size()];
    if (mine.block == nullptr) {
      mine = fresh();
    } else if (random_() % 2 == 0) {
      mine = mailbox_.exchange(random_(), mine);
    } else {
      drop(mine);
    }
  }

  void drop(Parcel& parcel) {
    if (parcel.block == nullptr) return;
    if (!filled(parcel.block, parcel.size, parcel.seed)) ++lost_;
    subject_.free(parcel.block);
    parcel = {};
  }

  void drop_all() {
    std::for_each(mine_.begin(), mine_.end(), [this](Parcel& parcel) { drop(parcel); });
  }
  std::size_t lost() const { return lost_; }

 private:
  Parcel fresh() {
    const std::size_t only = subject_.traits().only_size;
    const std::size_t size = only != 0 ? only : 1 + random_() % (random_() % 50 == 0 ? 20000 : 300);
    void* const block = subject_.has(Capability::memalign) && random_() % 16 == 0
                            ? subject_.memalign(64, size)
                        : subject_.has(Capability::ansi) && random_() % 16 == 0 ? subject_.calloc(1, size)
                                                                                : subject_.malloc(size);
    if (block == nullptr) {
      ++lost_;
      return {};
    }
    fill(block, size, ++seeds_);
    return {block, size, seeds_};
  }

  Subject& subject_;
  Mailbox& mailbox_;
  std::minstd_rand random_;
  std::array<Parcel, 48> mine_;
  std::uint64_t seeds_;
  std::size_t lost_ = 0;
};

/// Whether the operation, on a thread of its own, waits for whoever holds the heap's lock: this thread, as at a fork.
bool waits_for_lock(Subject& subject, const std::function<void()>& operation) {
  std::atomic<bool> done = false;
  subject.before_fork();
  std::thread other([&] {
    operation();
    done.store(true);
  });
  for (int i = 0; i < 20 && !done.load(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const bool waited = !done.load();
  subject.after_fork_in_parent();
  other.join();
  return waited;
}

/// Forks with the heap's hooks, as often nested as told; whether the child could use the heap, what was in use in it
/// included.
bool child_can_use(Subject& subject, Shadow& shadow, const Load& load, int outer_forks = 0) {
  for (int i = 0; i < outer_forks; ++i) subject.before_fork();
  subject.before_fork();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    subject.after_fork_in_child();
    for (int i = 0; i < outer_forks; ++i) subject.after_fork_in_parent();
    Violations violations;
    shadow.check_all();
    run(subject, violations, load);
    ::_exit(violations.empty() ? 0 : 1);
  }
  for (int i = 0; i <= outer_forks; ++i) subject.after_fork_in_parent();
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

/// Threads allocate and free each other's blocks; every block keeps its contents, and nothing leaks. Under
/// ThreadSanitizer this also finds what is not locked.
void check_threads(const Composition& composition, Violations& violations) {
  constexpr std::size_t steps = 6000;
  const auto subject = composition.make();
  Mailbox mailbox;
  std::array<Worker, 4> workers = {Worker(*subject, mailbox, 1), Worker(*subject, mailbox, 2),
                                   Worker(*subject, mailbox, 3), Worker(*subject, mailbox, 4)};
  std::array<std::thread, 4> running;
  std::transform(workers.begin(), workers.end(), running.begin(), [](Worker& worker) {
    return std::thread([&worker] {
      for (std::size_t i = 0; i < steps; ++i) worker.step();
    });
  });
  for (std::thread& thread : running) thread.join();
  for (std::size_t slot = 0; slot < 64; ++slot) {
    Parcel left = mailbox.exchange(slot, {});
    workers[0].drop(left);
  }
  for (Worker& worker : workers) {
    worker.drop_all();
    violations.expect(worker.lost() == 0, "threads lost the contents of ", worker.lost(), " blocks");
  }
  subject->destroy();
  expect_all_returned(*subject, violations, "after the threads");
}

/// Every operation takes the lock. (Not usable_size, which may read what only malloc writes.)
void check_lock(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  const std::size_t size = composition.traits.only_size != 0 ? composition.traits.only_size : 100;
  const auto expect_wait = [&](const char* name, const std::function<void()>& operation) {
    violations.expect(waits_for_lock(*subject, operation), name, " does not wait for the lock");
  };
  void* block = subject->malloc(size);
  expect_wait("free", [&] { subject->free(block); });
  expect_wait("malloc", [&] { block = subject->malloc(size); });
  void* other = nullptr;
  if (subject->has(Capability::memalign)) {
    expect_wait("memalign", [&] { other = subject->memalign(64, size); });
    subject->free(other);
  }
  if (subject->has(Capability::try_extend)) {
    expect_wait("try_extend", [&] { subject->try_extend(block, size); });
  }
  if (subject->has(Capability::shrink)) expect_wait("shrink", [&] { subject->shrink(block, size); });
  if (subject->has(Capability::remap)) {
    expect_wait("remap", [&] { other = subject->remap(block, size); });
    if (other != nullptr) block = other;
  }
  if (subject->has(Capability::zeroed)) expect_wait("zeroed", [&] { subject->zeroed(block); });
  if (subject->has(Capability::owns)) {
    expect_wait("owns", [&] { violations.expect(subject->owns(block), "does not own its block"); });
  }
  if (subject->has(Capability::trim)) expect_wait("trim", [&] { subject->trim(0); });
  if (subject->has(Capability::footprint)) expect_wait("footprint", [&] { subject->footprint(); });
  if (subject->has(Capability::ansi)) {
    expect_wait("calloc", [&] { other = subject->calloc(1, size); });
    subject->free(other);
    expect_wait("realloc", [&] { block = subject->realloc(block, 50 * size); });
  }
  subject->free(block);
  if (subject->has(Capability::clear)) expect_wait("clear", [&] { subject->clear(); });
}

/// A child finds the heap whole whenever the fork came, and its parent goes on; also from within another fork.
void check_fork(const Composition& composition, Violations& violations) {
  const auto subject = composition.make();
  const Load load = fit({.seed = 21, .operations = 200, .largest = 16 * KiB}, composition.traits);
  Workload before(*subject, violations, load);
  before.run();
  violations.expect(child_can_use(*subject, before.shadow(), load), "a child cannot use the heap");

  violations.expect(child_can_use(*subject, before.shadow(), load, 1),
                    "a child of a fork within a fork cannot use the heap");

  if (composition.traits.thread_safe) {
    Mailbox mailbox;
    std::atomic<bool> stop = false;
    std::array<Worker, 2> workers = {Worker(*subject, mailbox, 1), Worker(*subject, mailbox, 2)};
    std::array<std::thread, 2> running;
    std::transform(workers.begin(), workers.end(), running.begin(), [&](Worker& worker) {
      return std::thread([&] {
        while (!stop.load()) worker.step();
      });
    });
    for (int i = 0; i < 10; ++i) {
      violations.expect(child_can_use(*subject, before.shadow(), load),
                        "a child of a fork among threads cannot use the heap");
    }
    stop.store(true);
    for (std::thread& thread : running) thread.join();
    for (std::size_t slot = 0; slot < 64; ++slot) {
      Parcel left = mailbox.exchange(slot, {});
      workers[0].drop(left);
    }
    for (Worker& worker : workers) worker.drop_all();
  }
  before.run();
  before.shadow().free_all();
  subject->destroy();
  expect_all_returned(*subject, violations, "after forks");
}

}  // namespace strata::conformance
