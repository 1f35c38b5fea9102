/* Preloaded in front of a sound drop-in: one function of the ABI with one fault, chosen by its macro. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(FAULT_posix_memalign)
/* Takes any alignment, and tells through errno. */
EXPORT int posix_memalign(void** block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}
#elif defined(FAULT_swapped)
/* The two arguments of memalign swapped, as in an aligned operator new of old. */
EXPORT void* _ZnwmSt11align_val_t(size_t size, size_t alignment) {
  return memalign(size, alignment);
}
#elif defined(FAULT_reallocarray)
EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  return realloc(block, count * size);
}
#elif defined(FAULT_errno)
EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  void* const block = memalign(alignment, size);
  errno = 0;
  return block;
}
#elif defined(FAULT_sized_delete)
/* Past the operator delete that the program may have replaced. */
EXPORT void _ZdlPvm(void* block, size_t size) {
  (void)size;
  free(block);
}
#elif defined(FAULT_null_new)
EXPORT void* _Znwm(size_t size) {
  return malloc(size);
}
#elif defined(FAULT_statistics)
EXPORT struct mallinfo2 mallinfo2(void) {
  struct mallinfo2 info = {0};
  return info;
}
#else
#error "choose a fault"
#endif
