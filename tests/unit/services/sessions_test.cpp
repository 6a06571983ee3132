#include "services/sessions.hpp"

#include <gtest/gtest.h>

#include "fixture.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

struct SessionsTest : Fixture {};

TEST_F(SessionsTest, numbers_sessions_without_an_id_past_the_taken_ones) {
  create("session-2");
  EXPECT_EQ(create("")->id(), "session-1");
  EXPECT_EQ(create("")->id(), "session-3");
}

TEST_F(SessionsTest, refuses_a_taken_id_and_an_unknown_one) {
  create("x");
  EXPECT_EQ(error_of([&] { create("x"); }), "session \"x\" already exists");
  EXPECT_EQ(error_of([&] { services.sessions.find("y"); }), "unknown session \"y\"");
  services.sessions.dispose("x");
  EXPECT_EQ(error_of([&] { services.sessions.find("x"); }), "unknown session \"x\"");
  create("x");
}

TEST_F(SessionsTest, counts_seqs_from_zero_and_keeps_the_data_as_written) {
  const auto session = create();
  EXPECT_EQ(append(*session, "zoo/fed", R"({"a":1.0,"a":"\u0061","é":1e5})"), 0);
  EXPECT_EQ(append(*session, "zoo/fed", "{ \"b\" :\n [ 1 , \"x y\" ] }"), 1);
  EXPECT_EQ(session->size(), 2);
  std::vector<std::string> data;
  session->read(0, [&](const Event &event) {
    data.emplace_back(event.data);
    return true;
  });
  EXPECT_THAT(data, ElementsAre(R"({"a":1.0,"a":"\u0061","é":1e5})", R"({"b":[1,"x y"]})"));
}

TEST_F(SessionsTest, writes_envelopes_in_their_order_of_keys) {
  const auto session = create();
  append(*session, "zoo/fed", "1");
  session->append({"assistant/message", "{}", "[0]", "\"append\""});
  std::string json = session->events_json();
  for (std::size_t at = 0; (at = json.find("\"time\":", at)) != std::string::npos; at += 7) {
    const std::size_t digits = json.find_first_not_of("0123456789", at + 7);
    EXPECT_GT(digits - at - 7, 12U) << "milliseconds since 1970";
    json.erase(at + 7, digits - at - 7);
  }
  EXPECT_EQ(
      json,
      R"([{"type":"zoo/fed","seq":0,"time":,"data":1},)"
      R"({"type":"assistant/message","seq":1,"time":,"data":{},"sourceEventSeqs":[0],"surfaceOp":"append"}])");
  EXPECT_THAT(session->events_json("assistant/message"), HasSubstr("\"seq\":1"));
  EXPECT_EQ(session->events_json("none/such"), "[]");
}

TEST_F(SessionsTest, keeps_no_white_space_of_any_part) {
  const NewEvent spaced{"user/message", "{ }", "[ 0 ]", R"({ "replace" : "a b" })"};
  const auto check = [](Session &session) {
    EXPECT_THAT(session.events_json("user/message"),
                HasSubstr(R"("data":{},"sourceEventSeqs":[0],"surfaceOp":{"replace":"a b"}})"));
  };
  const auto session = create();
  append(*session, "zoo/fed", "1");
  session->append(spaced);
  check(*session);
  const std::vector<SeedEvent> seed{{{"zoo/fed", "1", {}, {}}, -1, -1}, {spaced, -1, -1}};
  check(*services.sessions.create("seeded", seed));
}

TEST_F(SessionsTest, refuses_data_that_json_cannot_carry) {
  const auto session = create();
  for (const char *data : {"", "{", "-0", "{\"a\":1e999}", "\"\xFF\"", "nul"})
    EXPECT_EQ(error_of([&] { append(*session, "a/b", data); }),
              "session event \"a/b\" carries non-JSON-serializable data")
        << data;
  EXPECT_EQ(append(*session, "a/b", R"({"a":-0,"a":0})"), 0) << "the last of duplicate keys decides";
  EXPECT_EQ(session->size(), 1);
}

TEST_F(SessionsTest, holds_surface_events_to_their_rules) {
  const auto session = create();
  EXPECT_THAT(error_of([&] {
                session->append({"user/message", "{}", {}, {}});
              }),
              HasSubstr("needs a surfaceOp"));
  EXPECT_EQ(session->append({"user/message", "{}", {}, "\"append\""}), 0);
  EXPECT_THAT(error_of([&] {
                session->append({"tool/result", "{}", "[1]", "\"append\""});
              }),
              HasSubstr("no earlier event: 1"));
  EXPECT_EQ(session->append({"tool/result", "{}", "[0]", "\"append\""}), 1);
}

TEST_F(SessionsTest, closes_a_seed_with_end_seed_unless_it_ends_with_one) {
  const std::vector<SeedEvent> open = {{{"turn/start", R"({"turn":1})", {}, {}}}, {{"a/b", "1", {}, {}}}};
  EXPECT_THAT(types(*services.sessions.create("a", open)),
              ElementsAre("turn/start", "a/b", "session/end-seed"));
  const std::vector<SeedEvent> closed = {{{"a/b", "1", {}, {}}}, {{"session/end-seed", "{}", {}, {}}}};
  EXPECT_THAT(types(*services.sessions.create("b", closed)), ElementsAre("a/b", "session/end-seed"));
  EXPECT_THAT(types(*create("c")), ElementsAre());
}

TEST_F(SessionsTest, wants_a_seed_contiguous_from_zero) {
  std::vector<SeedEvent> seed = {{{"a/b", "1", {}, {}}, 0}, {{"a/b", "1", {}, {}}, 2}};
  EXPECT_THAT(error_of([&] { services.sessions.create("a", seed); }),
              HasSubstr("seq 2 came where 1 is expected"));
  seed[1].seq = 1;
  seed[1].time = 7;
  const auto session = services.sessions.create("a", seed);
  session->read(1, [](const Event &event) {
    EXPECT_EQ(event.time, 7);
    return false;
  });
  const std::vector<SeedEvent> late = {{{"a/b", "1", {}, {}}, 1}};
  EXPECT_NE(error_of([&] { services.sessions.create("b", late); }), "");
  const std::vector<SeedEvent> lossy = {{{"a/b", "-0", {}, {}}}};
  EXPECT_EQ(error_of([&] { services.sessions.create("b", lossy); }),
            "session event \"a/b\" carries non-JSON-serializable data");
  create("b");
}

// An observer that writes down what it is told, and tries to append.
struct Watcher {
  std::vector<std::string> told;
  std::string refusal;

  dsh_observer abi() {
    dsh_observer observer = testing_support::observer();
    observer.user = this;
    observer.created = [](void *user, const dsh_session *session) {
      auto &self = *static_cast<Watcher *>(user);
      self.told.push_back("created " + std::string(from_abi(session->id)));
      self.try_append(session);
    };
    observer.committed = [](void *user, const dsh_session *session, const dsh_event *event) {
      auto &self = *static_cast<Watcher *>(user);
      self.told.push_back("committed " + std::string(from_abi(session->id)) + " " +
                          std::to_string(event->seq) + " " + std::string(from_abi(event->type)) + " " +
                          std::string(from_abi(event->data)));
      self.try_append(session);
    };
    observer.disposed = [](void *user, const dsh_session *session) {
      auto &self = *static_cast<Watcher *>(user);
      self.told.push_back("disposed " + std::string(from_abi(session->id)));
      self.try_append(session);
    };
    return observer;
  }

  void try_append(const dsh_session *session) {
    const dsh_str type = DSH_STR("a/b");
    ErrorSink error;
    EXPECT_EQ(session->append(session, &type, "{}", 2, nullptr, error.abi()), DSH_ERROR);
    refusal = error.error("append", DSH_ERROR).what();
  }
};

TEST_F(SessionsTest, tells_observers_of_sessions_that_exist_and_come) {
  create("old");
  Watcher watcher;
  const dsh_observer abi = watcher.abi();
  const ObserverDescriptor descriptor(&abi);
  add(descriptor);
  const auto fresh = create("new");
  append(*fresh, "x/y", "[1]");
  services.sessions.dispose("new");
  remove(descriptor);
  append(*services.sessions.find("old"), "x/y");
  EXPECT_THAT(watcher.told, ElementsAre("created old", "created new", "committed new 0 x/y [1]",
                                        "disposed new", "disposed old"));
  EXPECT_EQ(watcher.refusal, "session append cannot reenter while another append is being published");
  EXPECT_EQ(fresh->id(), "new");
}

TEST_F(SessionsTest, tells_an_observer_of_its_types_only) {
  Watcher watcher;
  dsh_observer abi = watcher.abi();
  const dsh_str types[] = {DSH_STR("todo/write")};
  abi.types = types;
  abi.type_count = 1;
  const ObserverDescriptor descriptor(&abi);
  add(descriptor);
  const auto session = create();
  append(*session, "todo/Write");
  append(*session, "todo/write");
  EXPECT_THAT(watcher.told, ElementsAre("created s1", "committed s1 1 todo/write {}"));
  remove(descriptor);
}

TEST_F(SessionsTest, logs_an_observer_that_throws_and_keeps_the_event) {
  dsh_observer abi = observer();
  abi.committed = [](void *, const dsh_session *, const dsh_event *) { throw std::runtime_error("boom"); };
  const ObserverDescriptor descriptor(&abi);
  add(descriptor);
  const auto session = create();
  EXPECT_EQ(append(*session, "a/b"), 0);
  EXPECT_EQ(session->size(), 1);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("an observer failed: boom")));
  remove(descriptor);
}

TEST_F(SessionsTest, refuses_a_handle_outside_a_call_for_its_session) {
  const auto session = create();
  const dsh_session *const handle = session->handle();
  const dsh_str type = DSH_STR("a/b");
  ErrorSink error;
  EXPECT_EQ(handle->append(handle, &type, "{}", 2, nullptr, error.abi()), DSH_ERROR);
  EXPECT_THAT(error.error("", 0).what(), HasSubstr("outside a call that was made for it"));
  EXPECT_EQ(handle->append(nullptr, &type, "{}", 2, nullptr, error.abi()), DSH_ERROR);
  const Session::Hold hold(*session);
  std::int64_t seq = -1;
  EXPECT_EQ(handle->append(handle, nullptr, "{}", 2, &seq, error.abi()), DSH_ERROR);
  EXPECT_EQ(handle->append(handle, &type, nullptr, 2, &seq, error.abi()), DSH_ERROR);
  EXPECT_EQ(handle->append(handle, &type, "{}", 2, &seq, error.abi()), DSH_OK);
  EXPECT_EQ(seq, 0);
}

TEST_F(SessionsTest, reads_through_a_handle_from_any_seq_until_told_to_stop) {
  const auto session = create();
  for (int i = 0; i < 5; ++i) append(*session, "a/b", std::to_string(i));
  const dsh_session *const handle = session->handle();
  struct Reader {
    std::vector<std::int64_t> seqs;
    const dsh_session *session;
  } reader{{}, handle};
  const auto each = [](void *user, const dsh_event *event) -> std::int32_t {
    auto &self = *static_cast<Reader *>(user);
    self.seqs.push_back(event->seq);
    const dsh_str type = DSH_STR("a/b");
    ErrorSink error;
    EXPECT_EQ(self.session->append(self.session, &type, "{}", 2, nullptr, error.abi()), DSH_ERROR);
    EXPECT_THAT(error.error("", 0).what(), HasSubstr("while the session is being read"));
    return event->seq == 3 ? DSH_NONE : DSH_OK;
  };
  ErrorSink error;
  const Session::Hold hold(*session);
  EXPECT_EQ(handle->read(handle, -5, each, &reader, error.abi()), DSH_NONE);
  EXPECT_THAT(reader.seqs, ElementsAre(0, 1, 2, 3));
  reader.seqs.clear();
  EXPECT_EQ(handle->read(handle, 4, each, &reader, error.abi()), DSH_OK);
  EXPECT_EQ(handle->read(handle, 99, each, &reader, error.abi()), DSH_OK);
  EXPECT_THAT(reader.seqs, ElementsAre(4));
  EXPECT_EQ(handle->read(handle, 0, nullptr, nullptr, error.abi()), DSH_ERROR);
  EXPECT_EQ(session->size(), 5);
}

TEST_F(SessionsTest, a_disposed_session_refuses_its_holders) {
  const auto session = create();
  services.sessions.dispose("s1");
  EXPECT_EQ(error_of([&] { append(*session, "a/b"); }), "session \"s1\" was disposed");
  EXPECT_EQ(error_of([&] { session->size(); }), "session \"s1\" was disposed");
}

TEST_F(SessionsTest, is_not_disposed_by_the_call_that_uses_it) {
  const auto session = create();
  {
    const Session::Hold hold(*session);
    EXPECT_THAT(error_of([&] { services.sessions.dispose("s1"); }), HasSubstr("is in use"));
  }
  services.sessions.dispose("s1");
}

}  // namespace
}  // namespace dsh::loader
