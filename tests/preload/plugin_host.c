/* A C program that loads a C++ plugin for itself alone: bad_alloc must be that of the plugin's runtime. */
#include "expect.h"

int main(int count, char** arguments) {
  expect_drop_in();
  EXPECT(count == 2);
  void* const plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) fprintf(stderr, "%s\n", dlerror());
  EXPECT(plugin != NULL);
  EXPECT(dlsym(RTLD_DEFAULT, "__cxa_throw") == NULL && "the runtime is the plugin's own");
  int (*const catches_bad_alloc)(size_t) = (int (*)(size_t))(uintptr_t)dlsym(plugin, "catches_bad_alloc");
  EXPECT(catches_bad_alloc(PTRDIFF_MAX) == 1);
  EXPECT(catches_bad_alloc(100) == 0);
  EXPECT(dlclose(plugin) == 0);
  return expect_status();
}
