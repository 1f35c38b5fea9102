#include "trace/recording.hpp"

#include <strata/event/encoding.hpp>
#include <strata/event/slot_file.hpp>

#include <algorithm>
#include <tuple>

namespace strata::trace {
namespace {

/// The number that a buffer begins with; false when it does not begin as a buffer does.
bool sequence_of(Bytes rows, std::uint64_t& sequence) {
  strata::Event first;
  Decoder decoder({reinterpret_cast<const unsigned char*>(rows.data()), rows.size()});
  if (decoder.next(first) != Decoder::Status::event) return false;
  sequence = first.sequence;
  return first.operation == strata::Operation::buffer_start;
}

}  // namespace

Recording::Recording()
    : workspace_(Unpacker::workspace_bytes()), unpacker_({workspace_.data(), workspace_.size()}) {}

std::string Recording::open(const std::string& part_path, const char* slots_path_or_null,
                            std::vector<std::string>& warnings) {
  if (std::string why = open_part(part_path, warnings); !why.empty()) return why;
  if (slots_path_or_null != nullptr) open_slots(slots_path_or_null, warnings);
  put_in_order(warnings);
  return {};
}

std::string Recording::open_part(const std::string& path, std::vector<std::string>& warnings) {
  if (const char* why = part_.open(path.c_str())) return path + ": " + why;
  const Bytes file = part_.bytes();
  FileHeader header;
  if (Fault fault = read_file_header(file, header))
    return path + ": " + fault.why + " at byte " + std::to_string(fault.offset);
  if (header.content != Content::rows) return path + ": is a trace, not a recording in progress";

  std::vector<std::byte> room;
  for (std::uint64_t offset = sizeof header; offset < file.size();) {
    Block block;
    if (Fault fault = read_block(file, offset, block)) {
      read_everything_ = false;
      warnings.push_back(path + ": " + fault.why + " at byte " + std::to_string(fault.offset) +
                         ": what precedes it was kept");
      break;
    }
    if (block.header.kind == BlockKind::rows) {
      Buffer buffer{0, offset, {}};
      if (sequence_of(rows(buffer, room), buffer.sequence)) {
        add(block.header.stream, block.header.thread, buffer);
      } else {
        read_everything_ = false;
        streams_[block.header.stream].whole = false;
        warnings.push_back(path + ": rows that cannot be read at byte " + std::to_string(offset) +
                           ": left out");
      }
    }
    offset = block.end();
  }
  return {};
}

void Recording::open_slots(const std::string& path, std::vector<std::string>& warnings) {
  const char* why = slots_.open(path.c_str());
  const void* file = slots_.bytes().data();
  if (why == nullptr) why = slots::fault(file, slots_.bytes().size());
  if (why != nullptr) {
    read_everything_ = false;
    warnings.push_back(path + ": " + why + ": the last events of every thread are missing");
    return;
  }
  const auto& header = *static_cast<const slots::Header*>(file);
  for (std::uint32_t index = 0; index < header.slot_count; ++index) {
    const slots::Slot& slot = slots::slot(header, index);
    const Bytes held = std::as_bytes(slots::undrained(slot));
    Buffer buffer{0, 0, held};
    if (sequence_of(held, buffer.sequence)) add(slot.stream, slot.thread, buffer);
  }
}

void Recording::add(std::uint32_t stream, std::uint32_t thread, Buffer buffer) {
  streams_[stream].threads[thread].push_back(buffer);
}

void Recording::put_in_order(std::vector<std::string>& warnings) {
  for (auto& [id, stream] : streams_) {
    std::uint64_t missing = 0;
    for (auto& [thread, buffers] : stream.threads) {
      // Of a buffer that stands in both files the drained copy comes first and stays.
      std::ranges::sort(buffers, {}, [](const Buffer& buffer) {
        return std::tuple(buffer.sequence, !buffer.slot.empty(), buffer.block);
      });
      const auto again = std::ranges::unique(buffers, {}, &Buffer::sequence);
      buffers.erase(again.begin(), again.end());
      missing += buffers.back().sequence + 1 - buffers.size();
    }
    if (missing == 0) continue;
    stream.whole = false;
    warnings.push_back("stream " + std::to_string(id) + ": " + std::to_string(missing) +
                       " buffers of events are missing");
  }
}

Bytes Recording::rows(const Buffer& buffer, std::vector<std::byte>& room) const {
  if (!buffer.slot.empty()) return buffer.slot;
  Block block;
  Bytes raw;
  if (read_block(part_.bytes(), buffer.block, block)) return {};
  if (room.size() < block.header.raw_bytes) room.resize(block.header.raw_bytes);
  if (unpacker_.unpack(block, room, raw)) return {};
  return raw;
}

}  // namespace strata::trace
