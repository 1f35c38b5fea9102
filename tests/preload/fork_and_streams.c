/* Forks while one thread reads lines, and so allocates with a stream locked, and another flushes all streams, and
   so waits for that stream with the list of streams locked, which fork needs too. */
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

enum { forks = 500 };

static int forked;
static int allowance = 1 << 30; /* of lines for each fork */
static FILE* stream;

static int forks_made(void) {
  return __atomic_load_n(&forked, __ATOMIC_RELAXED);
}

static void* read_lines(void* unused) {
  for (int lines = 0; forks_made() < forks; ++lines) {
    if (lines / allowance > forks_made()) {
      sched_yield();
      continue;
    }
    rewind(stream);
    char* line = NULL;
    size_t room = 0;
    EXPECT(getline(&line, &room, stream) > 0);
    free(line);
  }
  return unused;
}

static void* flush_all(void* unused) {
  while (forks_made() < forks) fflush(NULL);
  return unused;
}

int main(void) {
  expect_drop_in();
  watchdog();
  if (!heap_reuses()) allowance = 1000;
  stream = tmpfile();
  EXPECT(stream != NULL && fputs("a line of text\n", stream) >= 0 && fflush(stream) == 0);
  pthread_t reader;
  pthread_t flusher;
  EXPECT(pthread_create(&reader, NULL, read_lines, NULL) == 0);
  EXPECT(pthread_create(&flusher, NULL, flush_all, NULL) == 0);
  for (int i = 0; i < forks && expect_failures == 0; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      watchdog();
      free(malloc(100));
      _exit(fflush(NULL) == 0 ? 0 : 1);
    }
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    __atomic_store_n(&forked, i + 1, __ATOMIC_RELAXED);
  }
  if (expect_failures != 0) return 1;
  pthread_join(reader, NULL);
  pthread_join(flusher, NULL);
  return expect_status();
}
