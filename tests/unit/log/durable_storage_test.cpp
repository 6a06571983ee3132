#include "log/durable_storage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "durability/fault_ops.hpp"
#include "text/advised_error.hpp"
#include "unit/log/stored_session.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using DurableStorageTest = StoredSessionTest;

TEST_F(DurableStorageTest, an_id_that_is_on_disk_cannot_be_created_again) {
  const auto store = storage_.create("s", "/a:b");
  store->append(event(0, "turn/start"), Sync::now);
  EXPECT_EQ(error_of([&] { storage_.create("s", "/a:b"); }), "session \"s\" already exists");
  // The same project directory, another working directory; and another project directory.
  for (const char *other : {"/a/b", "/c"}) {
    const std::string text = error_of([&] { storage_.create("s", other); });
    EXPECT_THAT(text, HasSubstr("\"/a:b\""));
    EXPECT_THAT(text, HasSubstr(other));
  }
  EXPECT_NE(storage_.create("S", "/a:b"), nullptr);
}

TEST_F(DurableStorageTest, of_two_that_create_one_session_the_first_to_append_wins) {
  const auto first = storage_.create("s", std::nullopt);
  const auto second = storage_.create("s", std::nullopt);
  second->append(event(0, "turn/start"), Sync::now);
  const std::string before = log();
  EXPECT_EQ(error_of([&] { first->append(event(0, "turn/start"), Sync::now); }),
            "session \"s\" already exists");
  EXPECT_EQ(first->size(), 0);
  EXPECT_EQ(log(), before);
}

TEST_F(DurableStorageTest, of_two_that_create_one_id_for_two_directories_the_first_to_append_wins) {
  const auto first = storage_.create("s", "/a");
  const auto second = storage_.create("s", "/b");
  const auto third = storage_.create("s", std::nullopt);
  second->append(event(0, "turn/start"), Sync::now);
  EXPECT_EQ(error_of([&] { first->append(event(0, "turn/start"), Sync::now); }),
            R"(session "s" belongs to "/b", not to "/a")");
  EXPECT_EQ(error_of([&] { third->append(event(0, "turn/start"), Sync::now); }),
            R"(session "s" belongs to "/b", not to no cwd)");
  EXPECT_EQ(first->size(), 0);
  EXPECT_EQ(storage_.find("s").path, root_.path() + "/--b--/s/session.jsonl");
}

TEST_F(DurableStorageTest, a_second_writer_is_refused_and_told_who_writes) {
  auto store = storage_.create("s", std::nullopt);
  store->append(event(0, "turn/start", R"({"turn":1})"), Sync::now);
  EXPECT_THAT(error_of([&] { storage_.open("s"); }),
              HasSubstr("this process (" + std::to_string(::getpid()) + ")"));
  store.reset();
  EXPECT_NE(storage_.open("s"), nullptr);
}

TEST_F(DurableStorageTest, a_veto_while_opening_leaves_the_file_as_it_was) {
  const std::string bytes = std::string(header) + turn_start + todo_write + "torn";
  write_log(bytes);
  EXPECT_EQ(error_of([&] {
              storage_.open("s", {}, [](const EventStore &store) {
                EXPECT_THAT(types_of(store),
                            ElementsAre("turn/start", "todo/write", "turn/end", "session/end-seed"));
                throw Error("no");
              });
            }),
            "no (" + log_ + ")");
  EXPECT_EQ(log(), bytes);
}

TEST_F(DurableStorageTest, what_cannot_be_written_on_is_refused_untouched) {
  const std::string sound = std::string(header) + turn_start + todo_write + turn_end;
  const auto refused = [&](const std::string &bytes) {
    write_log(bytes);
    const std::string text = error_of([&] { storage_.open("s"); });
    EXPECT_EQ(log(), bytes);
    return text;
  };
  EXPECT_THAT(refused(""), HasSubstr("empty or header-less session log"));
  EXPECT_THAT(refused(std::string(header).substr(0, 20)), HasSubstr("empty or header-less session log"));
  EXPECT_THAT(refused(turn_start), HasSubstr("corrupt session log: first line is not a session header"));
  EXPECT_THAT(refused("x\n"), HasSubstr("corrupt session log: header line is not valid JSON"));
  EXPECT_THAT(refused(R"({"type":"session","version":0,"id":"s","createdAt":5})"
                      "\n"),
              HasSubstr("corrupt session log: first line is not a session header"));
  EXPECT_THAT(refused(R"({"type":"session","version":2,"id":"s","createdAt":5,"delegationDepth":0})"
                      "\n"),
              ::testing::AllOf(HasSubstr("format 2"), HasSubstr("format 0")));
  EXPECT_THAT(refused(R"({"type":"session","version":0,"id":"t","createdAt":5,"delegationDepth":0})"
                      "\n"),
              HasSubstr("\"t\""));
  EXPECT_THAT(refused(std::string(header) + turn_start + "garbage\n" + todo_write + turn_end),
              HasSubstr("corrupt session log: unparsable event, not an object (byte 1) at line 3"));
  EXPECT_THAT(refused(std::string(header) + turn_start + turn_end),
              HasSubstr("corrupt session log: seq gap (expected 1, got 2) at line 3"));
  EXPECT_THAT(refused(sound + R"({"type":"acme/note","seq":3,"time":1,"data":{}})"
                              "\n"),
              ::testing::AllOf(HasSubstr("acme/note"), HasSubstr("seq 3")));
}

TEST_F(DurableStorageTest, strange_ids_and_working_directories_stay_under_the_root) {
  using namespace std::string_literals;
  for (const std::string &id : {".."s, "."s, "../../x"s, "/etc/passwd"s, "a\0b"s, "\xF0\x9F\xA7\xA0"s, "A"s,
                                "a"s, "\xED\xA0\x80"s, std::string(255, 'x')}) {
    for (const std::optional<std::string> &cwd :
         {std::optional<std::string>(), std::optional<std::string>("/../.."),
          std::optional<std::string>("/" + std::string(4096, 'y'))}) {
      const TemporaryDirectory outer;
      const DurableStorage storage(outer.path() + "/root");
      storage.create(id, cwd)->append(event(0, "turn/start"), Sync::now);
      EXPECT_EQ(std::distance(std::filesystem::directory_iterator(outer.path()), {}), 1);
      const LogFile log = storage.find(id);
      EXPECT_EQ(log.path.rfind(outer.path() + "/root/", 0), 0U);
      EXPECT_EQ(storage.open(id, cwd)->size(), 3);
    }
  }
}

TEST_F(DurableStorageTest, a_session_in_two_projects_is_found_by_none) {
  write_log(header);
  root_.write("--x--/s/session.jsonl", header);
  EXPECT_TRUE(storage_.exists("s"));
  EXPECT_THAT(error_of([&] { (void)storage_.find("s"); }), HasSubstr("lies in two project directories"));
  EXPECT_THAT(error_of([&] { (void)storage_.find("t"); }), HasSubstr("no session \"t\" under"));
  EXPECT_FALSE(storage_.stored("t").has_value());
}

TEST_F(DurableStorageTest, of_a_session_in_two_projects_that_of_the_given_directory_is_opened) {
  const auto in = [](const char *cwd) {
    return R"({"type":"session","version":0,"id":"s","createdAt":5,"cwd":")" + std::string(cwd) +
           "\",\"delegationDepth\":0}\n";
  };
  root_.write("--a--/s/session.jsonl", in("/a") + turn_start);
  root_.write("--b--/s/session.jsonl", in("/b"));
  EXPECT_EQ(storage_.open("s", "/a")->size(), 3);
  EXPECT_EQ(storage_.open("s", "/b")->size(), 0);
  EXPECT_EQ(error_of([&] { storage_.open("s", "/c"); }), R"(session "s" belongs to "/a", not to "/c")");
  EXPECT_THAT(error_of([&] { storage_.open("s"); }), HasSubstr("lies in two project directories"));
  root_.write("--d--/s/session.jsonl", in("/d"));
  const std::string text = error_of([&] { storage_.open("s"); });
  EXPECT_THAT(text, HasSubstr("lies in 3 project directories"));
  for (const char *project : {"--a--", "--b--", "--d--"}) EXPECT_THAT(text, HasSubstr(project));
}

TEST_F(DurableStorageTest, a_session_of_another_directory_is_refused_in_one_way) {
  storage_.create("s", "/a")->append(event(0, "turn/start"), Sync::now);
  for (const char *other : {"/b", "/a:"}) {
    const std::string text = R"(session "s" belongs to "/a", not to ")" + std::string(other) + '"';
    EXPECT_EQ(error_of([&] { (void)storage_.stored("s", other); }), text);
    EXPECT_EQ(error_of([&] { (void)storage_.open("s", other); }), text);
  }
  EXPECT_TRUE(storage_.stored("s", "/a").has_value());
  EXPECT_FALSE(storage_.stored("t", "/a").has_value());
}

TEST_F(DurableStorageTest, what_lies_in_other_projects_is_not_in_the_way_of_the_given_one) {
  storage_.create("s", "/a")->append(event(0, "turn/start"), Sync::now);
  root_.write("--b--/s/session.v1.jsonl", "");
  root_.write("--b--/s/session.v1.jsonl.zstd", "");
  EXPECT_EQ(storage_.open("s", "/a")->size(), 3);
  EXPECT_THAT(error_of([&] { (void)storage_.open("s"); }), HasSubstr("two logs of one session"));
}

TEST_F(DurableStorageTest, what_the_disk_refuses_is_no_damage_and_comes_with_advice) {
  FaultOps faults(system_file_ops());
  const DurableStorage storage(root_.path(), faults);
  for (std::int64_t call = 0;; ++call) {
    write_log(std::string(header) + turn_start + todo_write + turn_end);
    faults.set({call, 1, EIO});
    const std::string text = error_of([&] {
      try {
        (void)storage.open("s");
      } catch (const Error &error) {
        EXPECT_EQ(dynamic_cast<const DamagedLog *>(&error), nullptr) << call << ": " << error.text();
        EXPECT_THAT(advice_of(error), HasSubstr("the disk")) << call << ": " << error.text();
        throw;
      }
    });
    EXPECT_EQ(text.find(log_), text.rfind(log_)) << text;
    if (faults.calls() <= call) break;
  }
  EXPECT_GT(faults.calls(), 8);
}

}  // namespace
}  // namespace dsh::loader
