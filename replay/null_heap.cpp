/// libstrata-null.so: a malloc that does nothing worth the name, so that strata-replay under it shows what the
/// engine itself costs.
/// Needs:      a program that does not rely on what it wrote into its objects: blocks come round again while
///             they are in use. That is strata-replay, and nothing else.
/// Guarantees: what the dynamic linker and libc allocate before main stays theirs, zeroed; blocks are 16-byte
///             aligned, or as asked. realloc does not copy, calloc does not clear.
/// Threads:    one.
/// Cost:       an addition and a comparison.
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t startup_bytes = 64 * 1024;  ///< handed out once
constexpr std::size_t ring_bytes = 16 * 1024;     ///< after that, round and round
constexpr std::size_t large_bytes = 4 * 1024;     ///< from here on the one large block serves all
constexpr std::size_t reserved_bytes = std::size_t{1} << 40;

alignas(4096) unsigned char memory[startup_bytes + ring_bytes];
std::size_t next_byte = 0;
void* large_block = nullptr;

[[gnu::noinline, gnu::cold]] void* allocate_large(std::size_t size) {
  if (large_block == nullptr) {
    void* mapped = mmap(nullptr, reserved_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) mapped = nullptr;
    large_block = mapped;
  }
  if (large_block != nullptr && size <= reserved_bytes) return large_block;
  errno = ENOMEM;
  return nullptr;
}

inline void* allocate(std::size_t size) {
  if (size > large_bytes) [[unlikely]]
    return allocate_large(size);
  std::size_t at = next_byte;
  std::size_t end = at + ((size + 15) & ~std::size_t{15});
  if (end > sizeof memory) [[unlikely]] {
    at = startup_bytes;
    end = at + ((size + 15) & ~std::size_t{15});
  }
  next_byte = end;
  return memory + at;
}

void* allocate_aligned(std::size_t alignment, std::size_t size) {
  if (alignment > large_bytes || size > large_bytes) return allocate_large(size);
  if (alignment <= 16) return allocate(size);
  auto block = reinterpret_cast<std::uintptr_t>(allocate(size + alignment));
  return reinterpret_cast<void*>((block + alignment - 1) & ~(alignment - 1));
}

}  // namespace

#define STRATA_NULL_EXPORT extern "C" __attribute__((visibility("default")))

STRATA_NULL_EXPORT void* malloc(std::size_t size) {
  return allocate(size);
}
STRATA_NULL_EXPORT void* calloc(std::size_t count, std::size_t size) {
  return allocate(count * size);
}
STRATA_NULL_EXPORT void* realloc(void*, std::size_t size) {
  return allocate(size);
}
STRATA_NULL_EXPORT void free(void*) {}
STRATA_NULL_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocate_aligned(alignment, size);
}
STRATA_NULL_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  return allocate_aligned(alignment, size);
}
STRATA_NULL_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = allocate_aligned(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
