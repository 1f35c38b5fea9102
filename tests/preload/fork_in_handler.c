/* A signal handler that forks while malloc holds its lock must not wait for itself. A thread allocates without
   end and is sent a signal for every fork; a second one contends for the lock. */
#include "expect.h"
#include "watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

enum { forks = 400 };

static unsigned allowance = 1u << 30; /* of blocks to a thread for each fork */

static volatile sig_atomic_t forked;
static volatile sig_atomic_t failed;

static void fork_now(int signal_number) {
  (void)signal_number;
  const int saved = errno;
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    return; /* and finish the malloc that was interrupted */
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) failed = 1;
  errno = saved;
  forked = forked + 1;
}

static const pid_t* parent;

static void* allocate_all_along(void* argument) {
  const int takes_signals = argument != NULL;
  for (unsigned made = 0; forked < forks && !failed; ++made) {
    if (takes_signals && getpid() != *parent) _exit(expect_status()); /* the child, past its malloc */
    if (made / allowance > (unsigned)forked) {
      sched_yield();
      continue;
    }
    void* const block = malloc(made % 300);
    fill(block, made % 300, made);
    EXPECT(filled(block, made % 300, made));
    free(block);
  }
  return NULL;
}

int main(void) {
  expect_drop_in();
  watchdog();
  if (!heap_reuses()) allowance = 2000;
  const pid_t self = getpid();
  parent = &self;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = fork_now;
  sigaction(SIGUSR1, &action, NULL);
  pthread_t interrupted;
  pthread_t contender;
  EXPECT(pthread_create(&interrupted, NULL, allocate_all_along, &action) == 0);
  EXPECT(pthread_create(&contender, NULL, allocate_all_along, NULL) == 0);
  for (int sent = 0; sent < forks && !failed; ++sent) {
    pthread_kill(interrupted, SIGUSR1);
    while (forked <= sent && !failed) sched_yield();
  }
  EXPECT(!failed);
  pthread_join(interrupted, NULL);
  pthread_join(contender, NULL);
  return expect_status();
}
