#include "replay/json_text.hpp"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace strata::replay {

void JsonText::add(const char* format, ...) {
  char piece[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  for (const char* at = piece; *at != '\0'; ++at) text_.push_back(*at);
}

void JsonText::add_string(const char* text) {
  text_.push_back('"');
  for (; *text != '\0'; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (byte == '"' || byte == '\\') text_.push_back('\\');
    if (byte < 0x20)
      add("\\u%04x", byte);
    else
      text_.push_back(*text);
  }
  text_.push_back('"');
}

bool JsonText::write_to(int descriptor) const {
  std::size_t done = 0;
  while (done < text_.size()) {
    const ssize_t written = write(descriptor, text_.data() + done, text_.size() - done);
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return write(descriptor, "\n", 1) == 1;
}

}  // namespace strata::replay
