#include "text/json_string_scan.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/switches.hpp"
#include "text/utf.hpp"

namespace dsh::loader::json_scan {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// The grammar as it stands in RFC 8259, a byte at a time: where the string ends, and what is wrong there.
struct Plainly {
  std::size_t at = 0;
  std::string_view fault;
  bool escaped = false;

  explicit Plainly(std::string_view text) {
    while (fault.empty() && step(text)) {
    }
  }

 private:
  bool step(std::string_view text) {
    const std::string_view rest = text.substr(at);
    if (rest.empty()) return fail("ends inside a string");
    const auto c = static_cast<unsigned char>(rest.front());
    if (c == '"') return false;
    if (c == '\\') return escape(rest);
    if (c < 0x20) return fail("control character in a string");
    const CodePoint point = decode(rest);
    if (!point.valid || is_surrogate(point.value)) return fail("bytes that are not UTF-8");
    at += point.size;
    return true;
  }

  bool escape(std::string_view rest) {
    escaped = true;
    if (rest.size() < 2) return fail("ends inside an escape");
    const bool unicode = rest[1] == 'u';
    if (!unicode && std::string_view("\"\\/bfnrt").find(rest[1]) == std::string_view::npos)
      return fail("unknown escape");
    if (unicode && rest.size() < 6) return fail("ends inside an escape");
    for (std::size_t i = 2; unicode && i < 6; ++i)
      if (!is_hex(rest[i])) return fail("\\u without four hexadecimal digits");
    at += unicode ? 6 : 2;
    return true;
  }

  bool fail(std::string_view why) {
    fault = why;
    return false;
  }
};

/// Every reader on the string that begins at `start` of `text`, in memory that ends where the text ends.
void expect_same(std::string_view text, std::size_t start) {
  const std::unique_ptr<char[]> exact(new char[text.size()]);
  text.copy(exact.get(), text.size());
  const Plainly wanted(text.substr(start));
  std::size_t number = 0;
  for (const StringReader reader : string_readers()) {
    const StringEnd found = reader(exact.get(), exact.get() + start, exact.get() + text.size());
    const bool same = found.at == exact.get() + start + wanted.at &&
                      (found.fault == nullptr ? "" : found.fault) == wanted.fault &&
                      (found.fault != nullptr || found.escaped == wanted.escaped);
    ASSERT_TRUE(same) << "reader " << number << " at " << found.at - exact.get() << ", not "
                      << start + wanted.at << ": " << (found.fault == nullptr ? "sound" : found.fault)
                      << ", not " << wanted.fault << "; from " << start << " of "
                      << ::testing::PrintToString(std::string(text));
    ++number;
  }
}

TEST(ReadString, is_the_plain_one_and_faster_ones) {
  ASSERT_GE(string_readers().size(), 1U);
  EXPECT_EQ(string_readers().front(), &read_string_plainly);
#if defined(__SSE2__)
  EXPECT_GE(string_readers().size(), 2U);
#endif
}

TEST(ReadString, finds_every_byte_at_every_place_of_a_block) {
  for (const std::size_t length : {std::size_t{30}, std::size_t{63}, std::size_t{64}, std::size_t{150}}) {
    for (std::size_t place = 0; place < length; ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = "{\"" + std::string(length, 'x') + "\"}";
        text[2 + place] = static_cast<char>(byte);
        expect_same(text, 2);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ReadString, finds_every_byte_among_characters_of_every_length) {
  const std::string mixed =
      "na\xC3\xAFve \xE6\xA3\x80\xE6\x9F\xA5 \xF0\x9F\xA7\xA0 Gr\xC3\xB6\xC3\x9F"
      "e \xD0\xBF\xD1\x80\xD0\xBE\xE0\xA4\x95\xED\x95\x9C\xF4\x80\x80\x80\xF0\x90\x80\x80.";
  for (std::size_t place = 0; place < mixed.size(); ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = mixed + "\"";
      text[place] = static_cast<char>(byte);
      expect_same(text, 0);
      expect_same(std::string(40, 'x') + text + std::string(70, ' '), 0);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ReadString, pairs_backslashes_across_blocks) {
  for (std::size_t before = 50; before < 140; ++before) {
    for (std::size_t backslashes = 1; backslashes < 75; ++backslashes) {
      for (const char *behind : {"\"", "n\"", "x\"", "u00e9\"", "u00g9\"", "u12", ""}) {
        const std::string text = std::string(before, 'a') + std::string(backslashes, '\\') + behind;
        expect_same(text, 0);
        expect_same(text + std::string(80, ' '), 0);
        expect_same(text, before - 1);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ReadString, sees_every_byte_of_a_character_across_blocks) {
  const std::vector<std::string> characters = {
      "\xC3\xA9",         "\xE4\xBB\xBB",     "\xE0\xA0\x80", "\xED\x9F\xBF",
      "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xED\xA0\x80", "\xC0\x80",
      "\xF4\x90\x80\x80", "\xE0\x9F\xBF",     "\x80",         "\xFF"};
  for (const std::string &character : characters) {
    for (std::size_t before = 40; before < 70; ++before) {
      for (std::size_t cut = 0; cut <= character.size(); ++cut) {
        const std::string text = std::string(before, 'a') + character + character.substr(0, cut);
        expect_same(text, 0);
        expect_same(text + "\"" + std::string(70, '\xE4'), 0);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ReadString, agrees_with_the_grammar_on_hostile_text) {
  const std::vector<std::string> pieces = {
      "\"",
      "\\",
      "\\\\",
      "\\\"",
      "\\n",
      "\\u00e9",
      "\\ud800",
      "\\u12",
      "\\x",
      "plain text of some length",
      "a",
      "\xE4\xBB\xBB",
      "\xE4\xBB\xBB\xE5\x8A\xA1\xE5\x88\x97\xE8\xA1\xA8\xE6\x9B\xB4\xE6\x96\xB0",
      "\xC3\xA9",
      "\xF0\x9F\x98\x80",
      "\xE4\xBB",
      "\xED\xA0\x80",
      "\xC0",
      std::string(1, '\0'),
      "\n",
      "\x7f",
      "\x1f",
      "{\"seq\":1}",
      "                                                                       "};
  const std::uint32_t seed = test_seed();
  std::mt19937 random(seed);
  std::size_t sound = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text;
    // Of most texts the greater part is sound: else none of it would be read far.
    const std::size_t common = random() % 4 == 0 ? pieces.size() : 14;
    for (std::size_t count = random() % 24; count > 0; --count) {
      const std::size_t piece = random() % common;
      if (piece != 0 && piece != 1 && piece != 7 && piece != 8) text += pieces[piece];
    }
    text += pieces[random() % 8 == 0 ? random() % pieces.size() : 0];
    text += std::string(random() % 90, "\" \xE4\\"[random() % 4]);
    const std::size_t start = text.empty() ? 0 : random() % 4 == 0 ? random() % text.size() : 0;
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_same(text, start);
    if (HasFatalFailure()) return;
    sound += Plainly(std::string_view(text).substr(start)).fault.empty() ? 1 : 0;
  }
  EXPECT_GT(sound, 20000U);
}

}  // namespace
}  // namespace dsh::loader::json_scan
