#include "trace/merge.hpp"

#include <algorithm>

namespace strata::trace {

ThreadRows::ThreadRows(const Recording& recording, const std::vector<Recording::Buffer>& buffers,
                       std::uint32_t thread, StreamNotes& notes)
    : recording_(recording), buffers_(buffers), decoder_({}), thread_(thread), notes_(notes) {
  advance();
}

void ThreadRows::advance() {
  if (gives_up_old_) {
    gives_up_old_ = false;
    key_ = event_.order;
    return;
  }
  while (next_row()) {
    switch (event_.operation) {
      case strata::Operation::realloc:
        gives_up_old_ = true;
        key_ = event_.order_before;
        return;
      case strata::Operation::malloc:
      case strata::Operation::calloc:
      case strata::Operation::aligned:
      case strata::Operation::free:
        key_ = event_.order;
        return;
      default:
        note(event_);
    }
  }
  done_ = true;
}

bool ThreadRows::next_row() {
  for (;;) {
    const Decoder::Status status = decoder_.next(event_);
    if (status == Decoder::Status::event) return true;
    if (status == Decoder::Status::damaged) ++notes_.damaged_rows;
    if (next_buffer_ == buffers_.size()) return false;
    const Bytes rows = recording_.rows(buffers_[next_buffer_++], room_);
    decoder_ = Decoder({reinterpret_cast<const unsigned char*>(rows.data()), rows.size()});
  }
}

void ThreadRows::note(const strata::Event& record) {
  switch (record.operation) {
    case strata::Operation::process_start:
      notes_.pid = record.pid;
      notes_.parent_pid = record.parent_pid;
      notes_.text = record.text;
      return;
    case strata::Operation::process_end:
      notes_.ended = true;
      notes_.peak_resident_bytes = record.peak_resident_bytes;
      notes_.dropped = record.dropped;
      return;
    default:  // a clock
      nanoseconds_ = record.nanoseconds;
      if (notes_.begin_nanoseconds == 0 || nanoseconds_ < notes_.begin_nanoseconds)
        notes_.begin_nanoseconds = nanoseconds_;
      notes_.end_nanoseconds = std::max(notes_.end_nanoseconds, nanoseconds_);
  }
}

namespace {

bool later(const ThreadRows* left, const ThreadRows* right) {
  return left->key() > right->key();
}

}  // namespace

Merge::Merge(const Recording& recording, const Recording::Stream& stream) {
  for (const auto& [thread, buffers] : stream.threads) {
    threads_.emplace_back(recording, buffers, thread, notes_);
    if (!threads_.back().done()) waiting_.push_back(&threads_.back());
  }
  std::ranges::make_heap(waiting_, later);
}

ThreadRows* Merge::next() {
  if (current_ != nullptr) {
    current_->advance();
    if (!current_->done()) {
      if (waiting_.empty() || current_->key() <= waiting_.front()->key()) return current_;
      waiting_.push_back(current_);
      std::ranges::push_heap(waiting_, later);
    }
  }
  if (waiting_.empty()) return current_ = nullptr;
  std::ranges::pop_heap(waiting_, later);
  current_ = waiting_.back();
  waiting_.pop_back();
  return current_;
}

}  // namespace strata::trace
