#include "log/log_tail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "durability/fault_ops.hpp"
#include "log/log_reader.hpp"
#include "support/log_generator.hpp"
#include "support/temporary_directory.hpp"
#include "support/zstd_log.hpp"
#include "text/advised_error.hpp"

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;

struct Answer {
  std::string error;
  std::string event;  ///< type, seq and data of the event that decides; empty: none
  std::int64_t events = 0;
  std::int64_t last_time = 0;
  bool operator==(const Answer &) const = default;
};

std::ostream &operator<<(std::ostream &out, const Answer &answer) {
  return out << "error \"" << answer.error << "\", event " << answer.event << ", " << answer.events
             << " events, last " << answer.last_time;
}

const std::vector<std::string> types = {"todo/write", "turn/start"};

/// Refuses lists that say so, as a fold fails on a malformed one.
std::string taken(const Event &event) {
  if (event.data.find("refused") != std::string_view::npos) return "";
  return std::string(event.type) + " " + std::to_string(event.seq) + " " + std::string(event.data);
}

Answer from_start(const LogFile &file) {
  Answer answer;
  try {
    LogSource source(file);
    LogReader reader(source.bytes());
    while (reader.next())
      reader.stored().each(0, [&](const Event &event) {
        if (event.type != types[0] && event.type != types[1]) return true;
        if (const std::string text = taken(event); !text.empty()) answer.event = text;
        return true;
      });
    answer.events = reader.events();
    answer.last_time = reader.last_time();
  } catch (const Error &error) {
    return {error.what(), {}, 0, 0};
  }
  return answer;
}

Answer from_end(const LogFile &file) {
  Answer answer;
  try {
    const TailResult tail = read_tail(file, types, [&](const Event &event) {
      const std::string text = taken(event);
      if (!text.empty()) answer.event = text;
      return !text.empty();
    });
    EXPECT_EQ(tail.found, !answer.event.empty());
    answer.events = tail.events;
    answer.last_time = tail.last_time;
  } catch (const Error &error) {
    return {error.what(), {}, 0, 0};
  }
  return answer;
}

class LogTailTest : public ::testing::Test {
 protected:
  LogFile log(std::string_view bytes) const {
    return {root_.write("_no-cwd/s/session.jsonl", bytes), 0, false};
  }
  Answer tail(std::string_view bytes) const { return from_end(log(bytes)); }

  TemporaryDirectory root_;
};

constexpr const char *header = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                               "\n";

std::string line(std::int64_t seq, std::string_view type, std::string_view data) {
  std::string text;
  append_event_line(text, {seq, 100 + seq, type, data, {}, {}});
  return text;
}

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

class LogGrowthTest : public LogTailTest {
 protected:
  static bool take(std::string &found, const Event &event) {
    const std::string text = taken(event);
    if (!text.empty()) found = text;
    return !text.empty();
  }

  /// Reads what came since; the event that decides, as far as it is known, is kept in `event_`.
  std::optional<TailResult> since(const TailResult &former) {
    return read_since(file_, former, types, [this](const Event &event) { return take(event_, event); });
  }

  void start_with(std::string_view bytes) {
    file_ = log(bytes);
    result_ = read_tail(file_, types, [this](const Event &event) { return take(event_, event); });
  }

  void append(std::string_view bytes) const { std::ofstream(file_.path, std::ios::app) << bytes; }

  LogFile file_;
  TailResult result_;
  std::string event_;
};

TEST_F(LogGrowthTest, of_a_log_that_grew_only_what_came_since_is_read) {
  std::string text = std::string(header) + line(0, "todo/write", "1");
  std::int64_t seq = 1;
  for (const std::string chunk = "\"" + std::string(1000, 'x') + "\""; text.size() < 3'000'000; ++seq)
    text += line(seq, seq % 100 == 0 ? "turn/end" : "assistant/chunk", chunk);
  start_with(text);
  EXPECT_EQ(event_, "todo/write 0 1");
  for (int i = 0; i < 20; ++i) {
    append(line(seq++, i == 10 ? "todo/write" : "assistant/chunk", "2"));
    const auto next = since(result_);
    ASSERT_TRUE(next);
    EXPECT_LT(next->bytes_read, 3000U);
    EXPECT_EQ(next->found, i == 10);
    EXPECT_EQ(next->events, seq);
    EXPECT_EQ(next->last_time, 99 + seq);
    result_ = *next;
  }
  EXPECT_EQ(event_, from_start(file_).event);
}

TEST_F(LogGrowthTest, a_torn_line_is_read_once_it_is_whole) {
  start_with(header);
  const std::string written = line(0, "todo/write", "1");
  for (const char byte : written) {
    append({&byte, 1});
    const auto next = since(result_);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->found, byte == '\n');
    result_ = *next;
  }
  EXPECT_EQ(event_, "todo/write 0 1");
}

TEST_F(LogGrowthTest, a_bad_line_hides_what_follows_until_it_is_repaired) {
  const std::string sound = std::string(header) + line(0, "turn/start", "1");
  start_with(sound);
  append("damage\n" + line(1, "todo/write", "2"));
  result_ = since(result_).value();
  EXPECT_EQ(event_, "turn/start 0 1");
  std::filesystem::resize_file(file_.path, sound.size());
  append(line(1, "todo/write", "3"));
  result_ = since(result_).value();
  EXPECT_EQ(event_, "todo/write 1 3");
}

TEST_F(LogGrowthTest, a_log_that_is_no_longer_the_same_has_to_be_read_again) {
  const std::string text = std::string(header) + line(0, "todo/write", "1") + line(1, "turn/end", "1");
  const auto after = [&](const auto &change) {
    std::filesystem::remove(root_.path() + "/_no-cwd/s/session.jsonl");
    start_with(text);
    change();
    return since(result_).has_value();
  };
  EXPECT_TRUE(after([] {}));
  EXPECT_FALSE(after([&] { std::filesystem::resize_file(file_.path, text.size() - 1); })) << "cut";
  EXPECT_FALSE(after([&] { log(header + line(0, "todo/write", "9") + line(1, "turn/end", "9") + "more"); }))
      << "rewritten";
  EXPECT_FALSE(after([&] {
    const std::string copy = file_.path + ".copy";
    std::filesystem::copy_file(file_.path, copy);
    std::filesystem::rename(copy, file_.path);
  })) << "replaced";
  EXPECT_FALSE(after([&] { append("damage\n" + line(2, "turn/end", "1")); })) << "corrupt";
}

TEST_F(LogGrowthTest, of_a_log_that_is_rewritten_in_its_place_the_lines_that_count_tell) {
  const std::string far(1000, 'x');
  const std::string decided = std::string(header) + line(0, "todo/write", "1");
  const std::string between = line(1, "session/title", "2");
  const std::string last = line(2, "turn/end", '"' + far + "1\"");
  const std::string more = line(3, "session/title", "3");
  const auto noticed = [&](const std::string &bytes) {
    start_with(decided + between + last);
    struct ::stat before {};
    struct ::stat after {};
    EXPECT_EQ(::stat(file_.path.c_str(), &before), 0);
    do {  // until the clock of files has gone on
      std::ofstream(file_.path, std::ios::binary | std::ios::trunc) << bytes;
      EXPECT_EQ(::stat(file_.path.c_str(), &after), 0);
    } while (before.st_ctim.tv_nsec == after.st_ctim.tv_nsec);
    EXPECT_EQ(before.st_ino, after.st_ino);
    return !since(result_);
  };
  const std::string other = std::string(header) + line(0, "todo/write", "9");
  const std::string other_last = line(2, "turn/end", '"' + far + "9\"");
  EXPECT_TRUE(noticed(other + between + last));
  EXPECT_TRUE(noticed(other + between + last + more));
  EXPECT_TRUE(noticed(decided + between + other_last));
  EXPECT_TRUE(noticed(decided + between + other_last + more));
  EXPECT_TRUE(noticed(decided + line(1, "todo/write", "99999") + last)) << "of the same size";
  EXPECT_FALSE(noticed(decided + between + last + more)) << "the same, and more";
  EXPECT_TRUE(noticed(decided + between + last.substr(0, last.size() - 1) + more)) << "on one line";
  EXPECT_TRUE(noticed(decided.substr(0, decided.size() - 1) + "\r" + between + last)) << "decided on it";
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
