/* operator new in a program without a C++ runtime: works, and at the end of memory says so and aborts. */
#include "expect.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile size_t too_much = PTRDIFF_MAX;

typedef void* (*New)(size_t);
typedef void* (*NothrowNew)(size_t, const void*);
typedef void (*Delete)(void*);

static void* function(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  EXPECT(found != NULL);
  return found;
}

int main(void) {
  expect_drop_in();
  EXPECT(dlsym(RTLD_DEFAULT, "__cxa_throw") == NULL && "this program has no C++ runtime");
  const New plain_new = (New)(uintptr_t)function("_Znwm");
  const NothrowNew nothrow_new = (NothrowNew)(uintptr_t)function("_ZnwmRKSt9nothrow_t");
  const Delete plain_delete = (Delete)(uintptr_t)function("_ZdlPv");
  void* const block = plain_new(100);
  EXPECT(block != NULL);
  plain_delete(block);
  EXPECT(nothrow_new(too_much, "") == NULL);

  int ends[2];
  EXPECT(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    plain_new(too_much);
    _exit(0);
  }
  close(ends[1]);
  char text[200] = "";
  EXPECT(read(ends[0], text, sizeof text - 1) > 0);
  EXPECT(strncmp(text, "strata: operator new: out of memory", 35) == 0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  return expect_status();
}
