/* Ends a program that hangs: a deadlock is a failure, not a test that never ends. An alarm does it, so that no
   thread is needed; a forked child sets its own, because alarms are not inherited. */
#ifndef STRATA_TESTS_PRELOAD_WATCHDOG_H
#define STRATA_TESTS_PRELOAD_WATCHDOG_H

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void watchdog_bites(int signal_number) {
  (void)signal_number;
  static const char text[] = "the watchdog ended this process: it hangs\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(4);
  _exit(3);
}

/* STRATA_WATCHDOG: seconds, for those who expect a hang. */
static inline void watchdog(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = watchdog_bites;
  sigaction(SIGALRM, &action, NULL);
  const char* const seconds = getenv("STRATA_WATCHDOG");
  alarm(seconds != NULL ? (unsigned)atoi(seconds) : 60u);
}

#endif
