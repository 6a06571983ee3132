#include "view/unfinished_items.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "support/switches.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Items = std::vector<std::pair<std::string, std::string>>;

/// Each content is JSON between its quotes.
std::string list_of(const Items &items) {
  std::string data = R"({"todos":[)";
  for (const auto &[content, status] : items) {
    if (data.back() == '}') data += ',';
    data += R"({"content":")" + content + R"(","status":")" + status + R"("})";
  }
  return data + "]}";
}

TEST(UnfinishedItems, names_what_is_gone_in_the_order_of_the_list) {
  UnfinishedItems items;
  EXPECT_EQ(
      items.replace(list_of({{"z", "pending"}, {"done", "completed"}, {"a", "in_progress"}, {"m", "odd"}}))
          .dropped,
      0U);
  const ListRemarks remarks = items.replace(list_of({{"new", "pending"}, {"m", "completed"}}));
  EXPECT_EQ(remarks.dropped, 2U);
  EXPECT_THAT(remarks.named, ElementsAre("z", "a"));
  EXPECT_THAT(items.replace(list_of({})).named, ElementsAre("new"));
  EXPECT_THAT(items.replace(list_of({})).named, IsEmpty());
}

TEST(UnfinishedItems, knows_a_content_however_it_is_spelt) {
  UnfinishedItems items;
  items.replace(list_of({{R"(a\u0042\n)", "pending"}, {R"(\ud83d\ude00)", "pending"}, {"c", "pending"}}));
  const ListRemarks remarks = items.replace(list_of({{"😀", "pending"}, {R"(\u0061B\u000a)", "pending"}}));
  EXPECT_THAT(remarks.named, ElementsAre("c"));
}

TEST(UnfinishedItems, a_line_break_in_a_content_ends_none) {
  UnfinishedItems items;
  items.replace(list_of({{R"(a\nb)", "pending"}}));
  EXPECT_THAT(items.replace(list_of({{"a", "pending"}, {"b", "pending"}})).named, ElementsAre("a\nb"));
}

TEST(UnfinishedItems, what_is_no_list_changes_nothing) {
  UnfinishedItems items;
  items.replace(list_of({{"a", "pending"}}));
  for (const char *none : {"null", "{}", R"({"todos":[{"content":"b","status":"pending"},7]})"})
    EXPECT_THROW(items.replace(none), Error) << none;
  EXPECT_THAT(items.replace(list_of({})).named, ElementsAre("a"));
}

TEST(UnfinishedItems, of_a_list_that_stands_twice_the_last_counts) {
  UnfinishedItems items;
  items.replace(
      R"({"todos":[{"content":"a","status":"pending","id":1}],"todos":[{"content":"b","status":"pending"}]})");
  const ListRemarks remarks = items.replace(
      R"({"todos":[{"content":"b","status":"pending","id":1}],"todos":[{"content":"c","status":"pending"}]})");
  EXPECT_THAT(remarks.named, ElementsAre("b"));
  EXPECT_FALSE(remarks.extra_keys);
}

TEST(UnfinishedItems, names_the_first_and_the_start_of_long_ones) {
  UnfinishedItems items;
  Items many;
  for (int i = 0; i < 200'000; ++i) many.emplace_back(std::to_string(i), "pending");
  many[1].first = std::string(1000, 'x');
  items.replace(list_of(many));
  many.erase(many.begin() + 150'000, many.end());
  many.erase(many.begin() + 70'000);
  many.erase(many.begin() + 1);
  const ListRemarks remarks = items.replace(list_of(many));
  EXPECT_EQ(remarks.dropped, 50'002U);
  ASSERT_EQ(remarks.named.size(), 20U);
  EXPECT_EQ(remarks.named[0], std::string(120, 'x') + "…");
  EXPECT_EQ(remarks.named[1], "70000");
  EXPECT_EQ(remarks.named[2], "150000");
}

TEST(UnfinishedItems, agrees_with_sets_on_random_lists) {
  std::mt19937 random(test_seed());
  const std::vector<std::string> statuses = {"pending", "in_progress", "completed"};
  UnfinishedItems items;
  std::vector<std::string> unfinished;
  for (int round = 0; round < 500; ++round) {
    Items list;
    std::set<std::string> contents;
    std::vector<std::string> next;
    for (std::size_t left = random() % 60; left > 0; --left) {
      const std::string content = std::to_string(random() % 80);
      list.emplace_back(content, statuses[random() % 3]);
      contents.insert(content);
      if (list.back().second != "completed") next.push_back(content);
    }
    std::vector<std::string> dropped;
    std::copy_if(unfinished.begin(), unfinished.end(), std::back_inserter(dropped),
                 [&contents](const std::string &content) { return !contents.contains(content); });
    const ListRemarks remarks = items.replace(list_of(list));
    ASSERT_EQ(remarks.dropped, dropped.size()) << "round " << round;
    if (dropped.size() > 20) dropped.resize(20);
    ASSERT_EQ(remarks.named, dropped) << "round " << round;
    unfinished = std::move(next);
  }
}

TEST(UnfinishedItems, a_content_that_stands_everywhere_is_looked_at_once_each_time) {
  // A walk over all of them for each would take hours.
  const std::string list = list_of(Items(200'000, {"same", "pending"}));
  UnfinishedItems items;
  items.replace(list);
  EXPECT_EQ(items.replace(list).dropped, 0U);
  EXPECT_EQ(items.replace(list_of({})).dropped, 200'000U);
}

TEST(UnfinishedItems, lists_may_begin_as_often_as_they_like) {
  std::string data = "{";
  for (int i = 0; i < 200'000; ++i) data += R"("todos":[],)";
  data += R"("todos":[{"content":"7","status":"pending"}]})";
  Items many;
  for (int i = 0; i < 100'000; ++i) many.emplace_back(std::to_string(i), "pending");
  UnfinishedItems items;
  items.replace(list_of(many));
  EXPECT_EQ(items.replace(data).dropped, 99'999U);
}

TEST(UnfinishedItems, tells_an_item_with_keys_of_its_own) {
  UnfinishedItems items;
  EXPECT_FALSE(items.replace(list_of({{"a", "pending"}})).extra_keys);
  EXPECT_TRUE(items.replace(R"({"todos":[{"content":"a","status":"pending","id":[{"x":1}]}]})").extra_keys);
  EXPECT_FALSE(items.replace(R"({"id":1,"todos":[{"st\u0061tus":"pending","content":"a"}]})").extra_keys);
}

}  // namespace
}  // namespace dsh::loader
