/* 1000 forks while four threads allocate: every child allocates, from blocks of its parent's too, and ends. */
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

enum { forks = 1000, workers = 4, kept = 64 };

static unsigned allowance = 1u << 30; /* of blocks to a thread for each fork */

static unsigned forked;

static void* allocate_all_along(void* argument) {
  unsigned seed = (unsigned)(uintptr_t)argument;
  void* blocks[kept] = {NULL};
  size_t sizes[kept] = {0};
  for (unsigned made = 0;; ++made) {
    const unsigned now = __atomic_load_n(&forked, __ATOMIC_ACQUIRE);
    if (now == forks) break;
    if (made / allowance > now) {
      sched_yield();
      continue;
    }
    seed = seed * 1103515245u + 12345u;
    const unsigned i = (seed >> 16) % kept;
    EXPECT(filled(blocks[i], sizes[i], i));
    sizes[i] = (seed >> 8) % 200 + 1;
    if (made % 3 == 0) {
      free(blocks[i]);
      blocks[i] = malloc(sizes[i]);
    } else {
      blocks[i] = realloc(blocks[i], sizes[i]);
    }
    fill(blocks[i], sizes[i], i);
  }
  for (unsigned i = 0; i < kept; ++i) free(blocks[i]);
  return NULL;
}

static void allocate_in_child(void* inherited) {
  watchdog();
  free(inherited);
  void* blocks[100];
  for (unsigned i = 0; i < 100; ++i) {
    blocks[i] = malloc(i * 5);
    fill(blocks[i], i * 5, i);
  }
  for (unsigned i = 0; i < 100; ++i) {
    EXPECT(filled(blocks[i], i * 5, i));
    free(blocks[i]);
  }
}

static void* idle(void* argument) {
  return malloc((size_t)(uintptr_t)argument);
}

int main(void) {
  expect_drop_in();
  watchdog();
  if (!heap_reuses()) allowance = 300;
  pthread_t threads[workers];
  for (uintptr_t i = 0; i < workers; ++i) {
    EXPECT(pthread_create(&threads[i], NULL, allocate_all_along, (void*)(i + 1)) == 0);
  }
  for (unsigned i = 0; i < forks; ++i) {
    void* const inherited = malloc(100);
    const pid_t child = fork();
    if (child == 0) {
      allocate_in_child(inherited);
      if (i % 10 == 0) { /* the lock must work in the child as well, once that has threads */
        pthread_t thread;
        void* result = NULL;
        EXPECT(pthread_create(&thread, NULL, idle, (void*)(uintptr_t)(i + 1)) == 0);
        allocate_in_child(NULL);
        EXPECT(pthread_join(thread, &result) == 0 && result != NULL);
        free(result);
      }
      _exit(expect_status());
    }
    free(inherited);
    int status = -1;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    __atomic_store_n(&forked, i + 1, __ATOMIC_RELEASE);
    if (expect_failures != 0) break;
  }
  if (expect_failures != 0) return 1;
  for (unsigned i = 0; i < workers; ++i) pthread_join(threads[i], NULL);
  return expect_status();
}
