/// JSON text in memory of its own: the engine must not call the malloc under test for its own ends.
/// Needs:      nothing.
/// Guarantees: no malloc; strings are escaped.
/// Threads:    one at a time.
/// Cost:       vsnprintf.
#pragma once

#include "trace/mapped_array.hpp"

namespace strata::replay {

class JsonText {
 public:
  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...);
  void add_string(const char* text);

  /// Writes all of it and a newline; false when that failed.
  bool write_to(int descriptor) const;

 private:
  trace::MappedArray<char> text_;
};

}  // namespace strata::replay
