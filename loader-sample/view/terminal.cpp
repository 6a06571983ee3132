#include "view/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace dsh::loader {
namespace {

constexpr std::size_t usual_columns = 80;
constexpr std::size_t usual_rows = 24;

std::size_t number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

/// The narrower of what the terminal and COLUMNS say: a line must fit both.
std::size_t columns(int descriptor, const Environment &environment) {
  const std::size_t real = screen_size(descriptor).columns;
  const std::size_t wanted = number(environment("COLUMNS"));
  if (real != 0 && wanted != 0) return std::min(real, wanted);
  if (real != 0 || wanted != 0) return std::max(real, wanted);
  return usual_columns;
}

/// By the locale's name alone: the locale itself may not be installed.
bool is_utf8_locale(const Environment &environment) {
  std::string locale;
  for (const char *variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    locale = environment(variable);
    if (!locale.empty()) break;
  }
  std::transform(locale.begin(), locale.end(), locale.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

}  // namespace

ScreenSize screen_size(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row != 0 ? size.ws_row : usual_rows};
}

Environment process_environment() {
  return [](const char *variable) -> std::string {
    const char *value = std::getenv(variable);
    return value != nullptr ? value : "";
  };
}

bool has_cursor(int descriptor, const Environment &environment) {
  const std::string term = environment("TERM");
  return isatty(descriptor) == 1 && !term.empty() && term != "dumb";
}

Style detect_style(int descriptor, const Environment &environment) {
  Style style;
  style.unicode = is_utf8_locale(environment) && environment("TERM") != "dumb";
  if (isatty(descriptor) != 1) return style;
  style.width = columns(descriptor, environment);
  style.colour = has_cursor(descriptor, environment) && environment("NO_COLOR").empty();
  return style;
}

}  // namespace dsh::loader
