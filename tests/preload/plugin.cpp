// A plugin that brings its C++ runtime along; see plugin_host.c.
#include <cstddef>
#include <new>

extern "C" __attribute__((visibility("default"))) int catches_bad_alloc(std::size_t size) {
  try {
    ::operator delete(::operator new(size));
  } catch (const std::bad_alloc&) {
    return ::operator new(size, std::nothrow) == nullptr ? 1 : 0;
  }
  return 0;
}
