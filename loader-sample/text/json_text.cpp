#include "text/json_text.hpp"

#include <cstddef>

#include "text/json_scan.hpp"

namespace dsh::loader {
namespace {

// Finds the value of an object's only member.
class OnlyMember : public json_scan::NoHandler {
 public:
  void begin_array() noexcept { ++depth_; }
  void end_array() noexcept { --depth_; }
  void begin_object() noexcept { ++depth_; }
  void end_object() noexcept { --depth_; }
  void key(std::string_view raw, bool /*escaped*/) noexcept {
    if (depth_ == 1) {
      ++members_;
      key_ = raw;
    }
  }

  /// Of `text`, which was read whole and is compact.
  std::string_view value(std::string_view text) const noexcept {
    if (text.front() != '{' || members_ != 1) return {};
    const char *const begin = key_.data() + key_.size() + 2;  // behind its quote and the colon
    return {begin, static_cast<std::size_t>(text.data() + text.size() - 1 - begin)};
  }

 private:
  std::size_t depth_ = 0;
  std::size_t members_ = 0;
  std::string_view key_;
};

}  // namespace

JsonCheck check_json(std::string_view text) noexcept {
  json_scan::NoHandler nothing;
  return json_scan::Scanner(text, nothing).run();
}

JsonCheck check_json(std::string_view text, std::string_view &only_value) noexcept {
  OnlyMember member;
  const JsonCheck check = json_scan::Scanner(text, member).run();
  only_value = check && !check.spaced ? member.value(text) : std::string_view();
  return check;
}

JsonCheck check_json_rest(std::string_view text, std::size_t known) noexcept {
  // Elsewhere a number may go on that seemed to end.
  if (known >= text.size() || (text[known] != ',' && text[known] != '}')) return check_json(text);
  json_scan::NoHandler nothing;
  return json_scan::Scanner(text, nothing).run_rest(known);
}

std::string compact_json(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool inside = false;  // a string
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '\\' && i + 1 < text.size()) {
      out += c;
      out += text[++i];
      continue;
    }
    if (c == '"') inside = !inside;
    if (inside || (c != ' ' && c != '\n' && c != '\t' && c != '\r')) out += c;
  }
  return out;
}

}  // namespace dsh::loader
