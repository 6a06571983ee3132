// The one-pass functions against the plain ones: whatever a text holds, they agree or leave it alone.
#include "quick_list.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "copied_lists.hpp"
#include "plain_list.hpp"
#include "random_json.hpp"
#include "refusal.hpp"

namespace dsh::todo {
namespace {

using test::RandomJson;

constexpr std::uint32_t first_seed = 20260300;
constexpr int rounds = 6000;

/// What a plain function gives; nothing where it refuses.
template <class Read>
auto plainly(Read &&read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Refusal &) {
    return std::nullopt;
  }
}

/// What a one-pass function writes; nothing where it leaves the text.
template <class Read>
std::optional<std::string> quick_list(const Read &read, const std::string &text) {
  std::string list;
  if (read(text, [&](std::string_view part) { list += part; })) return list;
  EXPECT_EQ(list, "");
  return std::nullopt;
}

/// How often each of the one-pass functions took a text.
struct Taken {
  int calls = 0, sound = 0, logged = 0, standing = 0;
};

/// The one-pass functions on one text, checked against the plain ones.
void compare(const std::string &text, Taken &taken) {
  SCOPED_TRACE(text);
  for (const bool allow_parallel : {true, false}) {
    const auto list = quick::read_call(text, allow_parallel);
    if (!list) continue;
    ++taken.calls;
    const auto expected = plainly([&] { return plain::read_call(text, allow_parallel); });
    ASSERT_TRUE(expected);
    EXPECT_EQ(list->data, expected->data);
    EXPECT_EQ(list->counts, expected->counts);
  }
  if (quick::is_sound(text)) {
    ++taken.sound;
    const auto fault = plainly([&] { return plain::find_fault(text); });
    ASSERT_TRUE(fault);
    EXPECT_EQ(*fault, std::nullopt);
  }
  if (const auto list = quick_list(quick::read_logged_list, text)) {
    ++taken.logged;
    EXPECT_EQ(plainly([&] { return test::plain_logged_list(text); }), list);
  }
  if (const auto view = quick_list(quick::read_standing_list, text)) {
    ++taken.standing;
    EXPECT_EQ(plainly([&] { return test::plain_standing_list(text); }), view);
  }
}

TEST(QuickList, agrees_with_the_plain_one_on_random_texts) {
  Taken taken;
  for (int round = 0; round < rounds; ++round) {
    const std::uint32_t seed = first_seed + static_cast<std::uint32_t>(round);
    RandomJson random(seed);
    random.fault_percent = round % 3 == 0 ? 10 : round % 3 == 1 ? 2 : 0;
    const bool plain_spelling = random.chance(50);
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare(random.spell(random.root(), plain_spelling), taken);
    compare(random.spell(random.list(), plain_spelling), taken);
    if (HasFailure()) return;
  }
  // It would be easy to agree by taking nothing.
  EXPECT_GT(taken.calls, rounds / 4);
  EXPECT_GT(taken.sound, rounds / 8);
  EXPECT_GT(taken.logged, rounds / 8);
  EXPECT_GT(taken.standing, rounds / 8);
}

TEST(QuickList, agrees_with_the_plain_one_on_damaged_texts) {
  Taken taken;
  for (int round = 0; round < 2 * rounds; ++round) {
    const std::uint32_t seed = 2 * first_seed + static_cast<std::uint32_t>(round);
    RandomJson random(seed);
    random.fault_percent = 0;
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare(
        random.damaged(random.spell(random.chance(70) ? random.root() : random.list(), random.chance(50))),
        taken);
    if (HasFailure()) return;
  }
  EXPECT_GT(taken.calls, 0);
}

TEST(QuickList, agrees_with_the_plain_one_after_any_single_byte_is_changed) {
  const std::string texts[] = {
      R"({"todos":[{"content":"a\n\u00e9","status":"pending"},{"status":"completed","content":"b c"}]})",
      R"([{"content":"a\"\u001f","status":"in_progress"}])"};
  Taken taken;
  for (const std::string &text : texts) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = text;
        changed[at] = static_cast<char>(byte);
        compare(changed, taken);
      }
      compare(text.substr(0, at), taken);
      if (HasFailure()) return;
    }
  }
}

struct Example {
  const char *text;
  bool call, sound, logged;
};

TEST(QuickList, takes_what_is_usual_and_leaves_what_is_not) {
  const Example examples[] = {
      {R"({"todos":[]})", true, true, true},
      {R"({"todos":[{"content":"a","status":"pending"}]})", true, true, true},
      {R"( { "todos" : [ { "content" : "a" , "status" : "pending" } ] } )", true, true, true},
      {R"({"todos":[{"status":"pending","content":"a"}]})", true, true, true},
      {R"({"todos":[{"content":" a ","status":"pending"}]})", true, false, true},
      {R"({"todos":[{"content":"\ta","status":"pending"}]})", true, false, true},
      {R"({"todos":[{"content":"a\u0062","status":"pending"}]})", true, true, true},
      {R"({"todos":[{"content":"\"a\"","status":"pending"}]})", true, true, true},
      {R"({"todos":[{"content":" \"a\\ ","status":"pending"}]})", true, false, true},
      {R"({"todos":[{"content":"a\u3000","status":"pending"}]})", true, false, true},
      {R"({"todos":[{"content":"\u00a0\"","status":"pending"}]})", true, false, true},
      {R"({"todos":[{"content":"a\b","status":"pending"}]})", true, true, true},
      {R"({"todos":[{"content":"a\f","status":"pending"}]})", true, false, true},
      {R"({"todos":[{"content":"a\"\\\b\f\n\r\t\u0000\u001f\ud800.","status":"pending"}]})", true, true,
       true},
      {R"({"todos":[{"content":"a\/b","status":"pending"}]})", true, true, true},
      {R"({"todos":[{"content":"\ud83d\ude00","status":"pending"}]})", true, true, true},
      {R"({"todos":[{"content":"\uD800","status":"pending"}]})", true, true, true},
      {R"({"todos":[{"content":"\u000A.","status":"pending"}]})", true, false, true},
      {"{\"todos\":[{\"content\":\"\xE6\xBC\xA2\xF0\x9F\x98\x80\",\"status\":\"pending\"}]}", true, true,
       true},
      {"{\"todos\":[{\"content\":\"\xC2\xA0x\",\"status\":\"pending\"}]}", true, false, true},
      {R"({"todos":[{"content":"a\/b","status":"pending"},{"status":"pending","content":"\u0061/b"}]})",
       false, false, true},
      // Left to the plain functions, whether they take or refuse it.
      {R"({"todos":[],"more":1})", false, false, false},
      {R"({"more":1,"todos":[]})", false, false, false},
      {R"({"todos":[],"todos":[]})", false, false, false},
      {R"({"\u0074odos":[]})", false, false, false},
      {R"({"todos":[{"content":"a","status":"pend\u0069ng"}]})", false, false, false},
      {R"({"todos":[{"content":"a","stat\u0075s":"pending"}]})", false, false, false},
      {R"({"todos":[{"content":"a","status":"pending","id":1}]})", false, false, false},
      {R"({"todos":[{"content":"a","content":"b","status":"pending"}]})", false, false, false},
      {R"({"todos":[{"content":"a","status":"done"}]})", false, false, false},
      {R"({"todos":[{"content":"","status":"pending"}]})", false, false, true},
      {R"({"todos":[{"content":"a","status":"pending"},{"content":"a","status":"pending"}]})", false, false,
       true},
      {R"({"todos":[{"content":"a\x","status":"pending"}]})", false, false, false},
      {R"({"todos":[{"content":"a\u12","status":"pending"}]})", false, false, false},
      {R"({"todos":[{"content":"a","status":"pending"},]})", false, false, false},
      {R"({"todos":[,]})", false, false, false},
      {R"({"todos":[]}x)", false, false, false},
      {R"({"todos":[])", false, false, false},
      {R"({"todos":[{"content":"a","status":"pending"})", false, false, false},
      {R"([])", false, false, false},
      {"", false, false, false},
      {"{\"todos\":[{\"content\":\"\xFF\",\"status\":\"pending\"}]}", false, false, false},
      {"{\"todos\":[{\"content\":\"\xED\xA0\x80\",\"status\":\"pending\"}]}", false, false, false},
      {"{\"todos\":[{\"content\":\"a\nb\",\"status\":\"pending\"}]}", false, false, false},
  };
  Taken taken;
  for (const Example &example : examples) {
    SCOPED_TRACE(example.text);
    EXPECT_EQ(quick::read_call(example.text, true).has_value(), example.call);
    EXPECT_EQ(quick::is_sound(example.text), example.sound);
    EXPECT_EQ(quick_list(quick::read_logged_list, example.text).has_value(), example.logged);
    compare(example.text, taken);
  }
}

TEST(QuickList, a_list_is_respelt_in_its_order_and_shown_in_that_of_readers) {
  const std::string list =
      R"([ {"status":"pending", "content":"\u0061\/"}, {"content":"\uD800\n","status":"completed"}])";
  EXPECT_EQ(quick_list(quick::read_logged_list, R"({"todos":)" + list + "}"),
            R"([{"status":"pending","content":"a/"},{"content":"\ud800\n","status":"completed"}])");
  EXPECT_EQ(quick_list(quick::read_standing_list, list),
            R"([{"content":"a/","status":"pending"},{"content":"\ud800\n","status":"completed"}])");
}

TEST(QuickList, contents_of_any_length_are_told_apart_however_they_are_spelt) {
  for (const std::size_t size : {1U, 4095U, 4096U, 4097U, 70000U}) {
    const std::string text(size, '/');
    std::string escaped;
    for (std::size_t i = 0; i < size; ++i) escaped += "\\/";
    const auto list = [&](const std::string &first, const std::string &second) {
      return R"({"todos":[{"content":")" + first + R"(","status":"pending"},{"content":")" + second +
             R"(","status":"pending"}]})";
    };
    Taken taken;
    compare(list(text, escaped), taken);
    compare(list(escaped, escaped), taken);
    EXPECT_EQ(taken.sound, 0) << size;
    compare(list(text, escaped + "\\/"), taken);
    compare(list("a" + escaped, "b" + escaped), taken);
    compare(list("a" + text, "b" + escaped), taken);
    EXPECT_EQ(taken.sound, 3) << size;
  }
}

TEST(QuickList, two_items_in_progress_are_left_to_the_plain_one_where_one_is_allowed) {
  const std::string two =
      R"({"todos":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]})";
  EXPECT_TRUE(quick::read_call(two, true));
  EXPECT_FALSE(quick::read_call(two, false));
}

TEST(QuickList, content_that_looks_like_structure_is_content) {
  const std::string decoys[] = {R"(\"},{\"content\":\"x)",
                                R"(\",\"status\":\"completed)",
                                R"(]}\n{\"todos\":[)",
                                R"(\\)",
                                R"(\\\")",
                                R"({"todos":[{"content":"a"}]})"};
  Taken taken;
  for (const std::string &decoy : decoys)
    compare(R"({"todos":[{"content":")" + decoy +
                R"(","status":"pending"},{"content":"b","status":"completed"}]})",
            taken);
  EXPECT_EQ(taken.sound, 5);
}

TEST(QuickList, runs_of_every_length_end_where_they_end) {
  Taken taken;
  for (std::size_t length = 0; length < 40; ++length) {
    for (const char *end : {"", "\\n", "\\\"", "\xC3\xA9", " ", "\x7F", "\x01", "\x80", "\\"})
      for (const char *tail : {"", "tail", "a tail that is longer than a word"})
        compare(R"({"todos":[{"content":")" + std::string(length, 'x') + end + tail +
                    R"(","status":"pending"}]})",
                taken);
  }
  EXPECT_GT(taken.calls, 0);
}

}  // namespace
}  // namespace dsh::todo
