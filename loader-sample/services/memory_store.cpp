#include "services/memory_store.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

namespace dsh::loader {

std::int64_t MemoryStore::size() const { return static_cast<std::int64_t>(records_.size()); }

void MemoryStore::append(const Event &event, Sync /*sync*/) {
  Record record{event.time, event.type.size(), event.source_event_seqs.size(), event.surface_op.size(), {}};
  record.text.reserve(record.type_size + record.seqs_size + record.op_size + event.data.size());
  record.text.append(event.type).append(event.source_event_seqs).append(event.surface_op).append(event.data);
  records_.push_back(std::move(record));
}

void MemoryStore::read(std::int64_t from, const std::function<bool(const Event &)> &each) const {
  for (auto seq = static_cast<std::size_t>(from < 0 ? 0 : from); seq < records_.size(); ++seq) {
    const Record &record = records_[seq];
    std::string_view rest = record.text;
    const auto take = [&rest](std::size_t size) {
      const std::string_view part = rest.substr(0, size);
      rest.remove_prefix(size);
      return part;
    };
    Event event;
    event.seq = static_cast<std::int64_t>(seq);
    event.time = record.time;
    event.type = take(record.type_size);
    event.source_event_seqs = take(record.seqs_size);
    event.surface_op = take(record.op_size);
    event.data = rest;
    if (!each(event)) {
      return;
    }
  }
}

std::int64_t MemoryStore::drop_deferred() { return size(); }

}  // namespace dsh::loader
