/// What the tests need of a sanitizer: that its malloc, under MallocHeap, refuses what is too much instead of ending
/// the process.

extern "C" {
__attribute__((visibility("default"))) const char* __asan_default_options();
__attribute__((visibility("default"))) const char* __tsan_default_options();

const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}
}
