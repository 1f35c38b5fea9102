/* Threads that hand each other blocks through shared places: contents stay whole whoever frees. */
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>

enum { workers = 4, places = 256 };

static int rounds = 400000;
static pthread_barrier_t together;

struct Block {
  size_t size;
  unsigned seed;
};

static struct Block* shared[places];

static void* exchange(void* argument) {
  unsigned seed = (unsigned)(uintptr_t)argument * 2654435761u;
  pthread_barrier_wait(&together);
  for (int round = 0; round < rounds; ++round) {
    seed = seed * 1103515245u + 12345u;
    const size_t size = sizeof(struct Block) + (seed >> 16) % ((seed >> 12) % 16 == 0 ? 5000 : 120);
    struct Block* fresh = NULL;
    switch (seed >> 28) {
      case 0:
        fresh = calloc(1, size);
        break;
      case 1:
        fresh = aligned_alloc(64, size);
        break;
      case 2:
        fresh = realloc(malloc(size / 2), size);
        break;
      default:
        fresh = malloc(size);
    }
    fresh->size = size;
    fresh->seed = seed;
    fill(fresh + 1, size - sizeof *fresh, seed);
    struct Block* const other = __atomic_exchange_n(&shared[(seed >> 8) % places], fresh, __ATOMIC_ACQ_REL);
    if (other == NULL) continue;
    EXPECT(filled(other + 1, other->size - sizeof *other, other->seed));
    free(other);
  }
  return NULL;
}

int main(void) {
  expect_drop_in();
  watchdog();
  if (!heap_reuses()) rounds /= 4;
  pthread_barrier_init(&together, NULL, workers);
  pthread_t threads[workers];
  for (uintptr_t i = 0; i < workers; ++i) pthread_create(&threads[i], NULL, exchange, (void*)(i + 1));
  for (unsigned i = 0; i < workers; ++i) pthread_join(threads[i], NULL);
  for (unsigned i = 0; i < places; ++i) free(shared[i]);
  return expect_status();
}
