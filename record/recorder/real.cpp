#include "record/recorder/real.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace strata::recorder {

alignas(16) unsigned char bootstrap_arena[bootstrap_bytes];

namespace {

constexpr std::size_t head = 16;  // holds the block's size and keeps the next one aligned
std::atomic<std::size_t> bootstrap_used{0};

void* bootstrap(std::size_t alignment, std::size_t size) {
  if (size > bootstrap_bytes || alignment > bootstrap_bytes) return nullptr;
  const std::size_t wanted = head + (alignment > head ? alignment : 0) + ((size + 15) & ~std::size_t{15});
  const std::size_t start = bootstrap_used.fetch_add(wanted, std::memory_order_relaxed);
  if (start + wanted > bootstrap_bytes) return nullptr;
  auto address = reinterpret_cast<std::uintptr_t>(bootstrap_arena) + start + head;
  if (alignment > head) address = (address + alignment - 1) & ~(alignment - 1);
  auto* block = reinterpret_cast<unsigned char*>(address);
  std::memcpy(block - head, &size, sizeof size);
  return block;
}

// What `real` holds at first: each resolves, and serves from the arena where that is under way.
void* first_malloc(std::size_t size) {
  return resolve() ? real.malloc(size) : bootstrap(head, size);
}
void* first_calloc(std::size_t count, std::size_t size) {
  if (resolve()) return real.calloc(count, size);
  std::size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? nullptr : bootstrap(head, bytes);
}
void* first_realloc(void* block, std::size_t size) {
  // Without a real heap there are no real blocks: `block` is null here.
  return resolve() ? real.realloc(block, size) : bootstrap(head, size);
}
void first_free(void* block) {
  if (resolve()) real.free(block);
}
void* first_memalign(std::size_t alignment, std::size_t size) {
  return resolve() ? real.memalign(alignment, size) : bootstrap(alignment, size);
}
void* first_aligned_alloc(std::size_t alignment, std::size_t size) {
  return resolve() ? real.aligned_alloc(alignment, size) : bootstrap(alignment, size);
}
int first_posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (resolve()) return real.posix_memalign(block, alignment, size);
  void* got = bootstrap(alignment, size);
  if (!got) return ENOMEM;
  *block = got;
  return 0;
}
void* first_valloc(std::size_t size) {
  return resolve() ? real.valloc(size) : bootstrap(static_cast<std::size_t>(getpagesize()), size);
}
void* first_pvalloc(std::size_t size) {
  return resolve() ? real.pvalloc(size) : bootstrap(static_cast<std::size_t>(getpagesize()), size);
}
std::size_t first_usable_size(void* block) {
  return resolve() ? real.usable_size(block) : 0;
}

enum : int { unresolved, resolving, resolved };
std::atomic<int> state{unresolved};

template <class Function>
void find(Function*& function, const char* name) {
  if (void* next = dlsym(RTLD_NEXT, name)) std::memcpy(&function, &next, sizeof next);
}

}  // namespace

constinit Real real = {first_malloc,   first_calloc,        first_realloc,        first_free,
                       first_memalign, first_aligned_alloc, first_posix_memalign, first_valloc,
                       first_pvalloc,  first_usable_size};

std::size_t bootstrap_size(const void* block) {
  std::size_t size;
  std::memcpy(&size, static_cast<const unsigned char*>(block) - head, sizeof size);
  return size;
}

bool resolve() {
  int seen = unresolved;
  if (!state.compare_exchange_strong(seen, resolving, std::memory_order_acquire)) return seen == resolved;
  Real found = real;
  find(found.malloc, "malloc");
  find(found.calloc, "calloc");
  find(found.realloc, "realloc");
  find(found.free, "free");
  find(found.memalign, "memalign");
  find(found.aligned_alloc, "aligned_alloc");
  find(found.posix_memalign, "posix_memalign");
  find(found.valloc, "valloc");
  find(found.pvalloc, "pvalloc");
  find(found.usable_size, "malloc_usable_size");
  real = found;
  state.store(resolved, std::memory_order_release);
  return true;
}

}  // namespace strata::recorder
