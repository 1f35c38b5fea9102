/// The bytes of events ("rows"): written by the recorder inside other people's programs, so cheap and
/// libc-only.
///
/// A row is a 16-bit tag and up to three numbers, little-endian, of as many bytes (0 to 8) as each needs:
///
///     tag: bits 0-3 row kind, 4-7 bytes of a, 8-11 bytes of b, 12-15 bytes of c;   then a, b, c
///
/// An operation has a = orders skipped since the previous one, b = address XOR previous address, c = size.
/// `aligned` adds one byte, log2 of the alignment. A realloc is two rows, published together: realloc_old and
/// realloc_new. "Previous" is what the previous row of the same buffer said; it starts from buffer_start.
/// Other rows:
///
///     buffer_start   a = order, b = sequence, c = nanoseconds; the previous address is then 0
///     time           c = nanoseconds
///     process_start  a = pid, b = parent's pid, c = length of the text that follows
///     process_end    a = ending, b = peak resident bytes, c = dropped events
///
/// Needs:      to write, `Encoder::slack` bytes of room (and the text's length) at the cursor. Sizes below
///             2^63.
/// Guarantees: the decoder never reads past its buffer, whatever is in it, and says damaged where it stopped.
/// Threads:    one buffer belongs to one thread; whoever reads meanwhile reads up to a published position.
/// Cost:       about 20 instructions and 4 to 6 bytes a row.
#pragma once

#include <strata/event/event.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace strata {

static_assert(std::endian::native == std::endian::little, "rows are written in host order");

namespace row {
enum Kind : unsigned { realloc_old = 5, realloc_new = 6 };  // the others are numbered as their Operation
}

/// What the encoder must remember between two rows of a buffer. All zeros before the first.
class Encoder {
 public:
  /// More than any row, or pair of rows, can touch (numbers are stored eight bytes at a time).
  static constexpr std::size_t slack = 96;

  unsigned char* buffer_start(unsigned char* at, std::uint64_t order, std::uint64_t sequence,
                              std::uint64_t nanoseconds) {
    next_order_ = order;
    address_ = 0;
    return put(at, kind(Operation::buffer_start), order, sequence, nanoseconds);
  }
  unsigned char* malloc(unsigned char* at, std::uint64_t order, std::uint64_t address, std::uint64_t size) {
    return birth(at, kind(Operation::malloc), order, address, size);
  }
  unsigned char* calloc(unsigned char* at, std::uint64_t order, std::uint64_t address, std::uint64_t size) {
    return birth(at, kind(Operation::calloc), order, address, size);
  }
  unsigned char* aligned(unsigned char* at, std::uint64_t order, std::uint64_t address, std::uint64_t size,
                         std::uint64_t alignment) {
    at = birth(at, kind(Operation::aligned), order, address, size);
    *at = static_cast<unsigned char>(std::bit_width(alignment | 1) - 1);
    return at + 1;
  }
  unsigned char* free(unsigned char* at, std::uint64_t order, std::uint64_t address) {
    return death(at, kind(Operation::free), order, address);
  }
  unsigned char* realloc(unsigned char* at, std::uint64_t order_before, std::uint64_t old_address,
                         std::uint64_t order, std::uint64_t address, std::uint64_t size) {
    at = death(at, row::realloc_old, order_before, old_address);
    return birth(at, row::realloc_new, order, address, size);
  }
  static unsigned char* time(unsigned char* at, std::uint64_t nanoseconds) {
    return put(at, kind(Operation::time), 0, 0, nanoseconds);
  }
  static unsigned char* process_start(unsigned char* at, std::uint32_t pid, std::uint32_t parent_pid,
                                      std::string_view text) {
    at = put(at, kind(Operation::process_start), pid, parent_pid, text.size());
    std::memmove(at, text.data(), text.size());  // whoever reads a text from a file reads it right here
    return at + text.size();
  }
  static unsigned char* process_end(unsigned char* at, Ending ending, std::uint64_t peak_resident_bytes,
                                    std::uint64_t dropped) {
    return put(at, kind(Operation::process_end), static_cast<std::uint64_t>(ending), peak_resident_bytes,
               dropped);
  }

 private:
  static constexpr unsigned kind(Operation operation) { return static_cast<unsigned>(operation); }

  static unsigned bytes_of(std::uint64_t value) {
    return (static_cast<unsigned>(std::bit_width(value)) + 7) / 8;
  }
  static unsigned char* number(unsigned char* at, std::uint64_t value, unsigned bytes) {
    std::memcpy(at, &value, sizeof value);
    return at + bytes;
  }
  static unsigned char* put_tag(unsigned char* at, unsigned kind, unsigned a, unsigned b, unsigned c) {
    const auto tag = static_cast<std::uint16_t>(kind | a << 4 | b << 8 | c << 12);
    std::memcpy(at, &tag, sizeof tag);
    return at + sizeof tag;
  }
  static unsigned char* put(unsigned char* at, unsigned kind, std::uint64_t a, std::uint64_t b,
                            std::uint64_t c) {
    const unsigned bytes_a = bytes_of(a), bytes_b = bytes_of(b), bytes_c = bytes_of(c);
    at = put_tag(at, kind, bytes_a, bytes_b, bytes_c);
    at = number(at, a, bytes_a);
    at = number(at, b, bytes_b);
    return number(at, c, bytes_c);
  }

  /// The tag and b, of a row whose c has `bytes_c`.
  [[gnu::always_inline]] unsigned char* step(unsigned char* at, unsigned kind, std::uint64_t order,
                                             std::uint64_t address, unsigned bytes_c) {
    const std::uint64_t skipped = order - next_order_;
    const std::uint64_t change = address ^ address_;
    next_order_ = order + 1;
    address_ = address;
    const unsigned bytes_b = bytes_of(change);
    if (skipped == 0) [[likely]] {  // always so in a program with one thread, which pays for no more
      at = put_tag(at, kind, 0, bytes_b, bytes_c);
    } else {
      const unsigned bytes_a = bytes_of(skipped);
      at = number(put_tag(at, kind, bytes_a, bytes_b, bytes_c), skipped, bytes_a);
    }
    return number(at, change, bytes_b);
  }

  [[gnu::always_inline]] unsigned char* birth(unsigned char* at, unsigned kind, std::uint64_t order,
                                              std::uint64_t address, std::uint64_t size) {
    const unsigned bytes_c = bytes_of(size);
    return number(step(at, kind, order, address, bytes_c), size, bytes_c);
  }
  [[gnu::always_inline]] unsigned char* death(unsigned char* at, unsigned kind, std::uint64_t order,
                                              std::uint64_t address) {
    return step(at, kind, order, address, 0);
  }

  std::uint64_t next_order_{};
  std::uint64_t address_{};
};

/// Reads the rows of one buffer.
class Decoder {
 public:
  enum class Status : std::uint8_t { event, end, damaged };

  explicit Decoder(std::span<const unsigned char> bytes) : bytes_(bytes) {}

  /// The next event, the end of the buffer, or damaged at offset() (and then for ever).
  Status next(Event& event) {
    if (damaged_) return Status::damaged;
    if (offset_ == bytes_.size()) return Status::end;
    const std::size_t start = offset_;
    if (decode(event)) return Status::event;
    offset_ = start;
    damaged_ = true;
    return Status::damaged;
  }

  /// Where the next event, or the damage, starts.
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  struct Row {
    unsigned kind;
    std::uint64_t a, b, c;
  };

  bool number(unsigned length, std::uint64_t& value) {
    if (length > sizeof value || length > bytes_.size() - offset_) return false;
    value = 0;
    std::memcpy(&value, bytes_.data() + offset_, length);
    offset_ += length;
    return true;
  }

  bool read(Row& row) {
    std::uint64_t tag;
    if (!number(2, tag)) return false;
    row.kind = tag & 15;
    const auto length = [tag](int shift) { return static_cast<unsigned>(tag >> shift & 15); };
    return number(length(4), row.a) && number(length(8), row.b) && number(length(12), row.c);
  }

  void step(const Row& row) {
    order_ = next_order_ + row.a;
    next_order_ = order_ + 1;
    address_ ^= row.b;
  }

  bool decode(Event& event) {
    Row row;
    if (!read(row)) return false;
    event = Event{};
    event.operation = static_cast<Operation>(row.kind);
    switch (row.kind) {
      case static_cast<unsigned>(Operation::malloc):
      case static_cast<unsigned>(Operation::calloc):
      case static_cast<unsigned>(Operation::aligned):
      case static_cast<unsigned>(Operation::free): {
        step(row);
        event.order = order_;
        event.address = address_;
        event.size = row.c;
        if (event.operation != Operation::aligned) return true;
        std::uint64_t log2;
        if (!number(1, log2) || log2 > 63) return false;
        event.alignment = std::uint64_t{1} << log2;
        return true;
      }
      case row::realloc_old:
        step(row);
        event.order_before = order_;
        event.old_address = address_;
        if (!read(row) || row.kind != row::realloc_new) return false;
        step(row);
        event.order = order_;
        event.address = address_;
        event.size = row.c;
        return true;
      case static_cast<unsigned>(Operation::buffer_start):
        next_order_ = event.order = row.a;
        address_ = 0;
        event.sequence = row.b;
        event.nanoseconds = row.c;
        return true;
      case static_cast<unsigned>(Operation::time):
        event.nanoseconds = row.c;
        return true;
      case static_cast<unsigned>(Operation::process_start):
        if (row.c > bytes_.size() - offset_) return false;
        event.pid = static_cast<std::uint32_t>(row.a);
        event.parent_pid = static_cast<std::uint32_t>(row.b);
        event.text = {reinterpret_cast<const char*>(bytes_.data()) + offset_, row.c};
        offset_ += row.c;
        return true;
      case static_cast<unsigned>(Operation::process_end):
        if (row.a > static_cast<std::uint64_t>(Ending::replaced_by_exec)) return false;
        event.ending = static_cast<Ending>(row.a);
        event.peak_resident_bytes = row.b;
        event.dropped = row.c;
        return true;
      default:
        return false;
    }
  }

  std::span<const unsigned char> bytes_;
  std::size_t offset_{};
  std::uint64_t order_{};
  std::uint64_t next_order_{};
  std::uint64_t address_{};
  bool damaged_{};
};

}  // namespace strata
