#include "services/memory_store.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace dsh::loader {

std::int64_t MemoryStore::size() const { return static_cast<std::int64_t>(records_.size()); }

void MemoryStore::append(const Event &event, Sync /*sync*/) {
  const auto parts = {event.type, event.source_event_seqs, event.surface_op, event.data};
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  char *const text = texts_.allocate(size);
  char *at = text;
  for (const std::string_view part : parts) at = std::copy(part.begin(), part.end(), at);
  records_.push_back({event.time, text, event.type.size(), event.source_event_seqs.size(),
                      event.surface_op.size(), event.data.size()});
}

void MemoryStore::read(std::int64_t from, const std::function<bool(const Event &)> &each) const {
  for (auto seq = static_cast<std::size_t>(from < 0 ? 0 : from); seq < records_.size(); ++seq) {
    const Record &record = records_[seq];
    const char *at = record.text;
    const auto take = [&at](std::size_t size) {
      const std::string_view part(at, size);
      at += size;
      return part;
    };
    Event event;
    event.seq = static_cast<std::int64_t>(seq);
    event.time = record.time;
    event.type = take(record.type_size);
    event.source_event_seqs = take(record.seqs_size);
    event.surface_op = take(record.op_size);
    event.data = take(record.data_size);
    if (!each(event)) return;
  }
}

std::int64_t MemoryStore::drop_deferred() { return size(); }

}  // namespace dsh::loader
