/* Forks from its destructor, when libraries that nobody depends on have been finalised, and has memory from the
   beginning; see fork_at_exit.c. */
#include "expect.h"
#include "watchdog.h"

#include <sys/wait.h>
#include <unistd.h>

__attribute__((visibility("default"))) int forks_at_exit;

static void* kept;

__attribute__((constructor)) static void allocate(void) {
  kept = malloc(1000);
  fill(kept, 1000, 1);
}

__attribute__((destructor)) static void fork_at_exit(void) {
  for (int i = 0; i < forks_at_exit; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      watchdog();
      for (size_t size = 1; size < 5000; size *= 2) free(malloc(size));
      _exit(0);
    }
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT(filled(kept, 1000, 1));
    if (expect_failures != 0) _exit(1);
  }
}
