/* dlopen and dlclose of a library that allocates in its constructors and destructors, from several threads at
   once; blocks that it gave out outlive it. */
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>

enum { workers = 3, rounds = 50 };

static const char* path;

static void* load_and_unload(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    EXPECT(library != NULL);
    if (library == NULL) return NULL;
    char* (*const use_library)(void) = (char* (*)(void))(uintptr_t)dlsym(library, "use_library");
    char* const text = use_library();
    EXPECT(dlclose(library) == 0);
    EXPECT(text != NULL && strncmp(text, "more than", 9) == 0);
    free(text);
  }
  return unused;
}

int main(int count, char** arguments) {
  expect_drop_in();
  watchdog();
  EXPECT(count == 2);
  path = arguments[1];
  load_and_unload(NULL);
  pthread_t threads[workers];
  for (int i = 0; i < workers; ++i) pthread_create(&threads[i], NULL, load_and_unload, NULL);
  for (int i = 0; i < workers; ++i) pthread_join(threads[i], NULL);
  return expect_status();
}
