/* Allocates in a signal handler, thousands of times, wherever it interrupts: for use with signal_safe_malloc below the recorder. Prints how
   often the program and the handler have allocated. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t handled;

static void handler(int signal) {
  (void)signal;
  free(malloc(90002));
  ++handled;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, NULL);
  long allocated = 0;
  while (handled < 3000) {
    free(malloc(90001));
    ++allocated;
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%ld %ld\n", allocated, (long)handled);
  return 0;
}
