/// A heap as the properties see it: its operations, which capabilities it has, and where its memory comes from.
///
/// The properties are plain functions over this; subject_of.hpp makes a Subject of any heap by asking the
/// contract's concepts.
#pragma once

#include "library/conformance/supply.hpp"

#include <strata/contract/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace strata::conformance {

enum class Capability : std::uint8_t {
  usable_size,
  memalign,
  try_extend,
  shrink,
  remap,
  zeroed,
  take,
  remove,
  owns,
  clear,
  trim,
  footprint,
  fork_hooks,
  ansi
};

inline const char* name_of(Capability capability) {
  switch (capability) {
    case Capability::usable_size:
      return "usable_size";
    case Capability::memalign:
      return "memalign";
    case Capability::try_extend:
      return "try_extend";
    case Capability::shrink:
      return "shrink";
    case Capability::remap:
      return "remap";
    case Capability::zeroed:
      return "zeroed";
    case Capability::take:
      return "take";
    case Capability::remove:
      return "remove";
    case Capability::owns:
      return "owns";
    case Capability::clear:
      return "clear";
    case Capability::trim:
      return "trim";
    case Capability::footprint:
      return "footprint";
    case Capability::fork_hooks:
      return "fork hooks";
    case Capability::ansi:
      return "calloc and realloc";
  }
  return "?";
}

/// What cannot be asked of the heap's type.
struct Traits {
  std::string name = {};
  /// The headers of the library that this composition is there to test.
  std::vector<std::string> files = {};
  /// Every capability, so that none is lost or gained unseen.
  std::set<Capability> capabilities = {};
  /// If not 0, the one size that it serves.
  std::size_t only_size = 0;
  /// The largest request that it is sure to serve; 0 if it has no memory at all.
  std::size_t largest = std::size_t{4} << 20;
  /// Freed memory serves later requests.
  bool reuses = true;
  /// Its destructor takes blocks that are in use with it.
  bool takes_all_with_it = false;
  bool thread_safe = false;
  /// Another entry has the same heap as most will use it; long stress leaves this one out.
  bool variant = false;
};

class Subject {
 public:
  explicit Subject(const Traits& traits) : traits_(traits) {}
  virtual ~Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const Traits& traits() const { return traits_; }
  bool has(Capability capability) const { return traits_.capabilities.contains(capability); }

  /// Of the type, by the concepts.
  virtual std::set<Capability> capabilities() const = 0;
  virtual std::size_t alignment() const = 0;
  virtual std::size_t alignment_offset() const = 0;

  virtual void* malloc(std::size_t size) = 0;
  virtual void free(void* block) = 0;
  virtual std::size_t usable_size(void* block) = 0;
  virtual void* memalign(std::size_t boundary, std::size_t size) = 0;
  virtual bool try_extend(void* block, std::size_t size) = 0;
  virtual void shrink(void* block, std::size_t size) = 0;
  virtual void* remap(void* block, std::size_t size) = 0;
  virtual bool zeroed(void* block) = 0;
  virtual void* take(std::size_t size) = 0;
  virtual void remove(void* block) = 0;
  virtual bool owns(const void* address) const = 0;
  virtual void clear() = 0;
  virtual bool trim(std::size_t keep) = 0;
  virtual Footprint footprint() const = 0;
  virtual void before_fork() = 0;
  virtual void after_fork_in_parent() = 0;
  virtual void after_fork_in_child() = 0;
  virtual void* calloc(std::size_t count, std::size_t size) = 0;
  virtual void* realloc(void* block, std::size_t size) = 0;

  /// Ends the heap, and nothing else: the supply stays.
  virtual void destroy() = 0;
  virtual Supply& supply() = 0;

 private:
  const Traits& traits_;
};

struct Composition {
  Traits traits;
  std::function<std::unique_ptr<Subject>(const Traits&)> construct;

  std::unique_ptr<Subject> make() const { return construct(traits); }
};

}  // namespace strata::conformance
