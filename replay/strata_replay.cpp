/// strata-replay: replays a trace on whatever malloc is preloaded, and prints what it cost as JSON.
#include "replay/json_text.hpp"
#include "replay/replay.hpp"

#include <fcntl.h>
#include <getopt.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace strata::replay {
namespace {

constexpr int usage_error = 2;
constexpr std::uint64_t curve_points = 500;
constexpr const char* usage =
    "usage: strata-replay [--stream N] [--no-touch] [--repeat N] [--json FILE] TRACE\n"
    "       replays a stream (else the one that has the most events) on the malloc of this process:\n"
    "       LD_PRELOAD=libNAME.so strata-replay TRACE\n";

using Number = unsigned long long;  // what printf wants

bool parse(const char* text, std::uint64_t& number) {
  char* end = nullptr;
  number = std::strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0';
}

/// False after a usage error, which has been told.
bool parse(int argc, char** argv, Options& options) {
  static constexpr option known[] = {
      {"stream", required_argument, nullptr, 's'}, {"no-touch", no_argument, nullptr, 't'},
      {"repeat", required_argument, nullptr, 'r'}, {"json", required_argument, nullptr, 'j'},
      {"help", no_argument, nullptr, 'h'},         {nullptr, 0, nullptr, 0}};
  for (int choice; (choice = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    if (choice == 'h') {
      dprintf(STDOUT_FILENO, "%s", usage);
      _exit(0);
    }
    if (choice == '?') return false;  // getopt said what is wrong
    if (choice == 't') options.touch = Touch::no;
    if (choice == 'j') options.json = optarg;
    if (choice == 's') options.has_stream = true;
    if ((choice == 's' && !parse(optarg, options.stream)) ||
        (choice == 'r' && (!parse(optarg, options.repeats) || options.repeats == 0))) {
      dprintf(STDERR_FILENO, "strata: %s: give a number%s\n", optarg,
              choice == 'r' ? " of rounds, as in --repeat 3" : ", as in --stream 0");
      return false;
    }
  }
  if (optind + 1 == argc) {
    options.trace = argv[optind];
    return true;
  }
  dprintf(STDERR_FILENO, "%s", usage);
  return false;
}

int complain(const char* path, const trace::Fault& fault) {
  if (fault.offset == trace::TraceFile::nowhere)
    dprintf(STDERR_FILENO, "strata: %s: %s: strata-trace info %s tells more\n", path, fault.why, path);
  else
    dprintf(STDERR_FILENO, "strata: %s: %s at byte %llu: strata-trace info %s tells more\n", path, fault.why,
            static_cast<Number>(fault.offset), path);
  return 1;
}

int complain_of_output(const char* path) {
  dprintf(STDERR_FILENO, "strata: %s: %s: name a file that can be written\n", path, strerrordesc_np(errno));
  return 1;
}

const trace::StreamEntry* choose(const trace::TraceFile& file, const Options& options) {
  const trace::StreamEntry* chosen = nullptr;
  for (const trace::StreamEntry& stream : file.streams()) {
    const bool suits = options.has_stream ? stream.id == options.stream
                                          : chosen == nullptr || stream.events > chosen->events;
    if (suits) chosen = &stream;
  }
  return chosen;
}

double median(trace::MappedArray<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const auto upper = static_cast<double>(values[middle]);
  return values.size() % 2 == 1 ? upper : (upper + static_cast<double>(values[middle - 1])) / 2;
}

void add_or_null(JsonText& json, const char* name, bool known, std::uint64_t number) {
  if (known)
    json.add("\"%s\": %llu, ", name, static_cast<Number>(number));
  else
    json.add("\"%s\": null, ", name);
}

void describe(JsonText& json, const Options& options, std::uint64_t stream, Result& result,
              const ResidentMeter& meter) {
  json.add("{\"heap_library\": ");
  json.add_string(result.heap.library);
  json.add(", \"trace\": ");
  json.add_string(options.trace);
  json.add(", \"stream\": %llu, \"events\": %llu, \"repeats\": %llu, \"touch\": %s, ",
           static_cast<Number>(stream), static_cast<Number>(result.events),
           static_cast<Number>(options.repeats), options.touch == Touch::yes ? "true" : "false");
  json.add("\"nanoseconds\": [");
  for (std::size_t round = 0; round < result.nanoseconds.size(); ++round)
    json.add("%s%llu", round == 0 ? "" : ", ", static_cast<Number>(result.nanoseconds[round]));
  const double events = result.events == 0 ? 1 : static_cast<double>(result.events);
  json.add("], \"nanoseconds_per_event\": %.4f, ", median(result.nanoseconds) / events);
  json.add("\"peak_resident_bytes\": %llu, \"average_resident_bytes\": %llu, ",
           static_cast<Number>(meter.peak()), static_cast<Number>(meter.average()));
  json.add("\"end_resident_bytes\": %llu, ", static_cast<Number>(meter.end()));
  add_or_null(json, "heap_bytes", result.heap.is_ours, result.heap.bytes);
  add_or_null(json, "peak_heap_bytes", result.heap.is_ours, result.heap.peak_bytes);
  json.add("\"peak_live_bytes\": %llu, \"failed_allocations\": %llu, \"resident_curve\": {",
           static_cast<Number>(result.peak_live_bytes), static_cast<Number>(result.failed_allocations));
  const auto column = [&](const char* name, std::uint64_t ResidentMeter::Point::* member) {
    json.add("\"%s\": [", name);
    for (const ResidentMeter::Point& point : meter.curve())
      json.add("%s%llu", &point == meter.curve().begin() ? "" : ", ", static_cast<Number>(point.*member));
    json.add("]");
  };
  column("event", &ResidentMeter::Point::event);
  json.add(", ");
  column("bytes", &ResidentMeter::Point::bytes);
  json.add(", ");
  column("live_bytes", &ResidentMeter::Point::live_bytes);
  json.add("}}");
}

int run(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) return usage_error;
  trace::TraceFile file;
  if (trace::Fault fault = file.open(options.trace)) return complain(options.trace, fault);
  if (file.damage()) return complain(options.trace, file.damage());
  const trace::StreamEntry* stream = choose(file, options);
  if (stream == nullptr) {
    dprintf(STDERR_FILENO, "strata: %s: has no such stream: strata-trace info lists them\n", options.trace);
    return 1;
  }
  const bool to_stdout = std::strcmp(options.json, "-") == 0;
  const int output =
      to_stdout ? STDOUT_FILENO : open(options.json, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  if (output < 0) {
    return complain_of_output(options.json);
  }

  ResidentMeter meter(stream->events, curve_points);
  Result result;
  if (trace::Fault fault = replay(file, *stream, options, meter, result))
    return complain(options.trace, fault);
  JsonText json;
  describe(json, options, stream->id, result, meter);
  if (json.write_to(output)) return 0;
  return complain_of_output(options.json);
}

}  // namespace
}  // namespace strata::replay

int main(int argc, char** argv) {
  return strata::replay::run(argc, argv);
}
