#include "log/finding_list.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

/// Bytes. What is quoted in a text may be as long as its log.
constexpr std::size_t longest_text = 4096;

/// Where the quoted text that begins at `at` has ended.
std::size_t behind_quoted(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

}  // namespace

std::string kind_of(std::string_view text) {
  std::string kind;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at++];
    if (c == '"')
      at = behind_quoted(text, at);
    else if (c < '0' || c > '9')
      kind.push_back(c);
  }
  return kind;
}

std::optional<std::size_t> FindingList::add(Finding finding) {
  std::string text = excerpt(finding.text, longest_text);
  const std::string kind = std::to_string(static_cast<int>(finding.severity)) + kind_of(text);
  return add(std::move(finding), kind, [&text] { return std::move(text); });
}

std::optional<std::size_t> FindingList::add(Finding finding, const std::string &name,
                                            const std::function<std::string()> &text) {
  const auto known = kinds_.find(name);
  if (known == kinds_.end() && is_full()) {
    ++others_;
    return std::nullopt;
  }
  const std::size_t index = findings_.size();
  Kind &kind = known == kinds_.end() ? kinds_[name] : known->second;
  if (is_full() || kind.kept >= limits_.alike) {
    ++kind.more.count;
    kind.more.last_line = finding.line;
    return std::nullopt;
  }
  if (kind.kept++ == 0) kind.more.finding = index;
  finding.text = excerpt(text(), longest_text);
  findings_.push_back(std::move(finding));
  return index;
}

std::vector<MoreAlike> FindingList::more_alike() const {
  std::vector<MoreAlike> all;
  for (const auto &[text, kind] : kinds_)
    if (kind.more.count > 0) all.push_back(kind.more);
  std::sort(all.begin(), all.end(),
            [](const MoreAlike &one, const MoreAlike &other) { return one.finding < other.finding; });
  return all;
}

}  // namespace dsh::loader
