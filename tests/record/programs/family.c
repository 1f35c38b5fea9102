/* A process and its children: each allocates a number of blocks of a size of its own, and ends in a way of its own. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(size_t size, int count) {
  for (int i = 0; i < count; ++i) free(malloc(size));
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "image") == 0) { /* what exec led to */
    work(70007, 700);
    return 0;
  }
  void* inherited = malloc(70000);
  work(70001, 100);
  for (int child = 0; child < 5; ++child) {
    const pid_t pid = child == 4 ? vfork() : fork();
    if (pid == 0) {
      if (child == 4) { /* borrows our memory: these are our events */
        free(malloc(70008));
        execl("/proc/self/exe", "family", "image", (char*)NULL);
        _exit(9);
      }
      if (child == 0) free(inherited); /* born before the child's stream */
      work(70002 + (size_t)child, 1000 * (child + 1));
      if (child == 0) exit(0);
      if (child == 1) _exit(0);
      if (child == 2) kill(getpid(), SIGKILL);
      execl("/proc/self/exe", "family", "image", (char*)NULL);
      _exit(9);
    }
    int status;
    waitpid(pid, &status, 0);
  }
  work(70001, 100);
  return 0;
}
