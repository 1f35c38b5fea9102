/// The container of a recording and of a trace: a file header, then blocks, each with its own
/// checksum. docs/trace-format.md specifies it; this header is the same layout as C++ structs.
/// Needs:      a little-endian machine; the file as one span of bytes (see MappedFile).
/// Guarantees: no byte of a block is believed before its checksum held; a truncated, damaged or
/// foreign
///             file gives a Fault with offset and reason, never a crash. Nothing here calls malloc.
/// Threads:    functions of their arguments only.
/// Cost:       one XXH3 pass over every block that is read.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::trace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

inline constexpr std::array<unsigned char, 8> file_magic = {0x89, 'S', 'T', 'R', 'A', 'T', 'A', '\n'};
inline constexpr std::uint32_t format_version = 1;
inline constexpr std::uint32_t block_marker = 0x4B4C4253;  // "SBLK"
inline constexpr std::uint32_t max_block_bytes = 1U << 24;
inline constexpr std::uint32_t min_packed_bytes = 64;  ///< smaller payloads are always stored

enum class Content : std::uint32_t {
  rows = 1,     ///< a recording in progress: TRACE.part
  columns = 2,  ///< a finished trace
};

enum class BlockKind : std::uint8_t {
  rows = 1,      ///< rows of one thread of one stream, as strata/event encodes them
  stream_begin,  ///< who the stream is
  chunk,         ///< announces the columns of up to 64 Ki events
  column,        ///< one column of the chunk before it
  stream_end,    ///< what is known once the stream is over
  index,         ///< where every stream begins and ends
  trailer,       ///< last block of a finished file: where the index is
};

enum class Codec : std::uint8_t { stored = 0, zstd = 1 };

struct FileHeader {
  std::array<unsigned char, 8> magic;
  std::uint32_t version;
  Content content;
  std::uint64_t checksum;  ///< XXH3-64 of the 16 bytes before it
};
static_assert(sizeof(FileHeader) == 24);

struct BlockHeader {
  std::uint32_t marker;
  BlockKind kind;
  Codec codec;
  std::uint16_t detail;  ///< of a column: its id and its type; else 0
  std::uint32_t stream;
  std::uint32_t thread;        ///< of rows: the thread's number within its stream; else 0
  std::uint32_t stored_bytes;  ///< payload bytes in the file
  std::uint32_t raw_bytes;     ///< payload bytes once decompressed
  std::uint64_t checksum;      ///< XXH3-64 of the 24 bytes before it and of the payload
};
static_assert(sizeof(BlockHeader) == 32);

/// Where a file stops making sense and why; `why` is null when it does make sense.
struct Fault {
  std::uint64_t offset = 0;
  const char* why = nullptr;
  explicit operator bool() const { return why != nullptr; }
};

using Bytes = std::span<const std::byte>;

/// A block whose checksum held. The payload points into the file.
struct Block {
  BlockHeader header;
  std::uint64_t offset;
  Bytes payload;
  std::uint64_t end() const { return offset + sizeof(BlockHeader) + payload.size(); }
};

/// The two checksums, shared by reader and writer.
std::uint64_t checksum_of(const FileHeader& header);
std::uint64_t checksum_of(const BlockHeader& header, Bytes payload);

/// Reads and checks what the file begins with.
Fault read_file_header(Bytes file, FileHeader& header);

/// Reads and checks the block at `offset`; a block that would end beyond the file is "cut short".
Fault read_block(Bytes file, std::uint64_t offset, Block& block);

/// Undoes a block's codec. Its memory is given by the caller, `workspace_bytes()` long and 16-byte
/// aligned.
class Unpacker {
 public:
  static std::size_t workspace_bytes();
  explicit Unpacker(std::span<std::byte> workspace);

  /// `raw` becomes the block's bytes: the file's own when stored, else `room`, filled.
  Fault unpack(const Block& block, std::span<std::byte> room, Bytes& raw);

 private:
  void* context_;
};

}  // namespace strata::trace
