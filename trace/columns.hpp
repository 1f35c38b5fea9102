/// What a trace says: events, streams and the columns that hold them. docs/trace-format.md
/// specifies it. Needs:      nothing. Guarantees: layouts only; writing is StreamWriter's job,
/// reading StreamCursor's. Threads:    plain values. Cost:       none.
#pragma once

#include <cstdint>

namespace strata::trace {

enum class Operation : std::uint8_t { free, malloc, calloc, realloc, aligned };

inline bool is_birth(Operation operation) {
  return operation != Operation::free;
}

/// One allocation event. Objects are numbered by birth, from 0; an event names the object that it
/// ends by age: the number of births (of the stream) from that object's birth to here, its own
/// included.
struct Event {
  Operation operation;
  std::uint8_t log2_alignment;  ///< of an aligned birth, else 0
  std::uint32_t thread;
  std::uint64_t size;  ///< of a birth, else 0
  std::uint64_t age;   ///< of a free, and of a realloc (0 there: of null); else 0
};

/// At the event with this number in its chunk, the clock said this much since the stream began.
struct TimeMark {
  std::uint32_t event;
  std::uint64_t nanoseconds;
};

inline constexpr std::uint32_t max_chunk_events = 1U << 16;

/// Payload of a chunk block.
struct ChunkHeader {
  std::uint64_t first_event;
  std::uint64_t first_object;
  std::uint32_t events;
  std::uint32_t columns;  ///< how many column blocks follow
};
static_assert(sizeof(ChunkHeader) == 24);

/// Ids from 64 on are optional: a reader that does not know one skips it.
enum class Column : std::uint8_t {
  symbols = 1,     ///< of every event: operation and size
  ages = 2,        ///< of every free and realloc
  alignments = 3,  ///< of every aligned birth: log2
  threads = 4,     ///< runs of events of one thread
  times = 64,      ///< coarse clock
  stacks = 65,     ///< sampled call stacks (specified, not written yet)
  callers = 66,    ///< who called, of every event (specified, not written yet)
};
inline constexpr std::uint8_t first_optional_column = 64;

enum class ColumnType : std::uint8_t {
  bytes = 1,    ///< one byte a value
  varints = 2,  ///< LEB128 values
  symbols = 3,  ///< a dictionary, then one to three bytes a value
};

inline constexpr std::uint16_t column_detail(Column column, ColumnType type) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(column) | static_cast<unsigned>(type) << 8);
}

/// How a symbol is spelled: dictionary indexes below `short_symbols` in one byte, below
/// `medium_symbols` in two, the rest in three.
inline constexpr std::uint32_t short_symbols = 192;
inline constexpr std::uint32_t medium_symbols = short_symbols + 63 * 256;

/// Head of a stream_begin block's payload; the executable's path and a NUL, then every argument and its NUL,
/// follow.
struct StreamStart {
  std::uint32_t pid;
  std::uint32_t parent_pid;
  std::uint64_t nanoseconds;  ///< CLOCK_MONOTONIC, comparable between the streams of a trace
};
static_assert(sizeof(StreamStart) == 16);

/// Payload of a stream_end block; a later minor revision may make it longer.
struct StreamTotals {
  std::uint64_t events;
  std::uint64_t objects;
  std::uint64_t threads;
  std::uint64_t peak_live_objects;
  std::uint64_t peak_live_bytes;
  std::uint64_t foreign_frees;        ///< of objects born before the stream: counted, not among the events
  std::uint64_t unseen_frees;         ///< frees that the recorder missed: put in where the address came back
  std::uint64_t dropped;              ///< events that the recorder saw but could not record
  std::uint64_t nanoseconds;          ///< from the stream's first record to its last
  std::uint64_t peak_resident_bytes;  ///< `unknown` when the process did not live to tell
  std::uint64_t complete;             ///< 1: the process ended and everything up to there is here
};
static_assert(sizeof(StreamTotals) == 88);
inline constexpr std::uint64_t unknown = ~std::uint64_t{0};

/// Entry of the index block, one a stream in the order of the file.
struct StreamEntry {
  std::uint64_t id;
  std::uint64_t begin;  ///< offset of its stream_begin block
  std::uint64_t end;    ///< offset of its stream_end block; 0 in a file without a trailer when it is missing
  std::uint64_t events;
};
static_assert(sizeof(StreamEntry) == 32);

/// Payload of the trailer.
struct Trailer {
  std::uint64_t index;     ///< offset of the index block
  std::uint64_t complete;  ///< 1: every stream is
};
static_assert(sizeof(Trailer) == 16);

}  // namespace strata::trace
