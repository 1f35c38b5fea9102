/// Creates TRACE.slots and keeps it mapped; removes it at the end unless told to keep it.
///
/// Needs:      a folder with room for all slots.
/// Guarantees: the room is allocated before any program maps the file, so a full disk shows here and is never
/// a SIGBUS there. Threads:    one at a time; the mapping is shared with the recorded processes. Cost: 64 KiB
/// of disk a slot.
#pragma once

#include <strata/event/slot_file.hpp>

#include <string>

namespace strata::record {

class SlotsStore {
 public:
  SlotsStore() = default;
  ~SlotsStore();
  SlotsStore(const SlotsStore&) = delete;
  SlotsStore& operator=(const SlotsStore&) = delete;

  /// Empty, or one line that says why not.
  std::string create(const std::string& path, std::uint32_t slot_count);

  slots::Header& header() { return *static_cast<slots::Header*>(mapped_); }
  slots::Slot& slot(std::uint32_t index) { return slots::slot(header(), index); }

  std::atomic<std::uint64_t>& owner(std::uint32_t index) { return slots::owner_word(header(), index); }

  /// Deletes the file and lets go of it, so that the disk has its room again once no program holds it. Programs
  /// that still run write into its remains, unharmed.
  void remove();

 private:
  void unmap();

  std::string path_;
  void* mapped_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace strata::record
