#include "view/plan_markdown.hpp"

#include <string_view>

#include "view/styled_line.hpp"

namespace dsh::loader {
namespace {

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Would Markdown obey the character at `i`? An underscore inside a word is only itself.
bool is_markup(std::string_view text, std::size_t i) {
  if (text[i] == '_') return i == 0 || i + 1 == text.size() || !is_word(text[i - 1]) || !is_word(text[i + 1]);
  return std::string_view(R"(\`*[]<>&~|$)").find(text[i]) != std::string_view::npos;
}

std::string escaped(std::string_view foreign) {
  const std::string text = shown(foreign, {});
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_markup(text, i)) out += '\\';
    out += text[i];
  }
  return out;
}

std::string checklist_line(const ShownItem &item) {
  std::string line = item.status == Status::completed ? "- [x] " : "- [ ] ";
  line += escaped(item.content);
  if (item.status == Status::in_progress) line += " *(in progress)*";
  if (item.status == Status::other)
    line += " *(" + (item.status_text.empty() ? "no status" : escaped(item.status_text)) + ")*";
  return line + "\n";
}

}  // namespace

std::string plan_markdown(const Plan &plan) {
  if (!plan.items) return plan.problem.empty() ? "No plan.\n" : "No plan: " + escaped(plan.problem) + "\n";
  if (plan.items->empty()) return "The plan is empty.\n";
  std::string text;
  for (const ShownItem &item : *plan.items) text += checklist_line(item);
  return text;
}

}  // namespace dsh::loader
