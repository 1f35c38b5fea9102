#include "tests/trace/synthetic.hpp"

#include "trace/live_totals.hpp"
#include "trace/trace_file.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <random>

namespace strata::test {

std::vector<ReadBack> read_trace(const std::string& path, trace::Fault& fault) {
  std::vector<ReadBack> streams;
  trace::TraceFile file;
  fault = file.open(path.c_str());
  if (fault) return streams;
  fault = file.damage();
  static trace::Chunk chunk;  // thousands of files are read; its memory need not be taken anew
  for (const trace::StreamEntry& entry : file.streams()) {
    trace::StreamCursor cursor(file, entry, chunk);
    ReadBack stream;
    std::string_view text;
    if (trace::Fault here = cursor.start(stream.start, text)) {
      if (!fault) fault = here;
      continue;
    }
    stream.text = text;
    trace::StreamCursor::Step step;
    while ((step = cursor.next()) == trace::StreamCursor::Step::chunk)
      stream.events.insert(stream.events.end(), chunk.events().begin(), chunk.events().end());
    stream.ended = step == trace::StreamCursor::Step::end;
    stream.totals = cursor.totals();
    if (!stream.ended && !fault) fault = cursor.fault();
    streams.push_back(std::move(stream));
  }
  return streams;
}

bool same(const trace::Event& left, const trace::Event& right) {
  return left.operation == right.operation && left.log2_alignment == right.log2_alignment &&
         left.thread == right.thread && left.size == right.size && left.age == right.age;
}

bool begins(const std::vector<trace::Event>& events, const std::vector<trace::Event>& all) {
  return events.size() <= all.size() && std::equal(events.begin(), events.end(), all.begin(), same);
}

unsigned char* ThreadWriter::room(trace::BlockWriter& part, std::uint64_t order, std::size_t bytes) {
  const std::size_t needed = bytes + 2 * Encoder::slack;
  if (!buffer_.empty() && buffer_.size() - used_ < needed) flush(part);
  if (buffer_.empty()) {
    buffer_.resize(4096 + bytes);
    wrote(encoder_.buffer_start(buffer_.data(), order, sequence_++, 1'000'000 + 1000 * order));
  }
  return buffer_.data() + used_;
}

void ThreadWriter::flush(trace::BlockWriter& part) {
  const std::vector<unsigned char> rows = take_rest();
  if (!rows.empty()) part.append(trace::BlockKind::rows, stream_, thread_, std::as_bytes(std::span(rows)));
}

std::vector<unsigned char> ThreadWriter::take_rest() {
  buffer_.resize(used_);
  used_ = 0;
  return std::exchange(buffer_, {});
}

namespace {

class Simulation {
 public:
  Simulation(const RandomProgram& program, trace::BlockWriter& part, std::uint32_t id)
      : program_(program), part_(part), random_(program.seed), id_(id), resizing_(program.threads) {
    for (std::uint32_t thread = 0; thread < program.threads; ++thread) writers_.emplace_back(id, thread);
  }

  RandomProgram::Expected run() {
    constexpr std::string_view text("/bin/synthetic\0synthetic\0--an option\0", 37);
    ThreadWriter& first = writers_[0];
    first.wrote(Encoder::process_start(first.room(part_, order_, text.size()), 100 + id_, 99, text));
    for (std::size_t done = 0; done < program_.steps; ++done) step(pick(program_.threads));
    for (std::uint32_t thread = 0; thread < program_.threads; ++thread)
      if (resizing_[thread]) end_resize(thread);
    if (program_.tells_its_end)
      first.wrote(Encoder::process_end(first.room(part_, order_), Ending::exited, 12345678, 0));
    for (ThreadWriter& writer : writers_) writer.flush(part_);
    trace::StreamTotals& totals = expected_.totals;
    totals.events = expected_.events.size();
    totals.objects = births_;
    totals.threads = program_.threads;
    totals.peak_live_objects = live_totals_.peak_objects;
    totals.peak_live_bytes = live_totals_.peak_bytes;
    totals.peak_resident_bytes = program_.tells_its_end ? 12345678 : trace::unknown;
    totals.complete = program_.tells_its_end;
    return expected_;
  }

 private:
  struct Object {
    std::uint64_t number, size;
  };
  struct Resize {
    std::uint64_t order, address;
    Object object;
  };

  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  std::uint64_t random_size() { return pick(50) == 0 ? random_() >> pick(40) >> 20 : pick(300); }

  /// Often the address that was freed last.
  std::uint64_t some_address() {
    if (free_addresses_.empty() || pick(4) == 0) return 0x5000'0000 + 32 * ++fresh_addresses_;
    const std::uint64_t address = free_addresses_.back();
    free_addresses_.pop_back();
    return address;
  }

  std::map<std::uint64_t, Object>::iterator some_object() {
    auto found = live_.lower_bound(0x5000'0000 + 32 * pick(fresh_addresses_ + 1));
    return found == live_.end() ? live_.begin() : found;
  }

  void born(std::uint32_t thread, trace::Operation operation, std::uint64_t address, std::uint64_t size,
            std::uint64_t age, std::uint8_t log2) {
    expected_.events.push_back({operation, log2, thread, size, age});
    live_[address] = {births_++, size};
    live_totals_.born(size);
  }

  void step(std::uint64_t chosen) {
    const auto thread = static_cast<std::uint32_t>(chosen);
    if (resizing_[thread]) return end_resize(thread);
    switch (live_.size() > 200 ? 8 : pick(12)) {
      case 0:
      case 1:
        return allocate(thread, trace::Operation::calloc);
      case 2:
        return allocate(thread, trace::Operation::aligned);
      case 3:
      case 4:
        return begin_resize(thread);
      case 5:
      case 6:
      case 8:
        return release(thread);
      case 7:
        return release_foreign(thread);
      default:
        return allocate(thread, trace::Operation::malloc);
    }
  }

  void allocate(std::uint32_t thread, trace::Operation operation) {
    ThreadWriter& writer = writers_[thread];
    const std::uint64_t order = ++order_, address = some_address(), size = random_size();
    unsigned char* at = writer.room(part_, order - 1);
    Encoder& encoder = writer.encoder();
    std::uint8_t log2 = 0;
    if (operation == trace::Operation::aligned) {
      log2 = static_cast<std::uint8_t>(pick(13));
      writer.wrote(encoder.aligned(at, order, address, size, std::uint64_t{1} << log2));
    } else if (operation == trace::Operation::calloc) {
      writer.wrote(encoder.calloc(at, order, address, size));
    } else {
      writer.wrote(encoder.malloc(at, order, address, size));
    }
    born(thread, operation, address, size, 0, log2);
    if (order % 50 == 0) writer.wrote(Encoder::time(writer.room(part_, order), 1'000'000 + 1000 * order));
  }

  void release(std::uint32_t thread) {
    if (live_.empty()) return;
    const auto object = some_object();
    ThreadWriter& writer = writers_[thread];
    const std::uint64_t order = ++order_;
    writer.wrote(writer.encoder().free(writer.room(part_, order - 1), order, object->first));
    expected_.events.push_back({trace::Operation::free, 0, thread, 0, births_ - object->second.number});
    live_totals_.died(object->second.size);
    free_addresses_.push_back(object->first);
    live_.erase(object);
  }

  void release_foreign(std::uint32_t thread) {
    ThreadWriter& writer = writers_[thread];
    const std::uint64_t order = ++order_;
    writer.wrote(writer.encoder().free(writer.room(part_, order - 1), order, 0x1000 + 16 * pick(100)));
    ++expected_.totals.foreign_frees;
  }

  void begin_resize(std::uint32_t thread) {
    if (live_.empty()) return;
    const auto object = some_object();
    resizing_[thread] = Resize{++order_, object->first, object->second};
    free_addresses_.push_back(object->first);  // from here on another thread may receive it
    live_.erase(object);
  }

  void end_resize(std::uint32_t thread) {
    const Resize old = *resizing_[thread];
    resizing_[thread].reset();
    ThreadWriter& writer = writers_[thread];
    const std::uint64_t order = ++order_, address = some_address(), size = random_size();
    writer.wrote(writer.encoder().realloc(writer.room(part_, old.order - 1), old.order, old.address, order,
                                          address, size));
    live_totals_.died(old.object.size);
    born(thread, trace::Operation::realloc, address, size, births_ - old.object.number, 0);
  }

  const RandomProgram& program_;
  trace::BlockWriter& part_;
  std::mt19937_64 random_;
  std::uint32_t id_;
  std::vector<ThreadWriter> writers_;
  std::vector<std::optional<Resize>> resizing_;
  std::map<std::uint64_t, Object> live_;
  std::vector<std::uint64_t> free_addresses_;
  std::uint64_t fresh_addresses_ = 0;
  std::uint64_t order_ = 0;
  std::uint64_t births_ = 0;
  trace::LiveTotals live_totals_;
  RandomProgram::Expected expected_;
};

}  // namespace

RandomProgram::Expected RandomProgram::write(trace::BlockWriter& part, std::uint32_t id) const {
  return Simulation(*this, part, id).run();
}

}  // namespace strata::test
