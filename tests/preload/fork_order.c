/* Fork handlers of others, registered from a library's constructor, run while the heap's lock is free. */
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>
#include <sys/wait.h>

void* serve_allocations(void*);
void end_service(void);

int main(void) {
  expect_drop_in();
  watchdog();
  pthread_t server;
  EXPECT(pthread_create(&server, NULL, serve_allocations, NULL) == 0);
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      free(malloc(100));
      _exit(0);
    }
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
  }
  end_service();
  pthread_join(server, NULL);
  return expect_status();
}
