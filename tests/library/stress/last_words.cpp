#include "library/stress/last_words.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

namespace strata::stress {

namespace {

constexpr int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};

std::array<char, 256> heap_and_seed;
const std::size_t* current_operation = nullptr;
std::size_t last_operation = 0;
struct sigaction previous[std::size(fatal)];

/// Returns to where the signal came from, which then meets whoever would have handled it without us.
void speak(int signal) {
  std::array<char, 512> text;
  const bool living = current_operation != nullptr;
  const int length = std::snprintf(text.data(), text.size(), "%s, %s %zu: died by signal %d\n",
                                   heap_and_seed.data(), living ? "operation" : "after operation",
                                   living ? *current_operation + 1 : last_operation, signal);
  if (::write(STDERR_FILENO, text.data(), static_cast<std::size_t>(length)) < 0) ::_exit(1);
  for (std::size_t i = 0; i < std::size(fatal); ++i) ::sigaction(fatal[i], &previous[i], nullptr);
}

}  // namespace

void install_last_words() {
  struct sigaction action = {};
  action.sa_handler = speak;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(fatal); ++i) ::sigaction(fatal[i], &action, &previous[i]);
}

LastWords::LastWords(const std::string& heap, std::uint64_t seed, const std::size_t& operation) {
  std::snprintf(heap_and_seed.data(), heap_and_seed.size(), "%s, seed %llu", heap.c_str(),
                static_cast<unsigned long long>(seed));
  current_operation = &operation;
}

LastWords::~LastWords() {
  last_operation = *current_operation;
  current_operation = nullptr;
}

}  // namespace strata::stress
