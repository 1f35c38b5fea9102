/* A library that forks while the process ends: threads still allocate, and no child may inherit a held lock. */
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>
#include <sched.h>

extern int forks_at_exit;

enum { workers = 3 };

static int running;
static int allowance = 1 << 30;

static void* allocate_until_the_end(void* unused) {
  __atomic_add_fetch(&running, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < allowance; ++i) free(malloc((size_t)i % 200));
  return unused;
}

int main(void) {
  expect_drop_in();
  watchdog();
  if (!heap_reuses()) allowance = 300000;
  for (int i = 0; i < workers; ++i) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, allocate_until_the_end, NULL) == 0);
    pthread_detach(thread);
  }
  while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) < workers) sched_yield();
  forks_at_exit = 200;
  return expect_status();
}
