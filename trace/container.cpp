#define XXH_INLINE_ALL
#define ZSTD_STATIC_LINKING_ONLY
#include "trace/container.hpp"

#include <xxhash.h>
#include <zstd.h>

#include <cstring>

namespace strata::trace {

std::uint64_t checksum_of(const FileHeader& header) {
  return XXH3_64bits(&header, offsetof(FileHeader, checksum));
}

std::uint64_t checksum_of(const BlockHeader& header, Bytes payload) {
  // The header's sum seeds the payload's: one value over both without copying them together.
  const std::uint64_t seed = XXH3_64bits(&header, offsetof(BlockHeader, checksum));
  return XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
}

Fault read_file_header(Bytes file, FileHeader& header) {
  if (file.empty()) return {0, "the file is empty"};
  const std::size_t known = file.size() < file_magic.size() ? file.size() : file_magic.size();
  if (std::memcmp(file.data(), file_magic.data(), known) != 0) return {0, "not a Strata trace"};
  if (file.size() < sizeof header) return {file.size(), "cut short within the file header"};
  std::memcpy(&header, file.data(), sizeof header);
  if (header.checksum != checksum_of(header)) return {0, "the file header is damaged"};
  if (header.version > format_version) return {8, "written by a newer version of Strata"};
  if (header.version != format_version) return {8, "no such version of the format exists"};
  if (header.content != Content::rows && header.content != Content::columns) return {12, "unknown content"};
  return {};
}

Fault read_block(Bytes file, std::uint64_t offset, Block& block) {
  if (offset > file.size() || file.size() - offset < sizeof(BlockHeader))
    return {offset, "cut short within a block header"};
  BlockHeader& header = block.header;
  std::memcpy(&header, file.data() + offset, sizeof header);
  if (header.marker != block_marker) return {offset, "no block begins here"};
  // The sizes are used before the checksum vouches for them, so they are only ever compared.
  if (header.stored_bytes > max_block_bytes || header.raw_bytes > max_block_bytes)
    return {offset, "a block of impossible size"};
  if (file.size() - offset - sizeof header < header.stored_bytes) return {offset, "cut short within a block"};
  block.offset = offset;
  block.payload = file.subspan(offset + sizeof header, header.stored_bytes);
  if (header.checksum != checksum_of(header, block.payload))
    return {offset, "a block's checksum does not match"};
  return {};
}

std::size_t Unpacker::workspace_bytes() {
  return ZSTD_estimateDCtxSize();
}

Unpacker::Unpacker(std::span<std::byte> workspace)
    : context_(ZSTD_initStaticDCtx(workspace.data(), workspace.size())) {}

Fault Unpacker::unpack(const Block& block, std::span<std::byte> room, Bytes& raw) {
  const BlockHeader& header = block.header;
  if (header.codec == Codec::stored) {
    if (header.raw_bytes != header.stored_bytes) return {block.offset, "a stored block of two sizes"};
    raw = block.payload;
    return {};
  }
  if (header.codec != Codec::zstd) return {block.offset, "an unknown compression"};
  if (header.raw_bytes > room.size()) return {block.offset, "a block larger than its kind may be"};
  const std::size_t got = ZSTD_decompressDCtx(static_cast<ZSTD_DCtx*>(context_), room.data(),
                                              header.raw_bytes, block.payload.data(), block.payload.size());
  if (ZSTD_isError(got) || got != header.raw_bytes) return {block.offset, "a block does not decompress"};
  raw = room.first(got);
  return {};
}

}  // namespace strata::trace
