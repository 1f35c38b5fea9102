/* many_threads short N: N threads one after another, each with a destructor that allocates after the recorder's.
   many_threads wide N:  N threads that all hold what they allocated until the last one has allocated.
   many_threads raw N:   N threads that end by the system call, with no destructor run. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_key_t key;
static pthread_barrier_t barrier;
static int raw;
static atomic_int ended;

static void late(void* rounds) { /* runs in every round of destructors, until there are no more */
  free(malloc(80003));
  const uintptr_t left = (uintptr_t)rounds - 1;
  if (left > 0) pthread_setspecific(key, (void*)left);
}

static void* briefly(void* unused) {
  (void)unused;
  for (int i = 0; i < 10; ++i) free(malloc(80001));
  pthread_setspecific(key, (void*)(uintptr_t)4);
  atomic_fetch_add(&ended, 1);
  if (raw) syscall(SYS_exit, 0);
  return NULL;
}

static void* together(void* unused) {
  (void)unused;
  void* block = malloc(80002);
  pthread_barrier_wait(&barrier);
  free(block);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int count = atoi(argv[2]);
  raw = strcmp(argv[1], "raw") == 0;
  pthread_key_create(&key, late);
  if (strcmp(argv[1], "wide") == 0) {
    pthread_t* threads = calloc((size_t)count, sizeof *threads);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (int i = 0; i < count; ++i)
      if (pthread_create(&threads[i], &small, together, NULL) != 0) return 3;
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
    free(threads);
    return 0;
  }
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, briefly, NULL) != 0) return 3;
    if (raw) {
      pthread_detach(thread);
      while (atomic_load(&ended) <= i) usleep(100);
    } else {
      pthread_join(thread, NULL);
    }
  }
  return 0;
}
