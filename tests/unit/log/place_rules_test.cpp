#include "log/place_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;

TEST(PlaceRules, names_of_formats_to_come_are_refused) {
  for (const std::string version : {"5", "2147483648", "9007199254740993", "99999999999999999999"}) {
    const LogFile file = *parse_log_name("session.v" + version + ".jsonl");
    EXPECT_THROW(require_known_format(file), Error) << version;
  }
  for (const char *name : {"session.jsonl", "session.v4.jsonl.zstd"})
    EXPECT_NO_THROW(require_known_format(*parse_log_name(name)));
  EXPECT_NO_THROW(require_known_format({"/any", -1, false}));
}

TEST(PlaceRules, a_format_problem_is_a_name_that_disagrees_with_the_header) {
  SessionHeader stored;
  stored.version = 2;
  EXPECT_FALSE(format_problem({"/r/p/s/session.v2.jsonl", 2, false}, stored).has_value());
  EXPECT_FALSE(format_problem({"/r/renamed", -1, false}, stored).has_value());
  EXPECT_EQ(format_problem({"/r/p/s/session.jsonl", 0, false}, stored),
            "the file's name says session log format 0, its header says 2");
}

TEST(PlaceRules, a_directory_problem_is_a_place_that_the_header_does_not_give) {
  SessionHeader stored;
  stored.id = "a/b";
  EXPECT_FALSE(directory_problem({"/r/_no-cwd/a~002Fb/session.jsonl"}, stored).has_value());
  EXPECT_FALSE(directory_problem({"_no-cwd/a~002Fb/session.jsonl"}, stored) == std::nullopt)
      << "told only below a root";
  EXPECT_THAT(*directory_problem({"/r/_no-cwd/a/session.jsonl"}, stored),
              HasSubstr("names session \"a/b\" of no cwd, which belongs in _no-cwd/a~002Fb"));
  stored.cwd = "/home";
  EXPECT_THAT(*directory_problem({"/r/_no-cwd/a~002Fb/session.jsonl"}, stored),
              HasSubstr("of \"/home\", which belongs in --home--/a~002Fb"));
  stored.id = "";
  EXPECT_THAT(*directory_problem({"/r/_no-cwd/a/session.jsonl"}, stored), HasSubstr("header is impossible"));
}

}  // namespace
}  // namespace dsh::loader
