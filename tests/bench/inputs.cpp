#include "inputs.hpp"

#include <array>
#include <random>
#include <stdexcept>

namespace dsh::bench {
namespace {

constexpr std::array<std::string_view, 12> ascii_words = {"read",  "parser", "session", "check",
                                                          "write", "docs",   "build",   "replay",
                                                          "index", "tests",  "refine",  "list"};
constexpr std::array<std::string_view, 8> foreign_words = {"检查会话", "日志",  "naïve", "任务列表",
                                                           "🧠",     "Größe", "更新",  "проверка"};
constexpr std::array<std::string_view, 6> escaped_words = {"\\\"quoted\\\"",  "a\\\\b", "line\\nend",
                                                           "\\u00e9t\\u00e9", "tab\\t", "plain"};
constexpr std::array<std::string_view, 3> statuses = {"completed", "in_progress", "pending"};

template <std::size_t N>
void append_words(std::string &text, const std::array<std::string_view, N> &words, std::mt19937 &random) {
  const std::size_t enough = text.size() + 32;
  while (text.size() < enough) {
    text += ' ';
    text += words[random() % N];
  }
}

}  // namespace

Content content_of(std::string_view word) {
  if (word == "ordinary") return Content::ordinary;
  if (word == "non-ascii") return Content::non_ascii;
  if (word == "padded") return Content::padded;
  if (word == "escaped") return Content::escaped;
  throw std::invalid_argument("unknown kind of content: " + std::string(word));
}

std::vector<std::string> argument_texts(std::size_t items, Content content, std::size_t count) {
  std::mt19937 random(20260101);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) {
    std::string text = R"({"todos":[)";
    for (std::size_t i = 0; i < items; ++i) {
      if (i != 0) text += ',';
      text += R"({"content":")";
      if (content == Content::padded) text += "  ";
      text += "Step " + std::to_string(i + 1) + "." + std::to_string(k) + ":";
      switch (content) {
        case Content::ordinary:
        case Content::padded:
          append_words(text, ascii_words, random);
          break;
        case Content::non_ascii:
          append_words(text, foreign_words, random);
          break;
        case Content::escaped:
          append_words(text, escaped_words, random);
          break;
      }
      if (content == Content::padded) text += " ";
      text += R"(","status":")";
      text += statuses[random() % statuses.size()];
      text += R"("})";
    }
    text += "]}";
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace dsh::bench
