// Reading on in a log that was read before.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "unit/log/tail_answer.hpp"

namespace dsh::loader {
namespace {

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

}  // namespace
}  // namespace dsh::loader
