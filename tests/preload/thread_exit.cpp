// Threads whose destructors allocate and free while the thread ends: those of C++ thread_locals, and of pthread
// keys, which run later and several rounds long.
#include "expect.h"
#include "watchdog.h"

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <string>

namespace {

std::atomic<int> ended{0};

struct Ledger {
  std::map<int, std::string> entries;
  ~Ledger() {
    for (int i = 0; i < 50; ++i) entries[i + 1000] = std::string(static_cast<std::size_t>(i) + 20, 'x');
    EXPECT(entries.size() >= 50);
    ++ended;
  }
};

thread_local Ledger ledger;
pthread_key_t key;

// Sets itself again, so that the key's destructor runs as often as the system allows.
void allocate_once_more(void* value) {
  EXPECT(filled(value, 40, 7));
  std::free(value);
  void* const fresh = std::malloc(40);
  fill(fresh, 40, 7);
  static thread_local int rounds = 0;
  if (++rounds < 3) {
    pthread_setspecific(key, fresh);
  } else {
    std::free(fresh);
    ++ended;
  }
}

void* live_and_end(void*) {
  ledger.entries[1] = "a string that does not fit into its own object";
  void* const value = std::malloc(40);
  fill(value, 40, 7);
  pthread_setspecific(key, value);
  return nullptr;
}

}  // namespace

int main() {
  expect_drop_in();
  watchdog();
  pthread_key_create(&key, allocate_once_more);
  constexpr int batches = 100;
  constexpr int at_once = 8;
  for (int batch = 0; batch < batches; ++batch) {
    pthread_t threads[at_once];
    for (pthread_t& thread : threads) EXPECT(pthread_create(&thread, nullptr, live_and_end, nullptr) == 0);
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  }
  EXPECT(ended == 2 * batches * at_once);
  return expect_status();
}
