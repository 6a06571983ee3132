#include "view/plan_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "support/switches.hpp"
#include "text/utf.hpp"
#include "view/cell_width.hpp"

namespace dsh::loader {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

ShownItem completed(std::string content) { return {std::move(content), Status::completed, "completed"}; }
ShownItem active(std::string content) { return {std::move(content), Status::in_progress, "in_progress"}; }
ShownItem pending(std::string content) { return {std::move(content), Status::pending, "pending"}; }

Plan plan(ShownItems items) { return {std::move(items), {}}; }

Style style(std::size_t width, bool unicode = true) {
  Style result;
  result.width = width;
  result.unicode = unicode;
  return result;
}

/// The line without its SGR sequences, which are the only escapes that may stand in it.
std::string bare(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    if (line.starts_with("\x1b[")) {
      line.remove_prefix(line.find('m') + 1);
    } else {
      out += line.front();
      line.remove_prefix(1);
    }
  }
  return out;
}

TEST(PlanView, a_plan_has_a_heading_a_bar_and_a_line_an_item) {
  const Plan four = plan({completed("Read"), active("Watch"), active("Build"), pending("Write")});
  EXPECT_THAT(plan_lines(four, style(80)),
              ElementsAre("To-dos  1 completed\u2002·\u20022 in progress\u2002·\u20021 pending",
                          "▰▰▰▰▰▰▰▸▸▸▸▸▸▸▸▸▸▸▸▸▸▸▱▱▱▱▱▱▱▱ 1/4", "", "  ✓ Read", "  ▸ Watch", "  ▸ Build",
                          "  ◦ Write"));
  EXPECT_THAT(
      plan_lines(four, style(80, false)),
      ElementsAre("To-dos  1 completed - 2 in progress - 1 pending", "[#######>>>>>>>>>>>>>>>--------] 1/4",
                  "", "  [x] Read", "  [>] Watch", "  [>] Build", "  [ ] Write"));
}

TEST(PlanView, at_forty_cells_the_counts_take_a_line_of_their_own) {
  const Plan four = plan({completed("Read"), active("Watch"), active("Build"), pending("Write")});
  const auto lines = plan_lines(four, style(40));
  EXPECT_EQ(lines[0], "To-dos");
  EXPECT_EQ(lines[1], "1 completed\u2002·\u20022 in progress\u2002·\u20021 pending");
}

TEST(PlanView, counts_are_never_cut_where_they_can_be_broken) {
  const auto lines =
      plan_lines(plan({completed("Read"), active("Watch"), active("Build"), pending("Write")}), style(30));
  EXPECT_EQ(lines[1], "1 completed\u2002·\u20022 in progress");
  EXPECT_EQ(lines[2], "1 pending");
}

TEST(PlanView, the_bar_is_full_only_when_all_is_done) {
  ShownItems items(999, completed("x"));
  items.push_back(pending("y"));
  EXPECT_THAT(plan_lines(plan(items), style(80))[1], HasSubstr("▰▱ 999/1000"));
  items.back() = completed("y");
  EXPECT_THAT(plan_lines(plan(items), style(80))[1], HasSubstr("▰▰ 1000/1000"));
}

TEST(PlanView, the_bar_shows_each_state_by_a_mark_of_its_own) {
  Style colour = style(80);
  colour.colour = true;
  const Plan busy = plan({active("a"), active("b")});
  EXPECT_THAT(plan_lines(busy, colour)[1],
              AllOf(HasSubstr("\x1b[33m▸"), Not(HasSubstr("▰")), EndsWith(" 0/2")));
  for (const bool unicode : {true, false}) {
    colour.unicode = unicode;
    const Plan all = plan({completed("a"), active("b"), pending("c")});
    EXPECT_EQ(bare(plan_lines(all, colour)[1]), plan_lines(all, style(80, unicode))[1])
        << "colour adds nothing that is not told without it";
  }
}

TEST(PlanView, what_is_active_is_seen_in_the_bar_however_little_it_is) {
  ShownItems items(999, pending("x"));
  items.push_back(active("y"));
  EXPECT_THAT(plan_lines(plan(items), style(80))[1], StartsWith("▸▱▱"));
  for (ShownItem &item : items) item = completed("x");
  items.back() = active("y");
  EXPECT_THAT(plan_lines(plan(items), style(80))[1], HasSubstr("▰▸ 999/1000"));
  EXPECT_THAT(plan_lines(plan(items), style(9)), Contains(" 999/1000")) << "no room for a bar";
}

TEST(PlanView, no_plan_and_an_empty_one_say_so) {
  EXPECT_THAT(plan_lines({}, style(80)), ElementsAre("To-dos  no plan"));
  EXPECT_THAT(plan_lines(plan({}), style(80)), ElementsAre("To-dos  empty"));
}

TEST(PlanView, a_problem_is_told_beside_what_can_be_shown) {
  Plan odd = plan({{"a", Status::other, "cancelled"}});
  odd.problem = "item 1 has the unknown status \"cancelled\"";
  EXPECT_THAT(plan_lines(odd, style(80)),
              ElementsAre("To-dos  1 other", "▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱ 0/1", "", "  ? a (cancelled)",
                          "", "! item 1 has the unknown status \"cancelled\""));
  EXPECT_THAT(plan_lines({std::nullopt, "unreadable\n"}, style(80)), ElementsAre("! unreadable↵"));
}

TEST(PlanView, an_unknown_status_is_seen_beside_any_content) {
  const Plan odd = plan({{std::string(400, 'x'), Status::other, "cancelled"}});
  EXPECT_THAT(plan_lines(odd, style(40)).back(), EndsWith("… (cancelled)"));
}

TEST(PlanView, a_long_unbroken_content_takes_one_row) {
  const Plan path = plan({active("/" + std::string(399, 'p'))});
  const auto lines = plan_lines(path, style(40));
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(cell_width(lines[3]), 40U);
  EXPECT_THAT(lines[3], EndsWith("p…"));
}

TEST(PlanView, wrapped_contents_lose_nothing) {
  Style narrow = style(20);
  narrow.wrap = true;
  EXPECT_THAT(plan_lines(plan({active("read the whole source code")}), narrow),
              ElementsAre("To-dos", "1 in progress", "▸▸▸▸▸▸▸▸▸▸▸▸▸▸▸▸ 0/1", "", "  ▸ read the whole",
                          "    source code"));
}

TEST(PlanView, wide_glyphs_are_cut_on_cells) {
  EXPECT_THAT(plan_lines(plan({active("索引🧠🧠🧠")}), style(12)), Contains("  ▸ 索引🧠…"));
}

TEST(PlanView, a_pipe_gets_whole_lines) {
  const std::string long_content(5000, 'x');
  EXPECT_EQ(plan_lines(plan({pending(long_content)}), style(0)).back(), "  ◦ " + long_content);
}

TEST(PlanView, a_break_in_a_content_is_a_mark_on_one_line) {
  EXPECT_THAT(plan_lines(plan({active("first\nsecond")}), style(40)), Contains("  ▸ first↵second"));
  EXPECT_THAT(plan_lines(plan({active("first\r\nsecond\x1b[2J")}), style(40)),
              Contains("  ▸ first↵second\\x1b[2J"));
  EXPECT_THAT(plan_lines(plan({active("first\n索🧠")}), style(40, false)),
              Contains("  [>] first\\n\\u7d22\\u{1f9e0}"));
}

TEST(PlanView, a_screen_too_low_shows_the_items_about_the_active_one) {
  ShownItems items;
  for (int i = 0; i < 50; ++i) items.push_back(completed("done " + std::to_string(i)));
  items.push_back(active("this one"));
  for (int i = 0; i < 50; ++i) items.push_back(pending("later " + std::to_string(i)));
  Style low = style(80);
  low.height = 12;
  const auto lines = plan_lines(plan(items), low);
  EXPECT_THAT(lines, SizeIs(12));
  EXPECT_THAT(lines, Contains("  ▸ this one"));
  EXPECT_EQ(lines[3], "  ⋮ 48 more above");
  EXPECT_EQ(lines[11], "  ⋮ 46 more below");
}

TEST(PlanView, on_a_very_low_screen_the_active_item_is_what_remains) {
  for (const std::size_t width : {16U, 80U}) {
    Style low = style(width);
    low.height = 4;
    const auto lines =
        plan_lines(plan({completed("a"), completed("b"), active("this one"), pending("c")}), low);
    EXPECT_THAT(lines,
                ElementsAre(StartsWith("To-dos"), "  ⋮ 2 more above", "  ▸ this one", "  ⋮ 1 more below"));
  }
}

TEST(PlanView, colour_changes_no_text) {
  Style colour = style(80);
  colour.colour = true;
  const Plan all = plan({completed("Read"), pending("Write"), {"odd", Status::other, "x"}});
  const auto plain = plan_lines(all, style(80));
  const auto painted = plan_lines(all, colour);
  ASSERT_EQ(plain.size(), painted.size());
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(bare(painted[i]), plain[i]);
  EXPECT_THAT(painted[3], HasSubstr("\x1b[32m✓\x1b[0m"));
}

TEST(PlanRow, names_the_first_active_item_and_counts_the_others) {
  EXPECT_EQ(plan_row({}, style(80)), "0/0 completed");
  EXPECT_EQ(plan_row({completed("a"), pending("b")}, style(80)), "1/2 completed");
  EXPECT_EQ(plan_row({completed("a"), active("b")}, style(80)), "1/2 completed · b");
  EXPECT_EQ(plan_row({completed("a"), active("b"), active("c"), active("d")}, style(80)),
            "1/4 completed · b +2");
}

TEST(PlanRow, the_number_of_others_is_never_clipped) {
  const ShownItems items{active("a very long first active item"), active("b"), active("c")};
  EXPECT_EQ(plan_row(items, style(30)), "0/3 completed · a very lon… +2");
  EXPECT_EQ(cell_width(plan_row(items, style(30))), 30U);
  for (std::size_t width = 3; width < 60; ++width)
    EXPECT_THAT(plan_row(items, style(width)), EndsWith(" +2"));
}

TEST(PlanViewProperty, no_line_is_too_wide_or_steers_a_terminal) {
  const std::uint32_t seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 3000; ++round) {
    ShownItems items;
    for (auto left = random() % 6; left > 0; --left) {
      ShownItem item{{}, static_cast<Status>(random() % 4), "odd\x1b[2J"};
      for (auto more = random() % 40; more > 0; --more) {
        append_code_point(item.content,
                          static_cast<char32_t>(random() % (random() % 2 != 0 ? 0x110000 : 0x3000)));
        if (random() % 9 == 0) item.content += static_cast<char>(random() % 256);
      }
      items.push_back(std::move(item));
    }
    Style any = style(1 + random() % 60, random() % 2 != 0);
    any.colour = random() % 2 != 0;
    any.wrap = random() % 2 != 0;
    any.height = random() % 10;
    Plan both = plan(items);
    if (random() % 2 != 0) both.problem = items.empty() ? "problem\x9b" : items[0].content;
    auto lines = plan_lines(both, any);
    lines.push_back(plan_row(items, any));
    for (const std::string &line : lines) {
      const std::string text = bare(line);
      ASSERT_LE(cell_width(text), any.width) << text;
      for (std::string_view rest = text; !rest.empty();) {
        const CodePoint point = decode(rest);
        ASSERT_TRUE(point.valid && point.value >= 0x20 && (point.value < 0x7f || point.value >= 0xa0))
            << text;
        ASSERT_TRUE(any.unicode || point.value < 0x7f) << text;
        rest.remove_prefix(point.size);
      }
    }
  }
}

}  // namespace
}  // namespace dsh::loader
