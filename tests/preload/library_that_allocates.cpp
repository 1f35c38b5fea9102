// Allocates when it is loaded and when it is unloaded, and in a thread_local of its own; see load_and_unload.c.
#include <cstdlib>
#include <map>
#include <string>

namespace {

std::map<int, std::string> made_at_load = [] {
  std::map<int, std::string> map;
  for (int i = 0; i < 100; ++i) map[i] = std::string(50, 'a');
  return map;
}();

void* from_constructor = nullptr;

__attribute__((constructor)) void on_load() {
  from_constructor = std::malloc(1000);
}
__attribute__((destructor)) void on_unload() {
  std::free(from_constructor);
  std::free(std::malloc(2000));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) char* use_library(void) {
  static thread_local std::string text;
  text += "more than what fits into the object itself";
  auto* const result = static_cast<char*>(std::malloc(text.size() + 1));
  text.copy(result, text.size());
  result[text.size()] = '\0';
  return made_at_load.size() == 100 ? result : nullptr;
}
