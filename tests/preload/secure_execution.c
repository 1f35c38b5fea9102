/* Linked with a drop-in and made setuid by secure_execution.sh: 77 if that has no effect. */
#include "expect.h"

#include <malloc.h>
#include <sys/auxv.h>

int main(void) {
  if (getauxval(AT_SECURE) == 0) return 77;
  EXPECT(dlsym(RTLD_DEFAULT, "strata_drop_in_name") != NULL);
  void* const block = malloc(1000);
  fill(block, 1000, 1);
  EXPECT(filled(block, 1000, 1) && malloc_usable_size(block) >= 1000);
  free(block);
  return expect_status();
}
