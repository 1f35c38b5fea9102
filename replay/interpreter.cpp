#include "replay/interpreter.hpp"

#include <cstddef>
#include <cstdlib>

namespace strata::replay {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t page = 4096;

inline void touch_bytes(void* object, std::size_t from, std::size_t to) {
  if (from >= to) return;
  auto* bytes = static_cast<volatile unsigned char*>(object);
  std::size_t at = from;
  for (; at < to && at < page; at += line) bytes[at] = 1;
  for (; at < to; at += page) bytes[at] = 1;
  bytes[to - 1] = 1;
}

/// posix_memalign, because some libraries' aligned_alloc refuses a size that is not a multiple.
inline void* allocate_aligned(std::size_t alignment, std::size_t size) {
  void* object = nullptr;
  if (alignment < sizeof(void*)) alignment = sizeof(void*);
  return posix_memalign(&object, alignment, size) == 0 ? object : nullptr;
}

template <Touch touching>
class Interpreter {
 public:
  explicit Interpreter(void** slots) : slots_(slots) {}

  std::uint64_t run(const Word* at, const Word* end) {
    while (at != end) {
      const Word word = *at++;
      // Where an object is kept is the engine's affair, not the heap's.
      __builtin_prefetch(&slots_[slot_of(at[prefetch_distance])], 1);
      void*& slot = slots_[slot_of(word)];
      const std::size_t size = size_of(word);
      // Tests predict better than a jump table: nearly everything is one of the first three.
      const Action action = action_of(word);
      if (action == Action::free) {
        std::free(slot);
      } else if (action == Action::malloc) {
        be_born(slot, std::malloc(size), size);
      } else if (action == Action::realloc) {
        be_resized(slot, *at++, size);
      } else if (action == Action::calloc) {
        be_born(slot, std::calloc(1, size), size);
      } else if (action == Action::aligned) {
        be_born(slot, allocate_aligned(*at++, size), size);
      } else {
        wide(static_cast<Action>(size), slot, at[0], at[1]);
        at += 2;
      }
    }
    return failures_;
  }

 private:
  void be_born(void*& slot, void* object, std::size_t size) {
    slot = object;
    if (object == nullptr) [[unlikely]]
      failures_ += size != 0 ? 1 : 0;
    else if (touching == Touch::yes)
      touch_bytes(object, 0, size);
  }

  void be_resized(void*& slot, std::size_t old_size, std::size_t size) {
    void* object = std::realloc(slot, size);
    if (object == nullptr && size != 0) [[unlikely]] {
      failures_ += 1;
      return;
    }
    slot = object;
    if (touching == Touch::yes) touch_bytes(object, old_size, size);
  }

  [[gnu::noinline, gnu::cold]] void wide(Action action, void*& slot, std::size_t size, std::size_t operand) {
    switch (action) {
      case Action::calloc:
        return be_born(slot, std::calloc(1, size), size);
      case Action::realloc:
        return be_resized(slot, operand, size);
      case Action::aligned:
        return be_born(slot, allocate_aligned(operand, size), size);
      default:
        return be_born(slot, std::malloc(size), size);
    }
  }

  void** slots_;
  std::uint64_t failures_ = 0;
};

}  // namespace

std::uint64_t interpret(std::span<const Word> words, void** slots, Touch touch) {
  const Word* end = words.data() + words.size();
  return touch == Touch::yes ? Interpreter<Touch::yes>(slots).run(words.data(), end)
                             : Interpreter<Touch::no>(slots).run(words.data(), end);
}

}  // namespace strata::replay
