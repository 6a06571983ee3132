// Sessions that a storage keeps beyond the process.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "fixture.hpp"
#include "services/memory_store.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

// A storage whose disk can be made to fail.
class FakeStorage final : public SessionStorage {
 public:
  struct Disk {
    MemoryStore events;
    std::int64_t synced = 0;
    int failures = 0;  // how many of the next syncs fail
    int unsure = 0;    // how many events came whose data a store has to check itself
  };

  class Store final : public EventStore {
   public:
    explicit Store(Disk &disk) : disk_(disk) {}
    std::int64_t size() const override { return disk_.events.size(); }
    void append(const Event &event, Sync sync) override {
      if (sync == Sync::now && disk_.failures > 0) {
        --disk_.failures;
        throw Error("no space left on device");
      }
      const JsonCheck check = check_json(event.data);
      disk_.unsure += event.compact && check && !check.spaced ? 0 : 1;
      disk_.events.append(event, sync);
      if (sync == Sync::now) disk_.synced = size();
    }
    void read(std::int64_t from, const std::function<bool(const Event &)> &each) const override {
      disk_.events.read(from, each);
    }
    std::int64_t drop_deferred() override {
      MemoryStore kept;
      disk_.events.read(0, [&](const Event &event) {
        if (event.seq < disk_.synced) kept.append(event, Sync::now);
        return true;
      });
      disk_.events = std::move(kept);
      return size();
    }

   private:
    Disk &disk_;
  };

  bool exists(std::string_view id) const override { return disks.contains(std::string(id)); }
  std::unique_ptr<EventStore> create(std::string_view id, std::int64_t seed_length) override {
    if (exists(id)) throw session_exists(id);
    last_seed_length = seed_length;
    return std::make_unique<Store>(disks[std::string(id)]);
  }
  std::unique_ptr<EventStore> open(std::string_view id, const Admit &admit) override {
    if (!exists(id)) throw Error("no session \"" + std::string(id) + "\" is stored");
    MemoryStore repaired;
    std::string last;
    disks[std::string(id)].events.read(0, [&](const Event &event) {
      repaired.append(event, Sync::now);
      last = event.type;
      return true;
    });
    if (last != "session/end-seed")
      repaired.append({repaired.size(), 0, "session/end-seed", "{}", {}, {}}, Sync::now);
    admit(repaired);
    disks[std::string(id)].events = std::move(repaired);
    return std::make_unique<Store>(disks[std::string(id)]);
  }

  std::map<std::string, Disk> disks;
  std::int64_t last_seed_length = -1;
};

struct StorageHolder {
  FakeStorage storage;
};

struct SessionStorageTest : StorageHolder, Fixture {
  SessionStorageTest() : Fixture(&storage) {}
};

TEST_F(SessionStorageTest, opens_what_is_stored_and_closes_its_seed) {
  const auto session = create("a");
  append(*session, "x/y");
  EXPECT_EQ(error_of([&] { services.sessions.open("a"); }), "session \"a\" already exists");
  services.sessions.dispose("a");
  EXPECT_EQ(error_of([&] { create("a"); }), "session \"a\" already exists");
  EXPECT_THAT(types(*services.sessions.open("a")), ElementsAre("x/y", "session/end-seed"));
  services.sessions.dispose("a");
  EXPECT_THAT(types(*services.sessions.open("a")), ElementsAre("x/y", "session/end-seed"));
  EXPECT_EQ(error_of([&] { services.sessions.open("b"); }), "no session \"b\" is stored");
}

TEST_F(SessionStorageTest, a_stored_log_that_breaks_a_rule_is_refused_before_anything_is_written) {
  append(*create("a"), "x/y");
  services.sessions.dispose("a");
  const dsh_invariant strict = rule([](void *, const void *, const dsh_event *, const dsh_error *error) {
    return refuse(error, "no event is good", DSH_VIOLATED);
  });
  const InvariantDescriptor descriptor(&strict);
  add(descriptor);
  EXPECT_THAT(error_of([&] { services.sessions.open("a"); }), HasSubstr("no event is good"));
  EXPECT_EQ(storage.disks["a"].events.size(), 1);
  remove(descriptor);
  EXPECT_THAT(types(*services.sessions.open("a")), ElementsAre("x/y", "session/end-seed"));
}

TEST_F(SessionStorageTest, a_store_need_not_check_the_data_again) {
  const std::vector<SeedEvent> seed = {{{"a/b", "{ \"a\": [1, 2] }", {}, {}}}, {{"a/b", "2", {}, {}}}};
  const auto session = services.sessions.create("a", seed);
  append(*session, "x/y", "{\"list\":[1]}");
  append(*session, "x/y", " [ \"a b\" ]");
  append(*session, "x/y", "7");
  EXPECT_EQ(storage.disks["a"].events.size(), 6);
  EXPECT_EQ(storage.disks["a"].unsure, 0);
}

TEST_F(SessionStorageTest, numbers_past_stored_sessions) {
  storage.disks["session-1"];
  EXPECT_EQ(create("")->id(), "session-2");
}

TEST_F(SessionStorageTest, tells_the_storage_how_long_the_seed_is) {
  const std::vector<SeedEvent> seed = {{{"a/b", "1", {}, {}}}, {{"a/b", "2", {}, {}}}};
  services.sessions.create("a", seed);
  EXPECT_EQ(storage.last_seed_length, 2);
  EXPECT_EQ(storage.disks["a"].synced, 3) << "the seed is on disk before the session is there";
}

TEST_F(SessionStorageTest, a_failed_sync_takes_the_deferred_events_back_everywhere) {
  // A rule that allows three events at most, by its trace; a unit that counts.
  dsh_invariant three = rule([](void *, const void *trace, const dsh_event *, const dsh_error *error) {
    return *static_cast<const std::int32_t *>(trace) < 3 ? DSH_OK
                                                         : refuse(error, "more than three", DSH_VIOLATED);
  });
  three.trace_size = sizeof(std::int32_t);
  three.committed = [](void *, void *trace, const dsh_event *) { ++*static_cast<std::int32_t *>(trace); };
  const InvariantDescriptor limit(&three);
  const dsh_unit counting = unit([](void *, const dsh_str *state, const dsh_event *, const dsh_out *next,
                                    const dsh_error *) -> std::int32_t {
    write(next, *state->data == 'n' ? "1" : std::to_string(std::stoi(std::string(from_abi(*state))) + 1));
    return DSH_OK;
  });
  const UnitDescriptor count(&counting);
  add(limit);
  add(count);
  std::vector<std::string> changes;
  const Subscription subscription = services.projections.subscribe(
      [&](const ProjectionChange &change) { changes.emplace_back(change.value); });
  const auto session = create("a");
  append(*session, "a/b");
  session->append({"a/b", "1", {}, {}}, Sync::deferred);
  storage.disks["a"].failures = 1;
  EXPECT_EQ(error_of([&] { append(*session, "a/b", "2"); }), "no space left on device");
  EXPECT_EQ(session->size(), 1);
  EXPECT_EQ(services.projections.snapshot(*session).values.at(0).second, "1");
  EXPECT_THAT(changes, ElementsAre("1", "2", "1"));
  append(*session, "a/b");
  append(*session, "a/b");
  EXPECT_EQ(session->size(), 3);
  EXPECT_THAT(error_of([&] { append(*session, "a/b"); }), HasSubstr("more than three"));
  EXPECT_TRUE(lines.empty());
}

}  // namespace
}  // namespace dsh::loader
