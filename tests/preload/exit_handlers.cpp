// Exit handlers and static destructors that allocate while detached threads still do: the heap outlives them.
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <string>

namespace {

std::atomic<int> running{0};
std::atomic<unsigned> allowed{100000};

void* allocate_until_the_end(void*) {
  ++running;
  for (unsigned i = 0;; ++i) {
    if (allowed.fetch_sub(1) > 1000000) pause();
    void* const block = std::malloc(i % 100 + 1);
    fill(block, i % 100 + 1, i);
    EXPECT(filled(block, i % 100 + 1, i));
    std::free(block);
  }
}

void use_heap() {
  std::map<int, std::string> map;
  for (int i = 0; i < 1000; ++i) map[i] = std::string(static_cast<std::size_t>(i % 100), 'y');
  EXPECT(map.size() == 1000);
}

struct AtTheEnd {
  std::string* text = new std::string(100, 'z');
  ~AtTheEnd() {
    use_heap();
    EXPECT(*text == std::string(100, 'z'));
    delete text;
    if (expect_status() != 0) _exit(1);
  }
};

AtTheEnd at_the_end;

}  // namespace

int main() {
  expect_drop_in();
  watchdog();
  std::atexit(use_heap);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, allocate_until_the_end, nullptr);
    pthread_detach(thread);
  }
  while (running < 3) {
  }
  return expect_status();
}
