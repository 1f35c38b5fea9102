/// strata-trace: describes, checks and recovers traces. Prints JSON, so that there is one reader of the
/// format.
#include "trace/converter.hpp"
#include "trace/describe.hpp"
#include "trace/trace_file.hpp"

#include <strata/event/slot_file.hpp>

#include <getopt.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace strata::trace {
namespace {

constexpr int usage_error = 2;
constexpr const char* usage =
    "usage: strata-trace info [--curve POINTS] TRACE   what a trace holds, as JSON\n"
    "       strata-trace verify TRACE                  checks every checksum and every event\n"
    "       strata-trace recover TRACE                 turns what a killed recording left into TRACE\n";

bool exists(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

int complain(const std::string& path, const std::string& what, const std::string& mend) {
  std::fprintf(stderr, "strata: %s: %s: %s\n", path.c_str(), what.c_str(), mend.c_str());
  return 1;
}

/// A file that could not be opened as a trace, told with what to do about it.
int complain(const std::string& path, const Fault& fault) {
  const std::string_view why = fault.why;
  if (why == "No such file or directory" && exists(path + ".part"))
    return complain(path, "its recording was not finished", "strata-trace recover " + path);
  if (why == "is a recording that was not finished")
    return complain(path, fault.why, "strata-trace recover " + path.substr(0, path.rfind(".part")));
  std::string what = fault.why;
  if (fault.offset != TraceFile::nowhere) what += " (byte " + std::to_string(fault.offset) + ")";
  if (why == "written by a newer version of Strata") return complain(path, what, "update Strata");
  if (why == "is a directory") return complain(path, what, "name the trace file in it");
  if (why == "Permission denied") return complain(path, what, "make it readable");
  return complain(path, what, "record one: strata record -o TRACE -- PROGRAM");
}

int complain_of_damage(const std::string& path, const Fault& fault, std::uint64_t events) {
  return complain(path,
                  "damaged at byte " + std::to_string(fault.offset) + " (" + fault.why + "), " +
                      std::to_string(events) + " events can be read",
                  "copy it again from where it came, or record it again");
}

int info(const std::string& path, std::uint64_t curve_points) {
  TraceFile file;
  if (Fault fault = file.open(path.c_str())) return complain(path, fault);
  const Description description = describe(file, path, curve_points);
  std::puts(description.json.dump().c_str());
  if (description.damage) return complain_of_damage(path, description.damage, description.events);
  return 0;
}

int verify(const std::string& path) {
  TraceFile file;
  if (Fault fault = file.open(path.c_str())) return complain(path, fault);
  Fault fault = file.damage();
  std::uint64_t blocks = 0;
  Block block;
  for (std::uint64_t at = sizeof(FileHeader); !fault && at < file.bytes().size(); at = block.end()) {
    fault = read_block(file.bytes(), at, block);
    ++blocks;
  }
  const Description description = describe(file, path, 0);
  if (!fault) fault = description.damage;
  if (fault) return complain_of_damage(path, fault, description.events);
  std::printf("%s: %zu streams, %ju events, %ju blocks: every checksum holds\n", path.c_str(),
              file.streams().size(), static_cast<std::uintmax_t>(description.events),
              static_cast<std::uintmax_t>(blocks));
  return 0;
}

/// The strata-record that still drains these slots, or 0.
std::int32_t living_recorder(const std::string& slots_path) {
  MappedFile file;
  if (file.open(slots_path.c_str()) != nullptr) return 0;
  if (slots::fault(file.bytes().data(), file.bytes().size()) != nullptr) return 0;
  const auto& header = *reinterpret_cast<const slots::Header*>(file.bytes().data());
  if (header.recording.load() == 0 || kill(header.drainer_pid, 0) != 0) return 0;
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(header.drainer_pid) + "/comm"), name);
  return name == "strata-record" ? header.drainer_pid : 0;
}

int recover(const std::string& path) {
  const std::string part = path + ".part";
  const std::string slots = path + ".slots";
  const bool has_slots = exists(slots);
  if (!exists(part))
    return exists(path)
               ? complain(path, "is there and " + part + " is not", "nothing to recover")
               : complain(part, "No such file or directory", "name the trace as it was to be, without .part");
  if (const std::int32_t pid = has_slots ? living_recorder(slots) : 0; pid != 0)
    return complain(path, "is still being recorded by process " + std::to_string(pid),
                    "wait for it, or end it first");
  std::vector<std::string> warnings;
  const Conversion done = convert(part, has_slots ? slots.c_str() : nullptr, path, warnings);
  for (const std::string& warning : warnings) std::fprintf(stderr, "strata: %s\n", warning.c_str());
  if (!done.error.empty()) {
    std::fprintf(stderr, "strata: %s: nothing was recovered\n", done.error.c_str());
    return 1;
  }
  if (!done.read_everything) {
    std::fprintf(stderr, "strata: %s: %s is kept because not all of it could be read\n", path.c_str(),
                 part.c_str());
    return 0;
  }
  unlink(part.c_str());
  if (has_slots) unlink(slots.c_str());
  return 0;
}

int run(int argc, char** argv) {
  static constexpr option options[] = {{"curve", required_argument, nullptr, 'c'},
                                       {"help", no_argument, nullptr, 'h'},
                                       {nullptr, 0, nullptr, 0}};
  std::uint64_t curve_points = 0;
  bool has_curve = false;
  for (int option; (option = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
    if (option == 'h') {
      std::fputs(usage, stdout);
      return 0;
    }
    if (option != 'c') return usage_error;  // getopt said what is wrong
    const char* end = optarg + std::strlen(optarg);
    const auto [stop, error] = std::from_chars(optarg, end, curve_points);
    has_curve = error == std::errc() && stop == end && curve_points > 0;
    if (!has_curve) {
      std::fprintf(stderr, "strata: --curve %s: give a number of points, as in --curve 500\n", optarg);
      return usage_error;
    }
  }
  const std::string command = optind < argc ? argv[optind] : "";
  if (optind + 2 == argc) {
    const std::string path = argv[optind + 1];
    if (command == "info") return info(path, curve_points);
    if (command == "verify" && !has_curve) return verify(path);
    if (command == "recover" && !has_curve) return recover(path);
  }
  std::fputs(usage, stderr);
  return usage_error;
}

}  // namespace
}  // namespace strata::trace

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error to tell, like a full disk
  return strata::trace::run(argc, argv);
}
