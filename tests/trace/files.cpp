#include "tests/trace/files.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace strata::test {

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "strata-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder for the test";
  path_ = name;
}

Folder::~Folder() {
  std::filesystem::remove_all(path_);
}

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const trace::Bytes bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write_file(const std::string& path, trace::Bytes bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Output run(const std::string& command) {
  const Folder folder;
  const std::string out = folder.path("out"), err = folder.path("err");
  const int status = std::system(("(" + command + ") >" + out + " 2>" + err).c_str());
  const auto text = [](const std::string& path) {
    const std::vector<std::byte> bytes = read_file(path);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text(out), text(err)};
}

}  // namespace strata::test
