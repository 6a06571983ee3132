#include "list_scan.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "json_text.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace {

bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

constexpr std::uint64_t kOnes = 0x0101010101010101U;
constexpr std::uint64_t kHighs = 0x8080808080808080U;

/// Marks, in their highest bits, the bytes of `word` that are zero; of those behind the first, maybe others.
constexpr std::uint64_t zero_bytes(std::uint64_t word) noexcept { return (word - kOnes) & ~word & kHighs; }

/// The same for the bytes that end a run of a string's plain characters: quotes, backslashes, controls.
constexpr std::uint64_t run_ends(std::uint64_t word) noexcept {
  return zero_bytes(word ^ kOnes * '"') | zero_bytes(word ^ kOnes * '\\') |
         ((word - kOnes * 0x20) & ~word & kHighs);
}

bool ends_run(char c) noexcept { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

/// Where the run of plain characters at `at` ends. Sets `ascii` to false if it may hold others than ASCII.
const char *run_end(const char *at, const char *end, bool &ascii) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      if ((word & kHighs) != 0) ascii = false;
      if (const std::uint64_t ends = run_ends(word); ends != 0) return at + std::countr_zero(ends) / 8;
      at += 8;
    }
  }
  for (; at != end && !ends_run(*at); ++at) {
    if (static_cast<unsigned char>(*at) >= 0x80) ascii = false;
  }
  return at;
}

std::optional<Status> status_of(std::string_view text) noexcept {
  switch (text.size()) {
    case kStatusNames[0].size():
      return text == kStatusNames[0] ? std::optional(Status::pending) : std::nullopt;
    case kStatusNames[1].size():
      return text == kStatusNames[1] ? std::optional(Status::in_progress) : std::nullopt;
    case kStatusNames[2].size():
      return text == kStatusNames[2] ? std::optional(Status::completed) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The character that `\c` stands for; NUL where there is no such escape.
char short_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

}  // namespace

/// A string of the text, between its quotes.
struct ListScan::String {
  std::string_view raw;
  bool escaped = false;
};

ListScan::ListScan(std::string_view text, Form form)
    : at_(text.data()), end_(text.data() + text.size()), form_(form), text_size_(text.size()) {}

bool ListScan::next(ScannedItem &item) {
  if (state_ == State::complete || state_ == State::given_up) return false;
  if (state_ == State::first) {
    if (!open()) return give_up();
    if (take(']')) return close();
    state_ = State::later;
  } else if (!take(',')) {
    return take(']') ? close() : give_up();
  }
  return take_item(item) || give_up();
}

bool ListScan::give_up() noexcept {
  state_ = State::given_up;
  return false;
}

bool ListScan::open() {
  if (form_ == Form::keyed && !(take('{') && take("\"todos\"") && take(':'))) return false;
  skip_space();
  list_begin_ = at_;
  return take('[');
}

/// Never true: there is no further item.
bool ListScan::close() {
  list_end_ = at_;
  if (form_ == Form::keyed && !take('}')) return give_up();
  skip_space();
  if (at_ != end_) return give_up();
  state_ = State::complete;
  return false;
}

void ListScan::skip_space() noexcept {
  while (at_ != end_ && is_space(*at_)) {
    ++at_;
    verbatim_ = false;
  }
}

bool ListScan::take(char c) noexcept {
  skip_space();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

bool ListScan::take(std::string_view text) noexcept {
  skip_space();
  if (static_cast<std::size_t>(end_ - at_) < text.size() || std::memcmp(at_, text.data(), text.size()) != 0) {
    return false;
  }
  at_ += text.size();
  return true;
}

bool ListScan::take_string(String &string) noexcept {
  if (!take('"')) return false;
  const char *const begin = at_;
  bool ascii = true;
  string.escaped = false;
  for (;;) {
    at_ = run_end(at_, end_, ascii);
    if (at_ == end_) return false;
    if (*at_ == '"') break;
    if (*at_ != '\\' || end_ - at_ < 2) return false;
    string.escaped = true;
    at_ += 2;
  }
  string.raw = {begin, static_cast<std::size_t>(at_ - begin)};
  ++at_;
  return ascii || find_invalid_utf8(string.raw) == std::string_view::npos;
}

bool ListScan::take_content(ScannedItem &item) {
  String string;
  if (!take_string(string)) return false;
  item.escaped = string.escaped;
  if (string.escaped) return unescape(string.raw, item.content);
  item.content = string.raw;
  return true;
}

bool ListScan::take_status(ScannedItem &item) noexcept {
  String string;
  if (!take_string(string)) return false;
  const std::optional<Status> status = status_of(string.raw);
  if (status) item.status = *status;
  return status.has_value();
}

bool ListScan::take_item(ScannedItem &item) {
  if (!take('{')) return false;
  if (take("\"content\"")) {
    return take(':') && take_content(item) && take(',') && take("\"status\"") && take(':') &&
           take_status(item) && take('}');
  }
  verbatim_ = false;
  return take("\"status\"") && take(':') && take_status(item) && take(',') && take("\"content\"") &&
         take(':') && take_content(item) && take('}');
}

bool ListScan::unescape(std::string_view raw, std::string_view &text) {
  // No escape is shorter than what it stands for, so that all of them fit into the text's own size.
  if (unescaped_.empty()) unescaped_.reserve(text_size_);
  const std::size_t begin = unescaped_.size();
  std::size_t at = 0;
  for (;;) {
    const std::size_t escape = raw.find('\\', at);
    unescaped_.append(raw.substr(at, escape - at));
    if (escape == std::string_view::npos) break;
    const std::size_t size = unescape_at(raw, escape);
    if (size == 0) return false;
    at = escape + size;
  }
  text = std::string_view(unescaped_).substr(begin);
  return true;
}

/// Appends what the escape at `at` stands for, and gives its length; 0 where it is none.
std::size_t ListScan::unescape_at(std::string_view raw, std::size_t at) {
  if (const char c = short_escape(raw[at + 1]); c != '\0') {
    if (c == '/') verbatim_ = false;
    unescaped_.push_back(c);
    return 2;
  }
  const std::optional<UnicodeEscape> escape = read_unicode_escape(raw, at);
  if (!escape) return 0;
  append_code_point(unescaped_, escape->value);
  if (!escape->canonical) verbatim_ = false;
  return escape->size;
}

}  // namespace dsh::todo
