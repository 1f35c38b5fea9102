#include "trace/chunk.hpp"

#include "trace/varint.hpp"

#include <cstring>

namespace strata::trace {
namespace {

constexpr std::size_t max_column_bytes = 2U << 20;
constexpr std::uint16_t needed_columns[] = {
    column_detail(Column::symbols, ColumnType::symbols),
    column_detail(Column::ages, ColumnType::varints),
    column_detail(Column::alignments, ColumnType::bytes),
    column_detail(Column::threads, ColumnType::varints),
};
constexpr const char* too_short = "a column holds less than its chunk needs";
constexpr const char* too_long = "a column holds more than its chunk needs";

}  // namespace

Chunk::Chunk()
    : events_(max_chunk_events),
      dictionary_(max_chunk_events),
      room_(max_column_bytes),
      workspace_(Unpacker::workspace_bytes()),
      unpacker_({workspace_.data(), workspace_.size()}) {}

std::size_t Chunk::memory_bytes() const {
  return events_.bytes() + times_.bytes() + dictionary_.bytes() + room_.bytes() + workspace_.bytes();
}

Fault Chunk::unpack(const Block& block, Bytes& raw) {
  return unpacker_.unpack(block, {room_.data(), room_.size()}, raw);
}

Fault Chunk::decode(Bytes file, const Block& block, std::uint64_t& offset) {
  Bytes raw;
  if (Fault fault = unpack(block, raw)) return fault;
  if (raw.size() < sizeof header_) return {block.offset, "a chunk without its header"};
  ChunkHeader header;
  std::memcpy(&header, raw.data(), sizeof header);
  if (header.events == 0 || header.events > max_chunk_events)
    return {block.offset, "a chunk of an impossible number of events"};
  header_ = header;
  times_.clear();
  std::memset(events_.data(), 0, header.events * sizeof(Event));

  offset = block.end();
  std::uint64_t seen = 0;  // a bit for every column that must be known
  for (std::uint32_t column = 0; column < header.columns; ++column) {
    Block part;
    if (Fault fault = read_block(file, offset, part)) return fault;
    if (part.header.kind != BlockKind::column || part.header.stream != block.header.stream)
      return {offset, "a chunk lacks a column"};
    const auto id = static_cast<std::uint8_t>(part.header.detail);
    const bool known = id <= static_cast<std::uint8_t>(Column::threads) && id != 0;
    if (!known && id < first_optional_column) return {offset, "a column of an unknown kind"};
    if (known || id == static_cast<std::uint8_t>(Column::times)) {
      // Ages and alignments are read by operation, so symbols come first.
      if (id != static_cast<std::uint8_t>(Column::symbols) && seen == 0)
        return {offset, "a column before the symbols"};
      if (known && (seen >> id & 1) != 0) return {offset, "a column twice"};
      if (known) seen |= std::uint64_t{1} << id;
      if (Fault fault = unpack(part, raw)) return fault;
      if (const char* why = decode_column(part.header.detail, raw)) return {offset, why};
    }
    offset = part.end();
  }
  for (const std::uint16_t detail : needed_columns)  // an absent column is an empty one
    if ((seen >> (detail & 0xFF) & 1) == 0)
      if (const char* why = decode_column(detail, {})) return {block.offset, why};
  if (const char* why = check_ages()) return {block.offset, why};
  return {};
}

const char* Chunk::decode_column(std::uint16_t detail, Bytes raw) {
  switch (detail) {
    case column_detail(Column::symbols, ColumnType::symbols):
      return decode_symbols(raw);
    case column_detail(Column::ages, ColumnType::varints):
      return decode_ages(raw);
    case column_detail(Column::alignments, ColumnType::bytes):
      return decode_alignments(raw);
    case column_detail(Column::threads, ColumnType::varints):
      return decode_threads(raw);
    case column_detail(Column::times, ColumnType::varints):
      return decode_times(raw);
    default:
      return "a column of an unknown type";
  }
}

const char* Chunk::decode_symbols(Bytes raw) {
  std::uint64_t entries;
  if (!take_varint(raw, entries) || entries > max_chunk_events) return "an impossible dictionary";
  for (std::uint64_t index = 0; index < entries; ++index) {
    std::uint64_t operation, size;
    if (!take_varint(raw, operation) || !take_varint(raw, size)) return too_short;
    if (operation > static_cast<std::uint64_t>(Operation::aligned)) return "an unknown operation";
    dictionary_[index] = Event{static_cast<Operation>(operation), 0, 0, size, 0};
  }
  const std::byte* at = raw.data();
  const std::byte* const end = at + raw.size();
  for (Event& event : std::span(events_.data(), header_.events)) {
    if (at == end) return too_short;
    auto index = static_cast<std::uint32_t>(*at++);
    if (index >= short_symbols) {
      const bool is_long = index == 0xFF;
      if (end - at < (is_long ? 2 : 1)) return too_short;
      const std::uint32_t base = is_long ? 0 : short_symbols;
      const std::uint32_t high = is_long ? static_cast<std::uint32_t>(*at++) : index - short_symbols;
      index = base + (high << 8) + static_cast<std::uint32_t>(*at++);
    }
    if (index >= entries) return "a symbol that its dictionary lacks";
    event = dictionary_[index];
  }
  return at == end ? nullptr : too_long;
}

const char* Chunk::decode_ages(Bytes raw) {
  for (Event& event : std::span(events_.data(), header_.events))
    if (event.operation == Operation::free || event.operation == Operation::realloc)
      if (!take_varint(raw, event.age)) return too_short;
  return raw.empty() ? nullptr : too_long;
}

const char* Chunk::decode_alignments(Bytes raw) {
  std::size_t taken = 0;
  for (Event& event : std::span(events_.data(), header_.events)) {
    if (event.operation != Operation::aligned) continue;
    if (taken == raw.size()) return too_short;
    event.log2_alignment = static_cast<std::uint8_t>(raw[taken++]);
    if (event.log2_alignment > 63) return "an impossible alignment";
  }
  return taken == raw.size() ? nullptr : too_long;
}

const char* Chunk::decode_threads(Bytes raw) {
  for (std::uint32_t at = 0; at < header_.events;) {
    std::uint64_t thread, run;
    if (!take_varint(raw, thread) || !take_varint(raw, run)) return too_short;
    if (thread > UINT32_MAX) return "an impossible thread";
    if (run == 0 || run > header_.events - at) return too_long;
    for (const std::uint64_t end = at + run; at < end; ++at)
      events_[at].thread = static_cast<std::uint32_t>(thread);
  }
  return raw.empty() ? nullptr : too_long;
}

const char* Chunk::decode_times(Bytes raw) {
  TimeMark mark{0, 0};
  while (!raw.empty()) {
    std::uint64_t events, nanoseconds;
    if (!take_varint(raw, events) || !take_varint(raw, nanoseconds)) return too_short;
    if (events > header_.events - mark.event) return too_long;
    mark.event += static_cast<std::uint32_t>(events);
    mark.nanoseconds += nanoseconds;
    times_.push_back(mark);
  }
  return nullptr;
}

const char* Chunk::check_ages() const {
  std::uint64_t births = header_.first_object;
  for (const Event& event : events()) {
    const bool may_be_none = event.operation == Operation::realloc;
    const bool names_one = event.operation == Operation::free || event.operation == Operation::realloc;
    if (names_one && (event.age > births || (event.age == 0 && !may_be_none)))
      return "an age that no object has";
    if (is_birth(event.operation)) ++births;
  }
  return nullptr;
}

}  // namespace strata::trace
