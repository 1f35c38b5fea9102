/* A library whose fork handlers, registered as early as a library can, need another thread to allocate; as one
   does that takes its own lock over a fork. See fork_order.c. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int wanted;
static int served;
static int serving;

__attribute__((visibility("default"))) void* serve_allocations(void* unused) {
  pthread_mutex_lock(&mutex);
  serving = 1;
  pthread_cond_broadcast(&changed);
  for (;;) {
    while (wanted == served) pthread_cond_wait(&changed, &mutex);
    if (wanted < 0) break;
    for (int i = 0; i < 100; ++i) free(malloc(100));
    ++served;
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

__attribute__((visibility("default"))) void end_service(void) {
  pthread_mutex_lock(&mutex);
  wanted = -1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void have_another_thread_allocate(void) {
  pthread_mutex_lock(&mutex);
  if (serving) {
    ++wanted;
    pthread_cond_broadcast(&changed);
    while (served != wanted) pthread_cond_wait(&changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

__attribute__((constructor(101))) static void register_early(void) {
  pthread_atfork(have_another_thread_allocate, have_another_thread_allocate, NULL);
}
