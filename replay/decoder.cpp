#include "replay/decoder.hpp"

namespace strata::replay {
namespace {

/// Long enough that decoding seldom pushes the heap's data out of the caches, and 8 MiB of words.
constexpr std::uint64_t window_events = std::uint64_t{1} << 20;

}  // namespace

Decoder::Decoder(const trace::TraceFile& file, const trace::StreamEntry& stream, std::uint64_t segment_events)
    : file_(file),
      stream_(stream),
      cursor_(file, stream, chunk_),
      free_slots_(1024),
      words_(window_events),
      segments_(1024),
      segment_events_(segment_events) {}

trace::Fault Decoder::rewind() {
  cursor_ = trace::StreamCursor(file_, stream_, chunk_);
  live_.clear();
  totals_ = {};
  free_slots_.clear();
  slots_ = births_ = events_ = 0;
  trace::StreamStart start;
  std::string_view text;
  return fault_ = cursor_.start(start, text);
}

std::uint64_t Decoder::memory_bytes() const {
  return chunk_.memory_bytes() + live_.bytes() + free_slots_.bytes() + words_.bytes() + segments_.bytes();
}

bool Decoder::next() {
  words_.clear();
  segments_.clear();
  const std::uint64_t before = events_;
  while (events_ - before < window_events && take_chunk()) {
  }
  const std::size_t end = words_.size();
  words_.resize(end + prefetch_distance);
  words_.resize(end);
  if (!words_.empty() && (segments_.empty() || segments_.back().words_end != words_.size())) end_segment();
  return !words_.empty() && !fault_;
}

bool Decoder::take_chunk() {
  const trace::StreamCursor::Step step = cursor_.next();
  if (step == trace::StreamCursor::Step::fault) fault_ = cursor_.fault();
  if (step != trace::StreamCursor::Step::chunk) return false;
  for (const trace::Event& event : chunk_.events()) {
    if (const char* why = decode(event)) {
      fault_ = {cursor_.chunk_offset(), why};
      return false;
    }
    if (++events_ % segment_events_ == 0) end_segment();
  }
  return true;
}

void Decoder::end_segment() {
  segments_.push_back({words_.size(), events_, totals_.bytes});
}

const char* Decoder::decode(const trace::Event& event) {
  Object old{0, 0};
  if (event.age != 0) {
    if (!live_.take(births_ - event.age + 1, old)) return "an object that ends twice";
    totals_.died(old.size);
  }
  if (event.operation == trace::Operation::free) {
    words_.push_back(encode(Action::free, old.slot, 0));
    free_slots_.push_back(old.slot);
    return nullptr;
  }
  const Object born{event.size, event.age != 0 ? old.slot : take_slot()};
  if (born.slot >= max_slots) return "more objects live at once than the engine has slots for";
  live_.insert(++births_, born);
  totals_.born(born.size);
  switch (event.operation) {
    case trace::Operation::realloc:
      // Of null: there is no old object in the slot, so it is a malloc, as the C library says.
      if (event.age == 0)
        put(Action::malloc, born.slot, born.size, 0);
      else
        put(Action::realloc, born.slot, born.size, old.size);
      return nullptr;
    case trace::Operation::aligned:
      put(Action::aligned, born.slot, born.size, std::uint64_t{1} << event.log2_alignment);
      return nullptr;
    case trace::Operation::calloc:
      put(Action::calloc, born.slot, born.size, 0);
      return nullptr;
    default:
      put(Action::malloc, born.slot, born.size, 0);
      return nullptr;
  }
}

void Decoder::put(Action action, std::uint64_t slot, std::uint64_t size, std::uint64_t operand) {
  if (size > max_narrow_size) {
    words_.push_back(encode(Action::wide, slot, static_cast<std::uint64_t>(action)));
    words_.push_back(size);
    words_.push_back(operand);
    return;
  }
  words_.push_back(encode(action, slot, size));
  if (action == Action::realloc || action == Action::aligned) words_.push_back(operand);
}

std::uint64_t Decoder::take_slot() {
  if (free_slots_.empty()) return slots_++;
  const std::uint64_t slot = free_slots_.back();
  free_slots_.resize(free_slots_.size() - 1);
  return slot;
}

}  // namespace strata::replay
