#include "trace/stream_writer.hpp"

#include "trace/varint.hpp"

#include <algorithm>
#include <cstring>

namespace strata::trace {
namespace {

template <class T>
Bytes bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// Sizes are below 2^61: no address space is larger.
std::uint64_t symbol_of(const Event& event) {
  return event.size << 3 | static_cast<std::uint64_t>(event.operation);
}

void put_symbol(std::vector<std::byte>& output, std::uint32_t index) {
  const auto put = [&output](std::uint32_t byte) { output.push_back(static_cast<std::byte>(byte)); };
  if (index < short_symbols) return put(index);
  if (index < medium_symbols) {
    put(short_symbols + ((index - short_symbols) >> 8));
    return put((index - short_symbols) & 0xFF);
  }
  put(0xFF);
  put(index >> 8);
  put(index & 0xFF);
}

}  // namespace

StreamWriter::StreamWriter(BlockWriter& output, std::uint32_t id, const StreamStart& start,
                           std::string_view text)
    : output_(output), id_(id), begin_(output.bytes()) {
  std::vector<std::byte> payload(sizeof start + text.size());
  std::memcpy(payload.data(), &start, sizeof start);
  std::memcpy(payload.data() + sizeof start, text.data(), text.size());
  output_.append(BlockKind::stream_begin, id_, 0, payload);
  events_.reserve(max_chunk_events);
}

void StreamWriter::add(const Event& event) {
  events_.push_back(event);
  if (is_birth(event.operation)) ++objects_;
  if (events_.size() == max_chunk_events) flush();
}

void StreamWriter::mark_time(std::uint64_t nanoseconds) {
  if (nanoseconds <= last_time_) return;
  last_time_ = nanoseconds;
  const auto here = static_cast<std::uint32_t>(events_.size());
  if (!times_.empty() && times_.back().event == here)
    times_.back().nanoseconds = nanoseconds;
  else
    times_.push_back({here, nanoseconds});
}

void StreamWriter::pack_symbols() {
  struct Entry {
    std::uint64_t symbol;
    std::uint32_t count;
    std::uint32_t first_seen;
  };
  std::vector<Entry> entries;
  std::vector<std::uint32_t> seen;
  seen.reserve(events_.size());
  dictionary_.clear();
  for (const Event& event : events_) {
    const std::uint64_t symbol = symbol_of(event);
    const auto next = static_cast<std::uint32_t>(entries.size());
    const auto [known, is_new] = dictionary_.try_emplace(symbol, next);
    if (is_new) entries.push_back({symbol, 0, next});
    ++entries[known->second].count;
    seen.push_back(known->second);
  }
  // The most frequent symbols get the short spellings.
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    return left.count != right.count ? left.count > right.count : left.symbol < right.symbol;
  });
  put_varint(symbols_, entries.size());
  std::vector<std::uint32_t> index_of(entries.size());
  for (std::uint32_t index = 0; index < entries.size(); ++index) {
    put_varint(symbols_, entries[index].symbol & 7);
    put_varint(symbols_, entries[index].symbol >> 3);
    index_of[entries[index].first_seen] = index;
  }
  for (const std::uint32_t index : seen) put_symbol(symbols_, index_of[index]);
}

void StreamWriter::append_column(Column column, ColumnType type, const std::vector<std::byte>& payload) {
  if (payload.empty()) return;
  output_.append(BlockKind::column, id_, 0, payload, column_detail(column, type));
}

void StreamWriter::flush() {
  if (events_.empty()) return;
  for (auto* column : {&symbols_, &ages_, &alignments_, &threads_, &clock_}) column->clear();

  pack_symbols();
  std::size_t run = 0;
  for (std::size_t at = 0; at < events_.size(); ++at) {
    const Event& event = events_[at];
    if (event.operation == Operation::free || event.operation == Operation::realloc)
      put_varint(ages_, event.age);
    if (event.operation == Operation::aligned)
      alignments_.push_back(static_cast<std::byte>(event.log2_alignment));
    ++run;
    if (at + 1 == events_.size() || events_[at + 1].thread != event.thread) {
      put_varint(threads_, event.thread);
      put_varint(threads_, run);
      run = 0;
    }
  }
  std::uint64_t previous_time = 0;
  std::uint32_t previous_event = 0;
  for (const TimeMark& mark : times_) {
    put_varint(clock_, mark.event - previous_event);
    put_varint(clock_, mark.nanoseconds - previous_time);
    previous_event = mark.event;
    previous_time = mark.nanoseconds;
  }

  const auto present = std::ranges::count_if(
      std::initializer_list<std::vector<std::byte>*>{&symbols_, &ages_, &alignments_, &threads_, &clock_},
      [](const auto* column) { return !column->empty(); });
  const ChunkHeader header{first_event_, first_object_, static_cast<std::uint32_t>(events_.size()),
                           static_cast<std::uint32_t>(present)};
  output_.append(BlockKind::chunk, id_, 0, bytes_of(header));
  append_column(Column::symbols, ColumnType::symbols, symbols_);
  append_column(Column::ages, ColumnType::varints, ages_);
  append_column(Column::alignments, ColumnType::bytes, alignments_);
  append_column(Column::threads, ColumnType::varints, threads_);
  append_column(Column::times, ColumnType::varints, clock_);

  first_event_ += events_.size();
  first_object_ = objects_;
  events_.clear();
  times_.clear();
}

StreamEntry StreamWriter::finish(StreamTotals totals) {
  flush();
  totals.events = first_event_;
  totals.objects = objects_;
  const std::uint64_t end = output_.bytes();
  output_.append(BlockKind::stream_end, id_, 0, bytes_of(totals));
  return {id_, begin_, end, totals.events};
}

}  // namespace strata::trace
