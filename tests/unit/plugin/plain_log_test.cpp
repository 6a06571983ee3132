// Lists of a log, read item by item, against a document of the whole text: the same results and the same
// words, whatever the text holds.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "copied_lists.hpp"
#include "json_value.hpp"
#include "plain_list.hpp"
#include "random_json.hpp"
#include "refusal.hpp"
#include "support/small_stack.hpp"
#include "whole_document.hpp"

namespace dsh::todo {
namespace {

using test::RandomJson;

constexpr std::uint32_t first_seed = 20260400;
constexpr int rounds = 3000;

/// What read() gives, or the words of its refusal.
template <class Read>
std::string outcome(Read &&read) {
  try {
    return "gives " + read();
  } catch (const Refusal &refusal) {
    return "refuses: " + refusal.text();
  }
}

std::string fault_text(const std::optional<std::string> &fault) {
  return fault ? "fault " + *fault : "sound";
}

/// All that is read of a log, one after the other, item by item and whole.
void compare(const std::string &text) {
  SCOPED_TRACE(text.size() < 2000 ? text : text.substr(0, 200) + "…");
  EXPECT_EQ(outcome([&] { return fault_text(plain::find_fault(text)); }),
            outcome([&] { return fault_text(whole::find_fault(text)); }));
  const std::string logged = outcome([&] { return whole::read_logged_list(text); });
  EXPECT_EQ(outcome([&] { return test::plain_logged_list(text); }), logged);
  EXPECT_EQ(outcome([&] { return test::logged_list(text); }), logged);
  const std::string standing = outcome([&] { return whole::read_standing_list(text); });
  EXPECT_EQ(outcome([&] { return test::plain_standing_list(text); }), standing);
  EXPECT_EQ(outcome([&] { return test::standing_list(text); }), standing);
}

/// Runs body(random) for many seeds, with few faults and with many.
template <class Body>
void for_random(int count, Body &&body) {
  for (int round = 0; round < count; ++round) {
    const std::uint32_t seed = first_seed + static_cast<std::uint32_t>(round);
    RandomJson random(seed);
    random.fault_percent = round % 3 == 0 ? 25 : round % 3 == 1 ? 4 : 0;
    SCOPED_TRACE("seed " + std::to_string(seed));
    body(random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(PlainLog, reads_random_texts_as_a_document_does) {
  for_random(rounds, [](RandomJson &random) {
    compare(random.spell(random.root(), random.chance(50)));
    compare(random.spell(random.list(), random.chance(50)));
    compare(random.spell(random.any(4), random.chance(50)));
  });
}

TEST(PlainLog, reads_damaged_texts_as_a_document_does) {
  for_random(2 * rounds, [](RandomJson &random) {
    compare(
        random.damaged(random.spell(random.chance(70) ? random.root() : random.list(), random.chance(50))));
  });
}

TEST(PlainLog, reads_what_is_left_after_any_single_byte_is_changed_as_a_document_does) {
  const std::string texts[] = {
      R"( {"n":[{"todos":[0]},1e9],"\u0074odos":[{"id":-0,"content":"\ud800a","status":"pending","0":[]},[]]} )",
      R"([{"content":"a\"\u001f","status":"in_progress","x":1.5e3},{"status":"done","content":""},null])"};
  for (const std::string &text : texts) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char byte : std::string("\"\\{}[],:0e-u \x01\x80\xED"
                                         "tnA"))
        compare(std::string(text).replace(at, 1, 1, byte));
      compare(text.substr(0, at));
      if (HasFailure()) return;
    }
  }
}

TEST(PlainLog, of_several_lists_the_last_counts_whatever_stands_behind_it) {
  const char *const texts[] = {
      R"({"todos":[{"content":"a","status":"pending"}],"todos":[]})",
      R"({"todos":[],"todos":[{"content":"a","status":"pending"},{"content":"a"}]})",
      R"({"todos":[{"content":"a"}],"todos":5})",
      R"({"todos":"text","todos":[{"content":"a","status":"x"}]})",
      R"({"todos":[1],"t\u006fdos":[2],"x":[3],"y":{"todos":[4],"z":[5]}})",
      R"({"todos":[1],"todos":null})",
      R"({"todos":{"todos":[1],"x":2},"y":[3]})",
      R"({"x":{"todos":[1]},"todosx":[2],"todo":[3],"":[4],"todos\u0000":[5]})",
      R"([["todos",[1]],{"todos":[{"content":"a"}]}])",
      R"({"todos":[{"todos":[{"content":"a"}],"content":"b","status":"pending"}]})",
      R"({"todos":[[],[[]],{},{"content":"a"}]})",
      R"({"\u0074\u006f\u0064\u006f\u0073":[1.50,"\u0041",true,null]})",
      R"({"todos":[{"content":"a","content":"b","status":5,"status":"pending"},{"content":"a","status":"pending"}]})"};
  for (const char *text : texts) compare(text);
}

TEST(PlainLog, structure_in_texts_is_no_structure) {
  for (const char *decoy :
       {R"(]}, \"todos\":[)", R"(\\)", R"(\"}]}{[)", R"(\\\",[{)", R"({\"content\":1})"}) {
    const std::string text = "\"" + std::string(decoy) + "\"";
    compare(R"({"todos":[{"content":)" + text + R"(,"status":"pending","x":)" + text + "}]}");
    compare("{" + text + R"(:[],"todos":[{)" + text + R"(:1,"content":"a","status":)" + text + "}]}");
  }
}

/// What is nested so deep, in each place where a value may stand.
std::vector<std::string> nested(std::size_t depth) {
  const std::string arrays = std::string(depth, '[') + std::string(depth, ']');
  std::string objects;
  for (std::size_t i = 0; i < depth; ++i) objects += R"({"todos":)";
  objects += "0" + std::string(depth, '}');
  std::vector<std::string> texts;
  for (const std::string &value : {arrays, objects}) {
    texts.push_back(value);
    texts.push_back(R"({"todos":)" + value + "}");
    texts.push_back(R"({"x":)" + value + R"(,"todos":[{"content":"a","status":"pending"}]})");
    texts.push_back(R"({"todos":[{"content":"\ud800","status":"pending","x":)" + value + "}]}");
    texts.push_back(R"({"todos":[{"content":"a","status":)" + value + "}]}");
    texts.push_back(R"([{"content":"a","status":"pending","x":)" + value + "}]");
  }
  return texts;
}

TEST(PlainLog, depth_counts_from_the_root_of_the_text) {
  for (std::size_t depth = max_depth - 4; depth <= max_depth + 1; ++depth)
    for (const std::string &text : nested(depth)) compare(text);
}

TEST(PlainLog, what_is_as_deep_as_may_be_fits_a_small_stack) {
  dsh::test::on_stack(dsh::test::small_stack, [] {
    for (const std::string &text : nested(max_depth - 3)) {
      (void)outcome([&] { return fault_text(plain::find_fault(text)); });
      (void)outcome([&] { return test::plain_logged_list(text); });
      (void)outcome([&] { return test::plain_standing_list(text); });
    }
  });
}

TEST(PlainLog, lists_are_passed_on_in_large_pieces) {
  std::string data = R"({"todos":[)";
  for (int i = 0; i < 20000; ++i)
    data += (i > 0 ? "," : "") + std::string(R"({"content":")") + std::to_string(i) +
            R"(","status":"pending","id":1})";
  data += "]}";
  std::string list;
  int pieces = 0;
  EXPECT_TRUE(plain::read_logged_list(data, [&](std::string_view piece) {
    list += piece;
    ++pieces;
  }));
  EXPECT_EQ(R"({"todos":)" + list + "}", data);
  EXPECT_GT(pieces, 3);
  EXPECT_LT(pieces, 100);
}

}  // namespace
}  // namespace dsh::todo
