/// Where a heap crashes, the seed and the operation are said before the process dies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace strata::stress {

/// Has the process's fatal signals tell what was done last.
void install_last_words();

/// From its construction to its destruction, this is what is done. One at a time.
class LastWords {
 public:
  LastWords(const std::string& heap, std::uint64_t seed, const std::size_t& operation);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
};

}  // namespace strata::stress
