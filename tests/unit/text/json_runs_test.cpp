#include "text/json_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> runs_of(std::string_view raw) {
  std::vector<std::string> all;
  JsonRuns runs(raw);
  for (std::string_view run; runs.next(run);) all.emplace_back(run);
  return all;
}

TEST(JsonRuns, hands_out_what_stands_between_escapes_and_what_they_stand_for) {
  EXPECT_THAT(runs_of(""), IsEmpty());
  EXPECT_THAT(runs_of("plain"), ElementsAre("plain"));
  EXPECT_THAT(runs_of(R"(a\nb\\)"), ElementsAre("a", "\n", "b", "\\"));
  EXPECT_THAT(runs_of(R"(\"\/\b\f\r\t)"), ElementsAre("\"", "/", "\b", "\f", "\r", "\t"));
  EXPECT_THAT(runs_of(R"(\u0041\u00e4\u20AC)"), ElementsAre("A", "ä", "€"));
}

TEST(JsonRuns, joins_pairs_and_keeps_lone_surrogates) {
  EXPECT_THAT(runs_of(R"(\ud83d\ude00)"), ElementsAre("😀"));
  EXPECT_THAT(runs_of(R"(\ud83d)"), ElementsAre("\xED\xA0\xBD"));
  EXPECT_THAT(runs_of(R"(\ude00\ud83d)"), ElementsAre("\xED\xB8\x80", "\xED\xA0\xBD"));
  EXPECT_THAT(runs_of(R"(\ud83d\ud83d\ude00)"), ElementsAre("\xED\xA0\xBD", "😀"));
  EXPECT_THAT(runs_of(R"(\ud83d\n)"), ElementsAre("\xED\xA0\xBD", "\n"));
  EXPECT_THAT(runs_of(R"(\ud83dude00)"), ElementsAre("\xED\xA0\xBD", "ude00"));
}

/// The same text, some characters as escapes.
std::string respelt(std::string_view text, std::size_t every) {
  std::string raw;
  for (std::size_t at = 0; at < text.size(); ++at) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(text[at]);
    if (at % every == 0)
      raw.append("\\u00").append(1, digits[byte >> 4U]).append(1, digits[byte & 15U]);
    else
      raw += text[at];
  }
  return raw;
}

TEST(JsonRuns, equal_texts_are_equal_however_they_are_spelt) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::string text;
    for (std::size_t at = 0; at < size; ++at) text += static_cast<char>('a' + at % 26);
    for (std::size_t every = 1; every <= size; ++every) {
      const std::string raw = respelt(text, every);
      EXPECT_TRUE(spell_the_same(text, raw)) << raw;
      EXPECT_TRUE(spell_the_same(raw, respelt(text, 3))) << raw;
      EXPECT_EQ(hash_of_json_string(text, 7), hash_of_json_string(raw, 7)) << raw;
      EXPECT_FALSE(spell_the_same(raw, text + "a")) << raw;
      EXPECT_FALSE(spell_the_same(text.substr(1), raw)) << raw;
    }
  }
}

TEST(JsonRuns, a_hash_tells_texts_and_seeds_apart) {
  const std::string zeros(20, '\0');
  std::vector<std::uint64_t> hashes;
  for (std::size_t size = 0; size <= zeros.size(); ++size)
    hashes.push_back(hash_of_json_string(std::string_view(zeros).substr(0, size), 1));
  hashes.push_back(hash_of_json_string("", 2));
  hashes.push_back(hash_of_json_string("a", 1));
  hashes.push_back(hash_of_json_string("b", 1));
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(JsonRuns, nobody_writes_texts_that_collide_under_every_seed) {
  // These differ in bits that products alone hand on to the next word, where they can be undone.
  const std::vector<std::string> blocks = {"aaaaaaa!aaa!aaa!", "aaaaaaaaaaaaaaaa"};
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{0x7FFD'1234'5670}}) {
    std::set<std::uint64_t> hashes;
    for (unsigned bits = 0; bits < 1024; ++bits) {
      std::string text;
      for (unsigned at = 0; at < 10; ++at) text += blocks[bits >> at & 1U];
      hashes.insert(hash_of_json_string(text, seed));
    }
    EXPECT_EQ(hashes.size(), 1024U) << seed;
  }
}

TEST(JsonRuns, an_excerpt_cuts_no_character) {
  EXPECT_EQ(excerpt_of_json_string("abc", 3), "abc");
  EXPECT_EQ(excerpt_of_json_string("abcd", 3), "abc…");
  EXPECT_EQ(excerpt_of_json_string(R"(ab\u20ac)", 5), "ab€");
  EXPECT_EQ(excerpt_of_json_string(R"(ab\u20ac)", 4), "ab…");
  EXPECT_EQ(excerpt_of_json_string("ab€d", 4), "ab…");
  EXPECT_EQ(excerpt_of_json_string(R"(abc\n)", 3), "abc…");
}

TEST(UnescapeJson, replaces_what_was_there) {
  std::string text = "before";
  unescape_json(text, R"(x\ty\ud83d\ude00)");
  EXPECT_EQ(text, "x\ty😀");
  unescape_json(text, "");
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace dsh::loader
