#include "record/program_check.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

namespace strata::record {
namespace {

constexpr int cannot_run = 126, not_found = 127;
constexpr int max_interpreters = 5;  // as in Linux

bool is_program(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// The first that can be run, else the first that is there, else empty.
std::string look_up(const std::string& name) {
  const char* variable = std::getenv("PATH");
  const std::string folders = variable ? variable : "/bin:/usr/bin";
  std::string unusable;
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    const std::string folder = folders.substr(start, end - start);
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(path)) return path;
    if (unusable.empty() && access(path.c_str(), F_OK) == 0) unusable = path;
    start = end + 1;
  }
  return unusable;
}

/// Why the dynamic linker would take no LD_PRELOAD in this program from us; null when it would.
const char* privileges(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return nullptr;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) return "setuid";
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid()) return "setgid";
  if (geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
    return "privileged by file capabilities";
  return nullptr;
}

/// What PT_INTERP says; empty for a statically linked program or a damaged header.
std::string dynamic_linker(std::ifstream& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    file.seekg(static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * header.e_phentsize));
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) break;
    if (segment.p_type != PT_INTERP || segment.p_filesz > 4096) continue;
    std::string interpreter(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(interpreter.data(), static_cast<std::streamsize>(interpreter.size()));
    return interpreter.c_str();
  }
  return {};
}

Elf64_Half own_machine() {
  Elf64_Ehdr own{};
  std::ifstream("/proc/self/exe", std::ios::binary).read(reinterpret_cast<char*>(&own), sizeof own);
  return own.e_machine;
}

/// Empty, or what keeps an ELF program from being recorded.
std::string elf_obstacle(std::ifstream& file) {
  Elf64_Ehdr header{};
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return "is cut short: install it again";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != own_machine())
    return "is built for another kind of machine than strata-record: record a build for this one";
  const std::string linker = dynamic_linker(file, header);
  if (linker.empty())
    return "is statically linked, so nothing can be preloaded into it: link it dynamically to record it";
  if (linker.find("musl") != std::string::npos)
    return "is linked with musl, and the recorder needs glibc: record a glibc build of it";
  return {};
}

std::string obstacle(const std::string& path, int depth) {
  if (const char* privilege = privileges(path))
    return path + " is " + privilege +
           ", so the system ignores what is preloaded: record a copy without that, or as its owner";
  std::ifstream file(path, std::ios::binary);
  char start[256] = {};
  file.read(start, sizeof start - 1);
  const std::streamsize length = file.gcount();
  file.clear();
  if (length == 0) return {};  // empty, or executable but not readable: the system will tell
  if (length >= SELFMAG && std::memcmp(start, ELFMAG, SELFMAG) == 0) {
    const std::string why = elf_obstacle(file);
    return why.empty() ? why : path + " " + why;
  }
  std::string interpreter = "/bin/sh";  // what execvp runs a text without "#!" with
  if (start[0] == '#' && start[1] == '!') {
    const char* name = start + 2 + std::strspn(start + 2, " \t");
    interpreter.assign(name, std::strcspn(name, " \t\r\n"));
  }
  if (depth == max_interpreters) return path + " is a script of too many scripts";
  if (!is_program(interpreter))
    return path + ": its interpreter " + interpreter + " cannot be run: install it, or mend the first line";
  return obstacle(interpreter, depth + 1);
}

}  // namespace

ProgramCheck check_program(const std::string& name) {
  const bool has_folder = name.find('/') != std::string::npos;
  ProgramCheck check;
  check.path = has_folder ? name : look_up(name);
  struct stat status;
  if (check.path.empty()) {
    check.error = name + ": not found in PATH: check the name, or give the program's path";
    check.status = not_found;
  } else if (stat(check.path.c_str(), &status) != 0) {
    check.error = name + ": " + std::strerror(errno) + ": check the path";
    check.status = not_found;
  } else if (S_ISDIR(status.st_mode)) {
    check.error = check.path + ": is a folder: give a program";
    check.status = cannot_run;
  } else if (!is_program(check.path)) {
    check.error = check.path + ": is not executable: chmod +x it, or name its interpreter first";
    check.status = cannot_run;
  } else if (std::string why = obstacle(check.path, 0); !why.empty()) {
    check.error = std::move(why);
    check.status = cannot_run;
  }
  return check;
}

}  // namespace strata::record
