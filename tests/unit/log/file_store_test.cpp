#include "log/file_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/failing_memory.hpp"
#include "unit/log/stored_session.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using FileStoreTest = StoredSessionTest;

TEST_F(FileStoreTest, nothing_is_on_disk_before_the_first_synced_event) {
  const auto store = storage_.create("s", std::nullopt);
  EXPECT_FALSE(storage_.exists("s"));
  store->append(event(0, "turn/start", R"({"turn":1})"), Sync::deferred);
  EXPECT_FALSE(storage_.exists("s"));
  EXPECT_EQ(types_of(*store), std::vector<std::string>{"turn/start"});
  store->append(event(1, "todo/write", R"({"todos":[]})"), Sync::now);
  EXPECT_TRUE(storage_.exists("s"));
  const std::string text = log();
  EXPECT_THAT(
      text,
      ::testing::MatchesRegex(
          "\\{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":[0-9]+,\"delegationDepth\":0\\}\n"
          "\\{\"type\":\"turn/start\",\"seq\":0,\"time\":1000,\"data\":\\{\"turn\":1\\}\\}\n"
          "\\{\"type\":\"todo/write\",\"seq\":1,\"time\":1001,\"data\":\\{\"todos\":\\[\\]\\}\\}\n"));
}

TEST_F(FileStoreTest, files_and_directories_are_for_their_owner_alone) {
  const auto store = storage_.create("s", "/home/u/proj");
  store->append(event(0, "turn/start"), Sync::now);
  const auto mode = [this](const std::string &name) {
    struct ::stat status {};
    EXPECT_EQ(::stat((root_.path() + name).c_str(), &status), 0) << name;
    return status.st_mode & 0777U;
  };
  EXPECT_EQ(mode("/--home-u-proj--"), 0700U);
  EXPECT_EQ(mode("/--home-u-proj--/s"), 0700U);
  EXPECT_EQ(mode("/--home-u-proj--/s/session.jsonl"), 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root_.path() + "/--home-u-proj--/s"), {}), 1);
}

TEST_F(FileStoreTest, deferred_events_go_to_disk_with_the_next_synced_one) {
  const auto store = storage_.create("s", std::nullopt);
  store->append(event(0, "turn/start"), Sync::now);
  const std::string before = log();
  store->append(event(1, "step/start"), Sync::deferred);
  EXPECT_EQ(log(), before);
  EXPECT_EQ(store->size(), 2);
  store->append(event(2, "step/end"), Sync::now);
  EXPECT_THAT(types_of(*store), ElementsAre("turn/start", "step/start", "step/end"));
  EXPECT_THAT(log(), HasSubstr("step/start"));
  store->append(event(3, "step/start"), Sync::deferred);
  EXPECT_EQ(store->drop_deferred(), 3);
  EXPECT_EQ(store->size(), 3);
  store->append(event(3, "turn/end"), Sync::now);
  EXPECT_THAT(types_of(*store), ElementsAre("turn/start", "step/start", "step/end", "turn/end"));
}

TEST_F(FileStoreTest, events_come_back_as_they_were_written) {
  const auto store = storage_.create("s", std::nullopt);
  const std::string data = R"({"a":[1,2.50,"\u00e9\ud800"],"b":{}})";
  store->append({0, -5, "user/message", data, {}, R"("append")"}, Sync::now);
  store->append({1, 7, "tool/result", "null", "[0]", R"("append")"}, Sync::now);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(
        lines_of(*store),
        ElementsAre(
            R"({"type":"user/message","seq":0,"time":-5,"data":)" + data + R"(,"surfaceOp":"append"})",
            R"({"type":"tool/result","seq":1,"time":7,"data":null,"sourceEventSeqs":[0],"surfaceOp":"append"})"));
    store->append(event(2, "turn/start"), Sync::deferred);
    EXPECT_EQ(lines_of(*store, 2).size(), 1U);
    store->drop_deferred();
  }
}

TEST_F(FileStoreTest, white_space_between_values_does_not_reach_the_log) {
  const auto store = storage_.create("s", std::nullopt);
  store->append(event(0, "todo/write", "{\r\n  \"todos\" : [ \"a\\nb c\" ]\n}"), Sync::now);
  store->append({1, 7, "tool/result", " null", "[ 0\t]", "{ \"a b\": 1 }"}, Sync::now);
  EXPECT_THAT(
      lines_of(*store),
      ElementsAre(
          R"({"type":"todo/write","seq":0,"time":1000,"data":{"todos":["a\nb c"]}})",
          R"({"type":"tool/result","seq":1,"time":7,"data":null,"sourceEventSeqs":[0],"surfaceOp":{"a b":1}})"));
}

TEST_F(FileStoreTest, what_no_log_may_hold_is_refused_and_changes_nothing) {
  const auto store = storage_.create("s", std::nullopt);
  store->append(event(0, "turn/start"), Sync::now);
  const std::string before = log();
  EXPECT_THAT(error_of([&] { store->append(event(1, "acme/note"), Sync::now); }), HasSubstr("acme/note"));
  EXPECT_EQ(error_of([&] { store->append(event(1, "todo/write", "{"), Sync::now); }),
            "session event \"todo/write\" carries non-JSON-serializable data");
  EXPECT_THROW(store->append(event(1, "todo/write", "\"\xFF\""), Sync::deferred), Error);
  EXPECT_THROW(store->append(event(2, "todo/write"), Sync::now), Error);
  EXPECT_EQ(store->size(), 1);
  EXPECT_EQ(log(), before);
  store->append(event(1, "todo/write"), Sync::now);
}

TEST_F(FileStoreTest, an_append_without_memory_changes_nothing) {
  const auto store = storage_.create("s", std::nullopt);
  store->append(event(0, "turn/start"), Sync::now);
  bool met = true;
  for (int passing = 0; met; ++passing) {
    const std::int64_t seq = store->size();
    bool appended = false;
    {
      const dsh::test::FailingMemory memory(passing);
      try {
        store->append(event(seq, "todo/write", R"({ "text" : "longer than a string keeps in itself" })"),
                      Sync::now);
        appended = true;
      } catch (const std::bad_alloc &) {  // NOLINT(bugprone-empty-catch): that is what is tested
      }
      met = memory.met();
    }
    EXPECT_EQ(store->size(), appended ? seq + 1 : seq) << passing;
  }
  store->append(event(store->size(), "turn/end"), Sync::now);
  EXPECT_EQ(lines_of(*store).size(), static_cast<std::size_t>(store->size()));
}

TEST_F(FileStoreTest, opening_a_finished_session_marks_the_end_of_the_seed_once) {
  write_log(std::string(header) + turn_start + todo_write + turn_end);
  for (int round = 0; round < 2; ++round) {
    const auto store = storage_.open("s");
    EXPECT_THAT(types_of(*store), ElementsAre("turn/start", "todo/write", "turn/end", "session/end-seed"));
  }
  EXPECT_THAT(log(), HasSubstr(R"(,"data":{}})"
                               "\n"));
}

TEST_F(FileStoreTest, a_torn_tail_is_cut_off_before_the_next_record) {
  write_log(std::string(header) + turn_start + todo_write + turn_end + R"({"type":"todo/wri)");
  const auto store = storage_.open("s");
  store->append(event(4, "turn/start", R"({"turn":2})"), Sync::now);
  EXPECT_THAT(types_of(*store),
              ElementsAre("turn/start", "todo/write", "turn/end", "session/end-seed", "turn/start"));
  EXPECT_THAT(log(), ::testing::Not(HasSubstr("todo/wri{")));
}

TEST_F(FileStoreTest, an_open_turn_is_closed) {
  write_log(
      std::string(header) + turn_start +
      R"({"type":"step/start","seq":1,"time":11,"data":{"turn":1,"step":1}})"
      "\n"
      R"({"type":"assistant/message","seq":2,"time":12,"data":{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool-call","id":"c1","name":"todo_write","arguments":"{}"},{"type":"tool-call","id":"c2","name":"todo_write","arguments":"{}"},{"type":"tool-call","id":"c3","name":"todo_write","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"},"id":"i"}},"surfaceOp":"append"})"
      "\n"
      R"({"type":"tool/call","seq":3,"time":13,"data":{"turn":1,"step":1,"callId":"c1","name":"todo_write","arguments":"{}"}})"
      "\n"
      R"({"type":"tool/result","seq":4,"time":14,"data":{"turn":1,"step":1,"message":{"role":"user","source":{"kind":"tool","callId":"c1"},"content":[],"id":"j"}},"sourceEventSeqs":[3],"surfaceOp":"append"})"
      "\n"
      R"({"type":"tool/call","seq":5,"time":15,"data":{"turn":1,"step":1,"callId":"c2","name":"todo_write","arguments":"{}"}})"
      "\n");
  const auto store = storage_.open("s");
  const auto lines = lines_of(*store, 6);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(
      lines[0],
      ::testing::StartsWith(
          R"({"type":"tool/result","seq":6,"time":15,"data":{"turn":1,"step":1,"message":{"role":"user","source":{"kind":"tool","callId":"c2"},"content":[{"type":"tool-result","toolCallId":"c2","content":[{"type":"text","text":")"));
  EXPECT_THAT(lines[0], HasSubstr(R"("isError":true}],"id":")"));
  EXPECT_THAT(
      lines[0],
      HasSubstr(
          R"("error":{"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"}},"sourceEventSeqs":[5],"surfaceOp":"append"})"));
  EXPECT_THAT(lines[1], HasSubstr(R"("callId":"c3")"));
  EXPECT_THAT(
      lines[1],
      HasSubstr(
          R"("error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"}},"surfaceOp":"append"})"));
  EXPECT_EQ(lines[2], R"({"type":"step/end","seq":8,"time":15,"data":{"turn":1,"step":1}})");
  EXPECT_EQ(lines[3],
            R"({"type":"turn/end","seq":9,"time":15,"data":{"turn":1,"reason":{"kind":"interrupted"}}})");
  EXPECT_THAT(lines[4], HasSubstr("session/end-seed"));
}

TEST_F(FileStoreTest, an_unknown_event_that_may_be_ignored_keeps_its_place) {
  write_log(std::string(header) + R"({"type":"acme/note","seq":0,"time":1,"data":{},"ignorable":true})"
                                  "\n");
  const auto store = storage_.open("s");
  EXPECT_THAT(types_of(*store), ElementsAre("acme/note", "session/end-seed"));
}

TEST_F(FileStoreTest, packed_rows_are_read_as_the_events_they_stand_for) {
  write_log(
      std::string(header) + turn_start +
      R"({"type":"text-chunks","seq0":1,"time0":20,"data":{"turn":1,"step":1,"index":0,"dt":[5,-2],"texts":["a","b\n","c"]}})"
      "\n"
      R"({"type":"tool-call-chunks","seq0":4,"time0":30,"data":{"turn":1,"step":1,"index":1,"dt":[1],"id":"c","name":"n","args":["{","}"]}})"
      "\n"
      R"({"type":"turn/end","seq":6,"time":40,"data":{"turn":1,"reason":{"kind":"completed"}}})"
      "\n");
  const auto store = storage_.open("s");
  EXPECT_THAT(
      lines_of(*store, 2),
      ElementsAre(
          R"({"type":"assistant/chunk","seq":2,"time":25,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"b\n"}}})",
          R"({"type":"assistant/chunk","seq":3,"time":23,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"c"}}})",
          R"({"type":"assistant/chunk","seq":4,"time":30,"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":1,"id":"c","name":"n","argumentsDelta":"{"}}})",
          R"({"type":"assistant/chunk","seq":5,"time":31,"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":1,"id":"c","name":"n","argumentsDelta":"}"}}})",
          R"({"type":"turn/end","seq":6,"time":40,"data":{"turn":1,"reason":{"kind":"completed"}}})",
          ::testing::HasSubstr("session/end-seed")));
}

TEST_F(FileStoreTest, a_log_that_another_program_changed_is_left_alone) {
  write_log(std::string(header) + turn_start + todo_write + turn_end);
  const auto store = storage_.open("s");
  std::ofstream(log_, std::ios::app) << "more\n";
  const std::string before = log();
  EXPECT_THAT(error_of([&] { store->append(event(4, "turn/start"), Sync::now); }),
              HasSubstr("ignores its lock"));
  EXPECT_EQ(log(), before);
  EXPECT_EQ(store->size(), 4);
}

TEST_F(FileStoreTest, nothing_is_written_into_a_log_that_was_replaced) {
  write_log(std::string(header) + turn_start + todo_write + turn_end);
  const auto store = storage_.open("s");
  write_log(log());  // a new file of the same name
  EXPECT_THAT(error_of([&] { store->append(event(4, "turn/start"), Sync::now); }),
              HasSubstr("was deleted, moved or replaced; nothing was written"));
  EXPECT_EQ(store->size(), 4);
}

TEST_F(FileStoreTest, a_line_that_lost_its_end_is_told) {
  write_log(std::string(header) + turn_start + todo_write + turn_end);
  const auto store = storage_.open("s");
  std::filesystem::resize_file(log_, log().size() - 1);
  std::ofstream(log_, std::ios::app) << "x";
  EXPECT_THAT(error_of([&] { (void)lines_of(*store); }), HasSubstr("ignores its lock: incomplete last line"));
}

}  // namespace
}  // namespace dsh::loader
