#include "record/options.hpp"

#include <strata/event/slot_file.hpp>

#include <getopt.h>

#include <charconv>
#include <cstdio>
#include <cstring>

namespace strata::record {
namespace {

constexpr char help[] =
    "Usage: strata-record [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
    "Runs PROGRAM and records what it, and every process it starts, allocates.\n"
    "Its input, output and exit status stay its own.\n"
    "\n"
    "  -o, --output TRACE   where the trace goes (default: PROGRAM.trace in this folder)\n"
    "      --slots N        buffers of 64 KiB that hold events until they are written: at least one for\n"
    "                       every thread that allocates (default: 512)\n"
    "      --report FILE    write what happened to FILE, as JSON\n"
    "      --help           this text\n"
    "\n"
    "Exit status: PROGRAM's; 128+S when signal S ended it; 2 wrong usage, 125 the recording failed,\n"
    "126 PROGRAM cannot be recorded, 127 PROGRAM not found.\n"
    "\n"
    "Example:  strata-record -o sort.trace -- sort words.txt > sorted.txt\n";

std::nullopt_t refuse(int& status, const std::string& why) {
  std::fprintf(stderr, "strata: %s\n", why.c_str());
  status = 2;
  return std::nullopt;
}

}  // namespace

std::optional<Options> parse_options(int count, char** arguments, int& status) {
  const option known[] = {{"output", required_argument, nullptr, 'o'},
                          {"slots", required_argument, nullptr, 's'},
                          {"report", required_argument, nullptr, 'r'},
                          {"help", no_argument, nullptr, 'h'},
                          {}};
  Options options;
  opterr = 0;
  for (int c; (c = getopt_long(count, arguments, "+:o:", known, nullptr)) != -1;) {
    switch (c) {
      case 'o':
        options.trace = optarg;
        break;
      case 's': {
        const char* end = optarg + std::strlen(optarg);
        const auto [stop, error] = std::from_chars(optarg, end, options.slots);
        if (error != std::errc{} || stop != end || options.slots == 0 || options.slots > slots::max_slots)
          return refuse(status, std::string("--slots ") + optarg + ": give a number from 1 to " +
                                    std::to_string(slots::max_slots));
        break;
      }
      case 'r':
        options.report = optarg;
        break;
      case 'h':
        std::fputs(help, stdout);
        status = 0;
        return std::nullopt;
      case ':':
        return refuse(status,
                      std::string(arguments[optind - 1]) + ": needs a value: see strata-record --help");
      default:
        return refuse(status,
                      std::string(arguments[optind - 1]) + ": no such option: see strata-record --help");
    }
  }
  if (optind == count) return refuse(status, "no program to record: strata-record -- PROGRAM ARGUMENTS");
  options.program.assign(arguments + optind, arguments + count);
  options.program.push_back(nullptr);
  if (options.trace.empty()) {
    const char* name = options.program[0];
    const char* slash = std::strrchr(name, '/');
    options.trace = std::string(slash ? slash + 1 : name) + ".trace";
  }
  return options;
}

}  // namespace strata::record
