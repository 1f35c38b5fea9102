// The end of memory, reached with blocks down to the smallest: every function says so in its own way, bad_alloc
// can be thrown and caught there, and the program goes on once it has freed.
#include "expect.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <new>

namespace {

struct Block {
  Block* next;
  std::size_t size;
};

Block* blocks = nullptr;

constexpr std::size_t largest = std::size_t{1} << 22;

// Touches nothing but what it allocates: there is no memory for anything else.
std::size_t take_everything() {
  std::size_t taken = 0;
  for (std::size_t size = largest; size >= sizeof(Block); size /= 2) {
    for (;;) {
      errno = 0;
      auto* const block = static_cast<Block*>(std::malloc(size));
      if (block == nullptr) break;
      block->next = blocks;
      block->size = size;
      blocks = block;
      taken += size;
    }
    EXPECT(errno == ENOMEM);
  }
  while (std::malloc(1) != nullptr) {  // the crumbs, which no Block fits into
  }
  return taken;
}

void give_back() {
  while (blocks != nullptr) {
    Block* const block = blocks;
    blocks = block->next;
    std::free(block);
  }
}

bool throws_bad_alloc(std::size_t size) {
  try {
    ::operator delete(::operator new(size));
    return false;
  } catch (const std::bad_alloc&) {
    return true;
  }
}

int handler_calls = 0;
void give_back_in_handler() {
  ++handler_calls;
  give_back();
  std::set_new_handler(nullptr);
}

void limit_memory_to(std::size_t more) {
  std::FILE* const statm = std::fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  EXPECT(statm != nullptr && std::fscanf(statm, "%lu", &pages) == 1);
  std::fclose(statm);
  const rlimit limit = {pages * 4096 + more, RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
}

}  // namespace

int main() {
  expect_drop_in();

  constexpr std::size_t limit = std::size_t{64} << 20;
  limit_memory_to(limit);

  const std::size_t first = take_everything();
  EXPECT(first > limit / 4);
  for (const std::size_t size : {std::size_t{1}, std::size_t{16}, std::size_t{100}, std::size_t{100000}}) {
    EXPECT(std::malloc(size) == nullptr && errno == ENOMEM);
    EXPECT(std::calloc(1, size) == nullptr && errno == ENOMEM);
    EXPECT(std::aligned_alloc(64, size) == nullptr && errno == ENOMEM);
    void* untouched = &untouched;
    EXPECT(posix_memalign(&untouched, 64, size) == ENOMEM && untouched == &untouched);
    EXPECT(::operator new(size, std::nothrow) == nullptr);
    EXPECT(throws_bad_alloc(size));
  }
  fill(blocks + 1, blocks->size - sizeof(Block), 9);
  EXPECT(std::realloc(blocks, std::size_t{1} << 24) == nullptr && errno == ENOMEM);
  EXPECT(filled(blocks + 1, blocks->size - sizeof(Block), 9) && "a failed realloc leaves the block");

  if (heap_reuses() != 0) {
    std::set_new_handler(give_back_in_handler);
    // Of a size that was taken and freed: a heap may keep its blocks in their classes.
    void* const after_handler = ::operator new(largest);
    EXPECT(after_handler != nullptr && handler_calls == 1);
    ::operator delete(after_handler);
    const std::size_t second = take_everything();
    EXPECT(second > first / 2 && "what was freed can be had again");
    give_back();
  }
  return expect_status();
}
