/* Preloaded: libc's malloc, every call of the family written down. COUNTING_LOG names the file; allocations of
   COUNTING_LIMIT bytes and more fail. A line a call: what, the object (numbered by birth), size, alignment. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void __libc_free(void*);
extern void* __libc_memalign(size_t, size_t);

enum { most_objects = 1 << 20 };
static void* address_of[most_objects];
static unsigned objects;
static int log_file = -2;
static size_t limit = SIZE_MAX;

static int is_logging(void) {
  if (log_file == -2) {
    const char* path = getenv("COUNTING_LOG");
    const char* most = getenv("COUNTING_LIMIT");
    log_file = path == NULL ? -1 : open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (most != NULL) limit = strtoull(most, NULL, 10);
  }
  return log_file >= 0;
}

static int find(const void* address) {
  for (unsigned object = objects; address != NULL && object-- > 0;)
    if (address_of[object] == address) return (int)object;
  return -1;
}

static void write_down(const char* what, int object, size_t size, size_t alignment) {
  char line[96];
  const int length = snprintf(line, sizeof line, "%s %d %zu %zu\n", what, object, size, alignment);
  if (write(log_file, line, (size_t)length) != length) _exit(99);
}

static void* born(const char* what, void* address, size_t size, size_t alignment) {
  if (!is_logging()) return address;
  if (address != NULL && objects < most_objects) address_of[objects++] = address;
  write_down(what, address == NULL ? -1 : (int)objects - 1, size, alignment);
  return address;
}

static int refuses(size_t size) {
  if (!is_logging() || size < limit) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) {
  return born("malloc", refuses(size) ? NULL : __libc_malloc(size), size, 0);
}

void* calloc(size_t count, size_t size) {
  return born("calloc", refuses(count * size) ? NULL : __libc_calloc(count, size), count * size, 0);
}

void* realloc(void* old, size_t size) {
  const int object = is_logging() ? find(old) : -1;
  void* moved = refuses(size) ? NULL : __libc_realloc(old, size);
  if (is_logging()) {
    write_down("realloc", object, size, 0);
    if (moved != NULL && object >= 0) address_of[object] = NULL;
    if (moved != NULL && objects < most_objects) address_of[objects++] = moved;
  }
  return moved;
}

int posix_memalign(void** block, size_t alignment, size_t size) {
  *block = born("aligned", refuses(size) ? NULL : __libc_memalign(alignment, size), size, alignment);
  return *block == NULL ? ENOMEM : 0;
}

void free(void* address) {
  if (is_logging() && address != NULL) {
    const int object = find(address);
    write_down("free", object, 0, 0);
    if (object >= 0) address_of[object] = NULL;
  }
  __libc_free(address);
}
