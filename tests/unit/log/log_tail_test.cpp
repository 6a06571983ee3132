#include "log/log_tail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "durability/fault_ops.hpp"
#include "log/log_reader.hpp"
#include "support/log_generator.hpp"
#include "support/zstd_log.hpp"
#include "text/advised_error.hpp"
#include "unit/log/tail_answer.hpp"

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;

TEST_F(LogTailTest, finds_the_last_decisive_event) {
  const std::string log = std::string(header) + line(0, "turn/start", "1") + line(1, "todo/write", "2") +
                          line(2, "turn/end", "3");
  EXPECT_EQ(tail(log), (Answer{"", "todo/write 1 2", 3, 102}));
  EXPECT_EQ(tail(log + line(3, "turn/start", "4")), (Answer{"", "turn/start 3 4", 4, 103}));
  EXPECT_EQ(tail(header), (Answer{"", "", 0, 0}));
}

TEST_F(LogTailTest, tells_the_line_of_damage_as_a_reader_of_the_whole_log_does) {
  const std::string start = std::string(header) + line(0, "turn/start", "1");
  const std::string end = line(2, "turn/end", "3");
  for (const std::string &damaged :
       {start + "x\n" + end, start + "\n" + line(1, "session/title", "2") + end, start + end,
        std::string(header) + line(1, "session/title", "1") + end}) {
    std::string by_reader;
    try {
      LogSource source(log(damaged));
      LogReader reader(source.bytes());
      while (reader.next()) {
      }
    } catch (const Error &error) {
      by_reader = error.text();
    }
    const std::string by_tail = tail(damaged).error;
    EXPECT_THAT(by_reader, HasSubstr(" at line "));
    EXPECT_EQ(by_tail.substr(0, by_reader.size()), by_reader);
  }
}

TEST_F(LogTailTest, passes_over_events_that_are_not_taken) {
  EXPECT_EQ(
      tail(std::string(header) + line(0, "turn/start", "1") + line(1, "todo/write", "\"refused\"")).event,
      "turn/start 0 1");
  EXPECT_EQ(tail(std::string(header) + line(0, "turn/start", "1") + line(1, "todo/write", "\"refused\"") +
                 line(2, "turn/end", "1"))
                .event,
            "turn/start 0 1");
}

TEST_F(LogTailTest, is_not_taken_in_by_decoys) {
  const std::string decoy =
      R"({"text":"{\"type\":\"todo/write\",\"seq\":1,\"time\":1,\"data\":{}}\n{\"type\":\"turn/start\"}"})";
  EXPECT_EQ(tail(std::string(header) + line(0, "todo/write", "1") + line(1, "assistant/chunk", decoy)).event,
            "todo/write 0 1");
  EXPECT_EQ(tail(std::string(header) +
                 R"({"type":"todo/write","type":"goal/change","seq":0,"time":1,"data":{"type":"todo/write"}})"
                 "\n")
                .event,
            "");
}

TEST_F(LogTailTest, takes_keys_in_any_order_and_spelling) {
  EXPECT_EQ(tail(std::string(header) +
                 R"( { "data" : [ 1 ] , "t\u0069me" : 7e0, "seq":0.0 ,"type":"todo\/write" } )"
                 "\r\n"),
            (Answer{"", "todo/write 0 [ 1 ]", 1, 7}));
}

TEST_F(LogTailTest, drops_what_a_crash_left_behind) {
  const std::string log = std::string(header) + line(0, "turn/start", "1") + line(1, "todo/write", "2");
  const Answer standing{"", "todo/write 1 2", 2, 101};
  EXPECT_EQ(tail(log + R"({"type":"turn/start","seq":2,"time":1,"data":{}})"), standing);
  EXPECT_EQ(tail(log + "torn\n" + line(2, "turn/start", "3")), standing);
  EXPECT_EQ(tail(log + "\n" + line(2, "turn/start", "3")), standing);
  EXPECT_EQ(tail(log + line(3, "turn/start", "3") + line(4, "todo/write", "4")), standing);
  EXPECT_EQ(tail(log + std::string(5000, '\0') + "\n"), standing);
  EXPECT_EQ(tail(std::string(header) + line(1, "todo/write", "2")), (Answer{"", "", 0, 0}));
}

TEST_F(LogTailTest, reports_damage_that_it_meets) {
  EXPECT_THAT(tail(std::string(header) + line(0, "todo/write", "1") + "x\n" + line(1, "turn/end", "1")).error,
              HasSubstr("corrupt session log: unparsable event"));
  EXPECT_THAT(tail(std::string(header) + line(0, "todo/write", "1") + line(2, "turn/end", "1")).error,
              HasSubstr("seq gap"));
  EXPECT_THAT(tail(std::string(header) + line(5, "turn/end", "1")).error, HasSubstr("seq gap"));
  EXPECT_THAT(tail("").error, HasSubstr("empty or header-less session log"));
  EXPECT_THAT(tail(R"({"type":"session","version":1,"id":"s","createdAt":5})"
                   "\n")
                  .error,
              HasSubstr("format 0"));
  EXPECT_THAT(tail(R"({"type":"session","version":0,"id":"t","createdAt":5})"
                   "\n")
                  .error,
              HasSubstr("_no-cwd/t"));
}

TEST_F(LogTailTest, what_the_disk_refuses_comes_with_advice) {
  const LogFile file = log(header + line(0, "todo/write", "1"));
  FaultOps faults(system_file_ops());
  for (std::int64_t call = 0;; ++call) {
    faults.set({call, 1, EIO});
    try {
      read_tail(
          file, types, [](const Event &) { return true; }, faults);
      break;
    } catch (const Error &error) {
      EXPECT_THAT(error.text(), HasSubstr(file.path)) << call;
      EXPECT_THAT(advice_of(error), HasSubstr("the disk")) << call;
    }
  }
  EXPECT_GT(faults.calls(), 2);
}

TEST_F(LogTailTest, reads_the_end_of_a_closed_log_alone) {
  const LogFile file = log(generate_log({.bytes = 5'000'000, .id = "s"}));
  std::string found;
  const TailResult result = read_tail(file, types, [&](const Event &event) {
    found = event.data;
    return true;
  });
  EXPECT_LT(result.bytes_read, 100'000U);
  const Answer whole = from_start(file);
  EXPECT_THAT(whole.event, HasSubstr(found));
  EXPECT_EQ(result.events, whole.events);
}

TEST_F(LogTailTest, lines_longer_than_any_step_are_found_whole) {
  for (const std::size_t size : {8190U, 8191U, 8192U, 70'000U, 3'000'000U}) {
    const std::string data = "\"" + std::string(size, 'x') + "\"";
    EXPECT_EQ(tail(std::string(header) + line(0, "todo/write", data) + line(1, "goal/change", data)).event,
              "todo/write 0 " + data);
  }
}

TEST_F(LogTailTest, compressed_logs_give_the_same_answer) {
  const std::string text = generate_log({.bytes = 300'000, .id = "s", .packed = true});
  const Answer whole = from_start(log(text));
  const LogFile packed{root_.write("_no-cwd/s/session.jsonl.zstd", zstd_log(text, 7)), 0, true};
  EXPECT_EQ(from_end(packed), whole);
}

/// A log of random events in random spellings, with random damage at the end.
class RandomLog {
 public:
  explicit RandomLog(std::uint32_t seed) : random_(seed) {}

  std::string make() {
    text_ = header;
    const bool turns = below(4) != 0;
    for (std::size_t count = below(40); count > 0; --count) add_event(turns);
    for (std::size_t count = below(4); count > 0 && below(2) == 0; --count) add_damage();
    if (below(3) == 0 && text_.size() > 100) text_.resize(text_.size() - below(60));
    return text_;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_()) % bound; }

  std::string spelled(std::string_view type) {
    std::string json = "\"";
    for (const char c : type)
      if (c == '/' && below(4) == 0)
        json += "\\/";
      else if (c == 't' && below(9) == 0)
        json += "\\u0074";
      else
        json.push_back(c);
    return json + "\"";
  }

  void add_event(bool turns) {
    static const std::vector<std::string> kinds = {"todo/write",  "turn/start", "assistant/chunk",
                                                   "goal/change", "tool/call",  "turn/end"};
    const std::string type = kinds[below(turns ? 6 : 5)];
    if (type == "assistant/chunk" && below(2) == 0) {
      text_ +=
          R"({"type":"text-chunks","seq0":)" + std::to_string(seq_) +
          R"(,"time0":5,"data":{"turn":1,"step":1,"index":0,"dt":[1,-2],"texts":["a","{\"type\":\"todo/write\"","c"]}})"
          "\n";
      seq_ += 3;
      return;
    }
    static const std::vector<std::string> datas = {"{}",
                                                   R"({"todos":[]})",
                                                   R"({"a":"\",\"type\":\"turn/end\",\"seq\":0"})",
                                                   R"("refused")",
                                                   R"(["todo/write","turn/start\n"])",
                                                   R"({"type":"turn/start","seq":9})"};
    std::vector<std::string> members = {
        R"("type":)" + spelled(type), R"("seq":)" + std::to_string(seq_),
        (below(9) == 0 ? R"("\u0074ime":)" : R"("time":)") + std::to_string(1000 - seq_),
        R"("data":)" + datas[below(datas.size())]};
    if (below(6) == 0) members.insert(members.begin(), R"("type":"turn/start")");  // the later one counts
    if (below(3) == 0) std::rotate(members.begin(), members.begin() + 1, members.end());
    if (members[0].find("type") == std::string::npos && below(2) == 0) std::swap(members[0], members[1]);
    const std::string space = below(5) == 0 ? " " : "";
    text_ += space + "{" + space;
    for (std::size_t i = 0; i < members.size(); ++i) text_ += (i == 0 ? "" : "," + space) + members[i];
    text_ += space + "}" + (below(7) == 0 ? "\r\n" : "\n");
    ++seq_;
  }

  void add_damage() {
    static const std::vector<std::string> damages = {
        "\n", "garbage\n", "{\"type\":\"todo/wri\n", "null\n", "[]\n", "{}{}\n", "\r\n"};
    switch (below(4)) {
      case 0:
        text_ += damages[below(damages.size())];
        break;
      case 1:
        text_ += std::string(1 + below(20), '\0') + (below(2) == 0 ? "\n" : "");
        break;
      case 2:
        seq_ += static_cast<std::int64_t>(below(5)) - 2;
        if (seq_ < 0) seq_ = 0;
        break;
      default:
        break;
    }
    for (std::size_t count = below(4); count > 0; --count) add_event(below(3) == 0);
  }

  std::mt19937 random_;
  std::string text_;
  std::int64_t seq_ = 0;
};

TEST_F(LogTailTest, agrees_with_reading_from_the_start) {
  const std::uint32_t first = 1000;
  std::size_t sound = 0;
  for (std::uint32_t seed = first; seed < first + 6000; ++seed) {
    const std::string text = RandomLog(seed).make();
    const LogFile file = log(text);
    const Answer whole = from_start(file);
    if (!whole.error.empty()) continue;  // the end of a corrupt log may look sound
    ++sound;
    ASSERT_EQ(from_end(file), whole) << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(sound, 3000U);
}

TEST_F(LogTailTest, agrees_on_a_log_cut_at_every_byte) {
  const std::string text = std::string(header) + line(0, "turn/start", "1") +
                           line(1, "todo/write", R"({"todos":[]})") + line(2, "turn/end", "2") +
                           line(3, "turn/start", "\"\xE4\xBB\xBB\"") + line(4, "todo/write", "4");
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const LogFile file = log(text.substr(0, size));
    EXPECT_EQ(from_end(file).event, from_start(file).event) << size;
  }
}

}  // namespace
}  // namespace dsh::loader
