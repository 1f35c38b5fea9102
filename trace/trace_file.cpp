#include "trace/trace_file.hpp"

#include <cstring>

namespace strata::trace {
namespace {

/// The struct at the head of a stored block; false when the block does not hold one.
template <class T>
bool take_head(const Block& block, T& head) {
  if (block.header.codec != Codec::stored || block.payload.size() < sizeof head) return false;
  std::memcpy(&head, block.payload.data(), sizeof head);
  return true;
}

}  // namespace

Fault TraceFile::open(const char* path) {
  if (const char* why = file_.open(path)) return {nowhere, why};
  FileHeader header;
  if (Fault fault = read_file_header(bytes(), header)) return fault;
  if (header.content == Content::rows) return {nowhere, "is a recording that was not finished"};
  finished_ = read_index();
  if (!finished_) scan();
  return {};
}

bool TraceFile::read_index() {
  constexpr std::size_t trailer_bytes = sizeof(BlockHeader) + sizeof(Trailer);
  Block block;
  Trailer trailer;
  if (bytes().size() < sizeof(FileHeader) + trailer_bytes) return false;
  if (read_block(bytes(), bytes().size() - trailer_bytes, block)) return false;
  if (block.header.kind != BlockKind::trailer || !take_head(block, trailer)) return false;
  if (read_block(bytes(), trailer.index, block) || block.header.kind != BlockKind::index) return false;
  MappedArray<std::byte> workspace(Unpacker::workspace_bytes());
  MappedArray<std::byte> room(block.header.codec == Codec::stored ? 0 : block.header.raw_bytes);
  Bytes raw;
  Unpacker unpacker({workspace.data(), workspace.size()});
  if (unpacker.unpack(block, {room.data(), room.size()}, raw)) return false;
  streams_.resize(raw.size() / sizeof(StreamEntry));
  if (!streams_.empty()) std::memcpy(streams_.data(), raw.data(), streams_.size() * sizeof(StreamEntry));
  return true;
}

void TraceFile::scan() {
  streams_.clear();
  Block block;
  for (std::uint64_t offset = sizeof(FileHeader);; offset = block.end()) {
    damage_ = read_block(bytes(), offset, block);
    if (damage_) return;
    if (block.header.kind == BlockKind::stream_begin) {
      streams_.push_back({block.header.stream, offset, 0, 0});
    } else if (!streams_.empty() && block.header.kind == BlockKind::chunk) {
      ChunkHeader chunk;
      if (take_head(block, chunk)) streams_.back().events += chunk.events;
    } else if (!streams_.empty() && block.header.kind == BlockKind::stream_end) {
      streams_.back().end = offset;
    }
  }
}

StreamCursor::Step StreamCursor::fail(Fault fault) {
  fault_ = fault;
  return Step::fault;
}

Fault StreamCursor::start(StreamStart& start, std::string_view& text) {
  Block block;
  Bytes raw;
  if (Fault fault = read_block(file_, offset_, block)) return fault;
  if (block.header.kind != BlockKind::stream_begin) return {offset_, "no stream begins here"};
  if (Fault fault = chunk_->unpack(block, raw)) return fault;
  if (raw.size() < sizeof start) return {offset_, "a stream without its head"};
  std::memcpy(&start, raw.data(), sizeof start);
  raw = raw.subspan(sizeof start);
  text = {reinterpret_cast<const char*>(raw.data()), raw.size()};
  offset_ = block.end();
  return {};
}

StreamCursor::Step StreamCursor::next() {
  Block block;
  for (;; offset_ = block.end()) {
    if (Fault fault = read_block(file_, offset_, block)) return fail(fault);
    // Kinds that a later minor revision adds are skipped, like optional columns.
    if (block.header.kind > BlockKind::trailer) continue;
    if (block.header.stream != stream_.id) return fail({offset_, "a block of another stream"});
    if (block.header.kind == BlockKind::stream_begin) continue;
    break;
  }
  if (block.header.kind == BlockKind::stream_end) {
    Bytes raw;
    if (Fault fault = chunk_->unpack(block, raw)) return fail(fault);
    if (raw.size() < sizeof totals_) return fail({offset_, "a stream's totals are not whole"});
    std::memcpy(&totals_, raw.data(), sizeof totals_);
    if (totals_.events != events_ || totals_.objects != objects_)
      return fail({offset_, "a stream's totals are not those of its events"});
    return Step::end;
  }
  if (block.header.kind != BlockKind::chunk) return fail({offset_, "a block out of place"});
  chunk_offset_ = offset_;
  if (Fault fault = chunk_->decode(file_, block, offset_)) return fail(fault);
  if (chunk_->first_event() != events_ || chunk_->first_object() != objects_)
    return fail({chunk_offset_, "a chunk is missing before this one"});
  events_ += chunk_->events().size();
  for (const Event& event : chunk_->events()) objects_ += is_birth(event.operation) ? 1 : 0;
  return Step::chunk;
}

}  // namespace strata::trace
