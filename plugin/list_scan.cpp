#include "list_scan.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstring>

#include "json_text.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace {

bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Does this byte end a run of a string's plain characters?
bool ends_run(char c) noexcept { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

/// Where the run of plain characters at `at` ends.
const char *run_end(const char *at, const char *end) noexcept {
#if defined(__SSE2__)
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
    const __m128i marks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    if (const auto ends = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(marks, controls))); ends != 0)
      return at + std::countr_zero(ends);
  }
#endif
  while (at != end && !ends_run(*at)) ++at;
  return at;
}

bool starts_with(const char *at, const char *end, std::string_view text) noexcept {
  return static_cast<std::size_t>(end - at) >= text.size() && std::memcmp(at, text.data(), text.size()) == 0;
}

/// Behind a status and its closing quote, which start at `at`; null where they don't.
const char *status_end(const char *at, const char *end, Status &status) noexcept {
  const auto behind = [&](std::string_view text, Status read) -> const char * {
    if (!starts_with(at, end, text)) return nullptr;
    status = read;
    return at + text.size();
  };
  if (at == end) return nullptr;
  switch (*at) {
    case 'p':
      return behind("pending\"", Status::pending);
    case 'i':
      return behind("in_progress\"", Status::in_progress);
    default:
      return behind("completed\"", Status::completed);
  }
}

/// What a character means behind a backslash.
enum class EscapeKind : unsigned char { none, canonical, other, unicode };

/// By the character. A table, for which of them comes is hard to foresee.
constexpr auto escape_kinds = [] {
  std::array<EscapeKind, 256> kinds{};
  for (const char c : std::string_view("\"\\bfnrt"))
    kinds[static_cast<unsigned char>(c)] = EscapeKind::canonical;
  kinds['/'] = EscapeKind::other;
  kinds['u'] = EscapeKind::unicode;
  return kinds;
}();

struct Escape {
  std::size_t size;  // 0: it is none
  bool canonical;
};

/// The escape whose backslash stands at `at`.
Escape read_escape(const char *at, const char *end) noexcept {
  if (end - at < 2) return {0, false};
  const EscapeKind kind = escape_kinds[static_cast<unsigned char>(at[1])];
  if (kind != EscapeKind::unicode) return {kind == EscapeKind::none ? 0U : 2U, kind == EscapeKind::canonical};
  const UnicodeEscape escape = read_unicode_escape({at, static_cast<std::size_t>(end - at)}, 0);
  return {escape.size, escape.canonical};
}

struct Content {
  const char *end = nullptr;  // its closing quote; null: it is broken
  bool escaped = false;
  bool canonical = true;
};

/// The content that starts at `at`.
Content read_content(const char *at, const char *end) noexcept {
  Content content;
  for (;;) {
    at = run_end(at, end);
    if (at == end) return {};
    if (*at == '"') break;
    if (*at != '\\') return {};
    const Escape escape = read_escape(at, end);
    if (escape.size == 0) return {};
    content.escaped = true;
    content.canonical &= escape.canonical;
    at += escape.size;
  }
  content.end = at;
  return content;
}

ScannedItem item_of(const char *begin, const Content &content, Status status) noexcept {
  return {{begin, static_cast<std::size_t>(content.end - begin)}, content.escaped, content.canonical, status};
}

}  // namespace

bool ListScan::next(ScannedItem &item) {
  switch (state_) {
    case State::later:
      if (!take(',')) return take(']') ? close() : give_up();
      break;
    case State::first:
      if (!open()) return give_up();
      if (take(']')) return close();
      state_ = State::later;
      break;
    case State::complete:
    case State::given_up:
      return false;
  }
  return take_compact_item(item) || take_item(item) || give_up();
}

bool ListScan::give_up() noexcept {
  state_ = State::given_up;
  return false;
}

/// The text is looked at as a whole first: UTF-8 is no matter of its parts then.
bool ListScan::open() noexcept {
  if (find_invalid_utf8({begin_, static_cast<std::size_t>(end_ - begin_)}) != std::string_view::npos)
    return false;
  if (form_ == Form::keyed && !(take('{') && take("\"todos\"") && take(':'))) return false;
  skip_space();
  list_begin_ = at_;
  return take('[');
}

/// Never true: there is no further item.
bool ListScan::close() noexcept {
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
  if (!starts_with(at_, end_, text)) return false;
  at_ += text.size();
  return true;
}

bool ListScan::take_item(ScannedItem &item) noexcept {
  if (!take('{')) return false;
  if (take("\"content\""))
    return take(':') && take_content(item) && take(',') && take("\"status\"") && take(':') &&
           take_status(item) && take('}');
  verbatim_ = false;
  if (!(take("\"status\"") && take(':') && take_status(item) && take(',') && take("\"content\"") &&
        take(':') && take_content(item) && take('}')))
    return false;
  item.status_first = true;
  return true;
}

/// The usual spelling, at a stretch: no space, content first. Moves nothing where it is another.
bool ListScan::take_compact_item(ScannedItem &item) noexcept {
  constexpr std::string_view before_content = R"({"content":")";
  constexpr std::string_view before_status = R"(","status":")";
  if (!starts_with(at_, end_, before_content)) return false;
  const char *const begin = at_ + before_content.size();
  const Content content = read_content(begin, end_);
  if (content.end == nullptr || !starts_with(content.end, end_, before_status)) return false;
  Status status{};
  const char *const at = status_end(content.end + before_status.size(), end_, status);
  if (at == nullptr || at == end_ || *at != '}') return false;
  item = item_of(begin, content, status);
  if (!item.canonical) verbatim_ = false;
  at_ = at + 1;
  return true;
}

bool ListScan::take_content(ScannedItem &item) noexcept {
  if (!take('"')) return false;
  const Content content = read_content(at_, end_);
  if (content.end == nullptr) return false;
  item = item_of(at_, content, item.status);
  if (!item.canonical) verbatim_ = false;
  at_ = content.end + 1;
  return true;
}

bool ListScan::take_status(ScannedItem &item) noexcept {
  if (!take('"')) return false;
  const char *const behind = status_end(at_, end_, item.status);
  if (behind == nullptr) return false;
  at_ = behind;
  return true;
}

}  // namespace dsh::todo
