#include "log/finding_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

Finding finding(std::uint64_t line, std::string text, Severity severity = Severity::warning) {
  return {line, std::nullopt, severity, std::move(text)};
}

TEST(FindingList, numbers_and_quoted_names_make_no_other_kind) {
  FindingList list({100, 1});
  EXPECT_TRUE(list.add(finding(1, R"("a/b" of 7)")));
  EXPECT_FALSE(list.add(finding(2, R"("a\"c" of 12)")));
  EXPECT_FALSE(list.add(finding(3, R"("" of )")));
  EXPECT_TRUE(list.add(finding(4, R"("a/b" in 7)")));
  EXPECT_TRUE(list.add(finding(5, R"("a/b" of 7)", Severity::error)));
  const auto more = list.more_alike();
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].finding, 0U);
  EXPECT_EQ(more[0].count, 2U);
  EXPECT_EQ(more[0].last_line, 3U);
}

TEST(FindingList, a_full_list_counts_known_kinds_apart_from_others) {
  FindingList list({2, 5});
  EXPECT_EQ(list.add(finding(1, "a")), 0U);
  EXPECT_EQ(list.add(finding(2, "b")), 1U);
  EXPECT_TRUE(list.is_full());
  EXPECT_EQ(list.add(finding(3, "b")), std::nullopt);
  EXPECT_EQ(list.add(finding(4, "c")), std::nullopt);
  EXPECT_EQ(list.add(finding(5, "c")), std::nullopt);
  ASSERT_EQ(list.more_alike().size(), 1U);
  EXPECT_EQ(list.more_alike()[0].finding, 1U);
  EXPECT_EQ(list.others(), 2U);
  list.append_text(0, "; more");
  EXPECT_EQ(list.take_findings()[0].text, "a; more");
}

TEST(FindingList, what_is_not_kept_is_not_worded) {
  FindingList list({100, 2});
  int worded = 0;
  const auto text = [&worded] { return "text " + std::to_string(++worded); };
  EXPECT_EQ(list.add(finding(1, ""), "kind", text), 0U);
  EXPECT_EQ(list.add(finding(2, ""), "other", text), 1U);
  EXPECT_EQ(list.add(finding(3, ""), "kind", text), 2U);
  EXPECT_EQ(list.add(finding(4, ""), "kind", text), std::nullopt);
  EXPECT_EQ(worded, 3);
  ASSERT_EQ(list.more_alike().size(), 1U);
  EXPECT_EQ(list.more_alike()[0].last_line, 4U);
  EXPECT_EQ(list.take_findings()[2].text, "text 3");
}

}  // namespace
}  // namespace dsh::loader
