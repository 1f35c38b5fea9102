/// The ways out of a process image that run no exit handler: exec and _exit. Each writes the stream's end
/// first. An exec that fails leaves the stream going: the last end record of a process counts.
#include "record/recorder/process.hpp"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#define STRATA_EXPORT extern "C" [[gnu::visibility("default")]]

namespace strata::recorder {
namespace {

using Strings = char* const*;

/// Looked up at start: exec must work in a child of fork whose other threads, gone now, held the linker's
/// lock.
struct {
  int (*execve)(const char*, Strings, Strings);
  int (*execvpe)(const char*, Strings, Strings);
  int (*fexecve)(int, Strings, Strings);
  int (*execveat)(int, const char*, Strings, Strings, int);
} next;

template <class Function>
void find(Function*& function, const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  std::memcpy(&function, &found, sizeof function);
}

[[gnu::constructor]] void find_all() {
  find(next.execve, "execve");
  find(next.execvpe, "execvpe");
  find(next.fexecve, "fexecve");
  find(next.execveat, "execveat");
}

std::size_t count_arguments(va_list list) {
  std::size_t count = 1;
  while (va_arg(list, char*)) ++count;
  return count;
}

}  // namespace
}  // namespace strata::recorder

using namespace strata::recorder;
using strata::Ending;

STRATA_EXPORT int execve(const char* path, Strings arguments, Strings environment) {
  end_process(Ending::replaced_by_exec);
  return next.execve(path, arguments, environment);
}
STRATA_EXPORT int execv(const char* path, Strings arguments) {
  return execve(path, arguments, environ);
}
STRATA_EXPORT int execvpe(const char* name, Strings arguments, Strings environment) {
  end_process(Ending::replaced_by_exec);
  return next.execvpe(name, arguments, environment);
}
STRATA_EXPORT int execvp(const char* name, Strings arguments) {
  return execvpe(name, arguments, environ);
}
STRATA_EXPORT int fexecve(int descriptor, Strings arguments, Strings environment) {
  end_process(Ending::replaced_by_exec);
  return next.fexecve(descriptor, arguments, environment);
}
STRATA_EXPORT int execveat(int folder, const char* path, Strings arguments, Strings environment, int flags) {
  end_process(Ending::replaced_by_exec);
  return next.execveat(folder, path, arguments, environment, flags);
}

// The variadic forms hand on an array that lies on the stack: a child of vfork may not allocate.
#define STRATA_COLLECT(arguments, first)                                                 \
  va_list list, counted;                                                                 \
  va_start(list, first);                                                                 \
  va_copy(counted, list);                                                                \
  const std::size_t count = count_arguments(counted);                                    \
  va_end(counted);                                                                       \
  auto** arguments = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*))); \
  arguments[0] = const_cast<char*>(first);                                               \
  for (std::size_t i = 1; i <= count; ++i) arguments[i] = va_arg(list, char*)

STRATA_EXPORT int execl(const char* path, const char* first, ...) {
  STRATA_COLLECT(arguments, first);
  va_end(list);
  return execve(path, arguments, environ);
}
STRATA_EXPORT int execlp(const char* name, const char* first, ...) {
  STRATA_COLLECT(arguments, first);
  va_end(list);
  return execvpe(name, arguments, environ);
}
STRATA_EXPORT int execle(const char* path, const char* first, ...) {
  STRATA_COLLECT(arguments, first);
  Strings environment = va_arg(list, char**);
  va_end(list);
  return execve(path, arguments, environment);
}

STRATA_EXPORT void _exit(int status) {
  end_process(Ending::exited);
  for (;;) syscall(SYS_exit_group, status);
}
STRATA_EXPORT void _Exit(int status) {
  _exit(status);
}
