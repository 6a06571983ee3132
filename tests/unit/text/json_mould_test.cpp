#include "text/json_mould.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/switches.hpp"
#include "text/json_scan.hpp"

namespace dsh::loader {
namespace {

/// `mould` has seen other texts before: what it remembers of them must not show.
void expect_same(JsonMould &mould, std::string_view text) {
  json_scan::NoHandler nothing;
  std::size_t wanted_size = 0;
  const JsonCheck wanted = json_scan::Scanner(text, nothing).run_first(wanted_size);
  std::size_t size = 0;
  const JsonCheck check = mould.check_first(text, size);
  ASSERT_STREQ(check.fault, wanted.fault) << text;
  ASSERT_EQ(check.offset, wanted.offset) << text;
  ASSERT_EQ(size, wanted_size) << text;
}

TEST(JsonMould, finds_in_any_value_what_a_scan_finds) {
  const std::vector<std::string> texts = {R"({"a":{"b":"one"},"c":1})",
                                          R"({"a":{"b":"two"},"c":1})",
                                          R"({"a":{"b":"two"},"c":1}})",
                                          R"({"a":{"b":"two"},"c":12})",
                                          R"({"a":{"b":"two"},"c":1)",
                                          R"({"a":{"b":"two\"},"c":1})",
                                          R"({"a":{"b":"","c":"},"c":1}"}})",
                                          R"({"a":{"b":"x"},"c":1},"d":2)",
                                          R"({"a":{"b":")",
                                          R"("one")",
                                          R"("two"x)",
                                          R"("two\")",
                                          R"(["a"])",
                                          R"(["b"]])",
                                          R"(["b" ])",
                                          R"( ["b"])",
                                          R"([{"x":"a"},1])",
                                          R"([{"x":"b"},12])",
                                          R"([{"x":"b"},1 ])",
                                          R"(12)",
                                          R"({})",
                                          "",
                                          "{\"a\":{\"b\":\"t\no\"},\"c\":1}",
                                          "{\"a\":{\"b\":\"\xE4\xBB\"},\"c\":1}"};
  for (const std::string &first : texts) {
    for (const std::string &second : texts) {
      JsonMould mould;
      expect_same(mould, first);
      expect_same(mould, second);
      expect_same(mould, first);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(JsonMould, finds_in_damaged_values_what_a_scan_finds) {
  const std::uint32_t seed = test_seed();
  std::mt19937 random(seed);
  const std::string alphabet = "{}[],:\"\\ \n0123-.etu\x01\x80\xE4";
  JsonMould mould;
  for (int round = 0; round < 60000; ++round) {
    std::string text = R"({"turn":)" + std::to_string(1 + random() % 2) +
                       R"(,"step":1,"chunk":{"type":"text-delta","index":0,"text":")" +
                       std::string(random() % 150, 'x') + R"("}})";
    for (std::size_t edits = random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 3);
      else if (random() % 2 == 0)
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
      else
        text[at] = alphabet[random() % alphabet.size()];
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_same(mould, text);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dsh::loader
