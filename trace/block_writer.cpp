#include "trace/block_writer.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

namespace strata::trace {

BlockWriter::~BlockWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
  ZSTD_freeCCtx(context_);
}

bool BlockWriter::fail(int error_number) {
  if (error_.empty()) error_ = path_ + ": " + std::strerror(error_number);
  return false;
}

bool BlockWriter::open(const std::string& path, Content content, int zstd_level) {
  path_ = path;
  descriptor_ = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return fail(errno);
  context_ = ZSTD_createCCtx();
  if (context_ == nullptr) return fail(ENOMEM);
  ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, zstd_level);
  FileHeader header{file_magic, format_version, content, 0};
  header.checksum = checksum_of(header);
  return write_all(std::as_bytes(std::span(&header, 1)), {});
}

bool BlockWriter::append(BlockKind kind, std::uint32_t stream, std::uint32_t thread, Bytes payload,
                         std::uint16_t detail) {
  if (!ok()) return false;
  if (payload.size() > max_block_bytes) return fail(EFBIG);
  const auto raw_bytes = static_cast<std::uint32_t>(payload.size());
  BlockHeader header{block_marker, kind, Codec::stored, detail, stream, thread, raw_bytes, raw_bytes, 0};
  packed_.resize(ZSTD_compressBound(payload.size()));
  const std::size_t packed =
      ZSTD_compress2(context_, packed_.data(), packed_.size(), payload.data(), payload.size());
  if (!ZSTD_isError(packed) && packed < payload.size()) {
    header.codec = Codec::zstd;
    header.stored_bytes = static_cast<std::uint32_t>(packed);
    payload = Bytes(packed_).first(packed);
  }
  header.checksum = checksum_of(header, payload);
  return write_all(std::as_bytes(std::span(&header, 1)), payload);
}

bool BlockWriter::write_all(Bytes head, Bytes payload) {
  const std::uint64_t end = bytes_ + head.size() + payload.size();
  std::uint64_t at = bytes_;
  while (at < end) {
    const std::size_t done = at - bytes_;
    const Bytes head_left = done < head.size() ? head.subspan(done) : Bytes();
    const Bytes payload_left = done < head.size() ? payload : payload.subspan(done - head.size());
    iovec parts[2] = {{const_cast<std::byte*>(head_left.data()), head_left.size()},
                      {const_cast<std::byte*>(payload_left.data()), payload_left.size()}};
    const ssize_t written = ::pwritev(descriptor_, parts, 2, static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      fail(written < 0 ? errno : ENOSPC);
      // Where even this fails the reader still stops at the last whole block.
      [[maybe_unused]] const int cut = ::ftruncate(descriptor_, static_cast<off_t>(bytes_));
      return false;
    }
    at += static_cast<std::uint64_t>(written);
  }
  bytes_ = end;
  return true;
}

bool BlockWriter::close() {
  if (descriptor_ < 0) return false;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail(errno);
  return error_.empty();
}

}  // namespace strata::trace
