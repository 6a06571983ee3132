#include "services/memory_store.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dsh::loader {
namespace {

TEST(MemoryStore, gives_back_what_it_was_given) {
  MemoryStore store;
  const std::vector<Event> events = {{0, 5, "a/b", "{\"x\":1}", "[]", "\"append\""},
                                     {1, 4, "", "null", "", ""},
                                     {2, 6, "c/d", "[1]", "[0,1]", "{\"op\":1}"}};
  for (const Event &event : events) {
    EXPECT_EQ(store.size(), event.seq);
    store.append(event, Sync::deferred);
  }
  std::size_t next = 0;
  store.read(-1, [&](const Event &event) {
    const Event &given = events[next++];
    EXPECT_EQ(event.seq, given.seq);
    EXPECT_EQ(event.time, given.time);
    EXPECT_EQ(event.type, given.type);
    EXPECT_EQ(event.data, given.data);
    EXPECT_EQ(event.source_event_seqs, given.source_event_seqs);
    EXPECT_EQ(event.surface_op, given.surface_op);
    return true;
  });
  EXPECT_EQ(next, 3U);
}

TEST(MemoryStore, reads_from_a_seq_until_told_to_stop) {
  MemoryStore store;
  for (std::int64_t seq = 0; seq < 10; ++seq) store.append({seq, 0, "a", "1", "", ""}, Sync::now);
  std::vector<std::int64_t> seqs;
  store.read(7, [&](const Event &event) {
    seqs.push_back(event.seq);
    return event.seq < 8;
  });
  EXPECT_EQ(seqs, (std::vector<std::int64_t>{7, 8}));
  store.read(10, [](const Event &) {
    ADD_FAILURE();
    return true;
  });
}

TEST(MemoryStore, has_no_disk_to_lose_events_on) {
  MemoryStore store;
  store.append({0, 0, "a", "1", "", ""}, Sync::deferred);
  EXPECT_EQ(store.drop_deferred(), 1);
}

}  // namespace
}  // namespace dsh::loader
