// No text, however wrong, does more than throw an Error.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "composition/composition.hpp"
#include "composition/yaml_reader.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

namespace json = boost::json;

using Random = std::mt19937;

std::size_t below(Random &random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

/// Reads `text` in every way there is. An accepted text gives JSON that is read back.
void try_text(const std::string &text) {
  try {
    const auto value = read_yaml(text, "fuzz.yaml");
    EXPECT_TRUE(check_json(to_json(value)));
  } catch (const Error &error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("fuzz.yaml:")) << error.what();
    EXPECT_TRUE(is_utf8(error.what()));
    EXPECT_EQ(std::string_view(error.what()).find_first_of("\n\r\033"), std::string_view::npos);
  }
  try {
    for (const auto &entry : parse_composition(text, "fuzz.yaml").entries) {
      EXPECT_FALSE(entry.id.empty());
      EXPECT_TRUE(check_json(entry.config_json)) << entry.config_json;
    }
  } catch (const Error &) {
  }
}

class YamlFuzz : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override { RecordProperty("seed", std::to_string(GetParam())); }
};

INSTANTIATE_TEST_SUITE_P(Seeds, YamlFuzz, testing::Range(1U, 9U));

TEST_P(YamlFuzz, random_bytes) {
  Random random(GetParam());
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::size_t size = below(random, 80); size > 0; --size)
      text += static_cast<char>(below(random, 256));
    try_text(text);
  }
}

constexpr std::string_view alphabet[] = {"-",
                                         ":",
                                         "?",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         ",",
                                         "#",
                                         "&",
                                         "*",
                                         "!",
                                         "|",
                                         ">",
                                         "'",
                                         "\"",
                                         "%",
                                         "@",
                                         "`",
                                         " ",
                                         "\n",
                                         "\t",
                                         "\r",
                                         "a",
                                         "1",
                                         "true",
                                         "~",
                                         "\n  ",
                                         ": ",
                                         "- ",
                                         "? ",
                                         "!!str ",
                                         "!!null",
                                         "&x ",
                                         "*x",
                                         "---\n",
                                         "...\n",
                                         "\\",
                                         "\\u",
                                         "\\ud83d",
                                         "\\x0e",
                                         "<<: ",
                                         "0x1f",
                                         ".nan",
                                         "\xC3\xA9",
                                         "\xE2\x80\xA8",
                                         "\xEF\xBB\xBF",
                                         "\x7F",
                                         "\xF0\x9F\x98\x80",
                                         "|+\n",
                                         ">2\n",
                                         "name: ",
                                         "config: ",
                                         "disabled: "};

TEST_P(YamlFuzz, random_yaml) {
  Random random(GetParam());
  for (int round = 0; round < 1500; ++round) {
    std::string text;
    for (std::size_t count = below(random, 40); count > 0; --count)
      text += alphabet[below(random, std::size(alphabet))];
    try_text(text);
  }
}

constexpr std::string_view sound[] = {
    "- name: '@deepseek-ai/dsh-tools'\n- name: '@deepseek-ai/dsh-tool-todo'\n  id: todo\n  inject: [tools]\n"
    "  config:\n    allowParallelInProgress: true # flag\n",
    "%YAML 1.2\n---\n- name: cordis:group\n  group: true\n  config:\n    - {name: "
    "\"p\\u0061\\ud83d\\ude00\", disabled: !!bool true}\n...\n",
    "- &a {name: x, config: &b [1, 0x1f, .inf, ~]}\n- name: y\n  config: *b\n- ? name\n  : z\n",
    "- name: p\n  config: |\n    literal\n     text\n\n- name: >-\n    folded\n    text\n  disabled: "
    "'false'\n",
    "- name: \"multi\n    line\\\n    escaped\"\n  config: {a: http://x/?q=1, b: [c, d: e], 'f''g': h}\n"};

TEST_P(YamlFuzz, mutated_compositions) {
  Random random(GetParam());
  for (int round = 0; round < 1500; ++round) {
    std::string text(sound[below(random, std::size(sound))]);
    for (std::size_t edits = 1 + below(random, 4); edits > 0; --edits) {
      const auto at = below(random, text.size() + 1);
      switch (below(random, 4)) {
        case 0:
          text.insert(at, alphabet[below(random, std::size(alphabet))]);
          break;
        case 1:
          text.erase(at, 1 + below(random, 3));
          break;
        case 2:
          text.resize(at);
          break;
        default:
          text.insert(at, text.substr(below(random, text.size() + 1), below(random, 30)));
      }
    }
    try_text(text);
  }
}

json::value random_json(Random &random, int depth) {
  switch (below(random, depth > 4 ? 4 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return below(random, 2) == 0;
    case 2: {
      const double numbers[] = {
          0, 1, -1, 0.1, 1e21, 1e-7, 123456789012345680000.0, 5e-324, 1.7976931348623157e308};
      return numbers[below(random, std::size(numbers))];
    }
    case 3: {
      const std::uint32_t points[] = {'a',    ' ',    '"',    '\\',   '\n',   0,       0x1F, 0x7F, 0x85, 0xE9,
                                      0x2028, 0xD800, 0xDFFF, 0xE83D, 0xFEFF, 0x1F600, '?',  ':',  '#'};
      std::string text;
      for (std::size_t size = below(random, 8); size > 0; --size) {
        const auto point = points[below(random, std::size(points))];
        // What UTF-8 spells in its own way can't come out of a pair of halves.
        if (point != 0xDFFF || text.size() < 3 || !text.ends_with("\xED\xA0\x80"))
          append_code_point(text, point);
      }
      return json::value(text);
    }
    case 4: {
      json::array list;
      for (std::size_t size = below(random, 4); size > 0; --size)
        list.push_back(random_json(random, depth + 1));
      return list;
    }
    default: {
      json::object object;
      for (std::size_t size = below(random, 4); size > 0; --size)
        object["k" + std::to_string(size) + "?"] = random_json(random, depth + 1);
      return object;
    }
  }
}

TEST_P(YamlFuzz, json_is_yaml) {
  Random random(GetParam());
  for (int round = 0; round < 800; ++round) {
    const auto text = to_json(random_json(random, 0));
    EXPECT_EQ(to_json(read_yaml(text, "f")), text);
  }
}

}  // namespace
}  // namespace dsh::loader
