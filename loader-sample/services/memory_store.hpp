// Events kept in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "services/event_store.hpp"
#include "services/text_arena.hpp"

namespace dsh::loader {

/// A store without a disk: `now` and `deferred` are the same to it.
class MemoryStore final : public EventStore {
 public:
  std::int64_t size() const override;
  void append(const Event &event, Sync sync) override;
  void read(std::int64_t from, const std::function<bool(const Event &)> &each) const override;
  std::int64_t drop_deferred() override;

 private:
  struct Record {
    std::int64_t time;
    const char *text;  // type, sourceEventSeqs, surfaceOp, data
    std::size_t type_size;
    std::size_t seqs_size;
    std::size_t op_size;
    std::size_t data_size;
  };
  std::deque<Record> records_;
  TextArena texts_;
};

}  // namespace dsh::loader
