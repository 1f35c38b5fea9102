/* Two producers allocate, two consumers free: every object dies in another thread than its own, and its address comes back
   at once. Now and then a block is reallocated by whoever holds it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { slots = 64, blocks = 200000 };
static _Atomic(void*) ring[slots];
static atomic_int producing = 2;

static void* produce(void* seed) {
  uintptr_t state = (uintptr_t)seed;
  for (int i = 0; i < blocks; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    void* block = malloc(16 + (state >> 40) % 200);
    if (i % 5 == 0) block = realloc(block, 300);
    void* before = atomic_exchange(&ring[(state >> 33) % slots], block);
    free(before);
  }
  atomic_fetch_sub(&producing, 1);
  return NULL;
}

static void* consume(void* seed) {
  uintptr_t state = (uintptr_t)seed;
  while (atomic_load(&producing) > 0) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    free(atomic_exchange(&ring[(state >> 33) % slots], NULL));
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, i < 2 ? produce : consume, (void*)(i + 1));
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < slots; ++i) free(ring[i]);
  return 0;
}
