/// The C++ runtime of whoever asked for memory, found at the moment of failure.
///
/// A drop-in needs no C++ runtime, yet a failed operator new must call the program's new-handler and throw a
/// bad_alloc that the program's own runtime can catch. The runtime's own operator new does exactly that, over
/// our malloc: it tries once more, runs the handlers and throws. So failure is handed over to it. Nothing
/// here allocates while the runtime is one that the program was started with.
#pragma once

#include <strata/platform/attributes.hpp>

#include <dlfcn.h>

#include <cstddef>

namespace strata::drop_in {

/// Where the module that holds an address begins; null for no address.
inline const void* module_of(const void* address) {
  Dl_info info = {};
  return address != nullptr && ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// A module that is loaded already, held open for a scope.
class LoadedModule {
 public:
  explicit LoadedModule(const void* address) {
    Dl_info info = {};
    if (address != nullptr && ::dladdr(address, &info) != 0) {
      handle_ = ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }
  }
  ~LoadedModule() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  void* symbol(const char* name) const { return handle_ != nullptr ? ::dlsym(handle_, name) : nullptr; }

 private:
  void* handle_ = nullptr;
};

/// The definition of `name` in the runtime that throws the caller's exceptions, null if there is none. A
/// definition elsewhere does not count: it may belong to another allocator, whose blocks are not ours.
STRATA_COLD inline void* runtimes_own(const char* name, const void* caller) {
  void* const next = ::dlsym(RTLD_NEXT, name);
  const void* throws = ::dlsym(RTLD_NEXT, "__cxa_throw");
  if (next != nullptr && module_of(next) == module_of(throws)) return next;
  // A plugin brought its runtime along, visible to itself alone.
  if (throws == nullptr) throws = LoadedModule(caller).symbol("__cxa_throw");
  void* const own = LoadedModule(throws).symbol(name);
  return module_of(own) == module_of(throws) ? own : nullptr;
}

}  // namespace strata::drop_in
