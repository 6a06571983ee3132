#include "list_scan.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cstring>
#include <optional>

#include "json_text.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace {

bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Does this byte end a run of a string's plain characters?
bool ends_run(char c) noexcept { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

/// Where the run of plain characters at `at` ends. Sets `ascii` to false if it may hold others than ASCII.
const char *run_end(const char *at, const char *end, bool &ascii) noexcept {
#if defined(__SSE2__)
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
    const __m128i marks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    if (_mm_movemask_epi8(bytes) != 0) ascii = false;
    if (const auto ends = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(marks, controls))); ends != 0)
      return at + std::countr_zero(ends);
  }
#endif
  for (; at != end && !ends_run(*at); ++at) {
    if (static_cast<unsigned char>(*at) >= 0x80) ascii = false;
  }
  return at;
}

bool starts_with(const char *at, const char *end, std::string_view text) noexcept {
  return static_cast<std::size_t>(end - at) >= text.size() && std::memcmp(at, text.data(), text.size()) == 0;
}

/// Reads a status and its closing quote at `at`, and moves behind them.
bool read_status(const char *&at, const char *end, Status &status) noexcept {
  constexpr std::string_view kPending = "pending\"";
  constexpr std::string_view kInProgress = "in_progress\"";
  constexpr std::string_view kCompleted = "completed\"";
  const auto read = [&](std::string_view text, Status read_status) {
    if (!starts_with(at, end, text)) return false;
    at += text.size();
    status = read_status;
    return true;
  };
  return read(kPending, Status::pending) || read(kCompleted, Status::completed) ||
         read(kInProgress, Status::in_progress);
}

}  // namespace

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

bool ListScan::open() noexcept {
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

bool ListScan::take_item(ScannedItem &item) {
  item = ScannedItem();
  if (take_compact_item(item)) return true;
  if (!take('{')) return false;
  if (take("\"content\"")) {
    return take(':') && take_content(item) && take(',') && take("\"status\"") && take(':') &&
           take_status(item) && take('}');
  }
  verbatim_ = false;
  return take("\"status\"") && take(':') && take_status(item) && take(',') && take("\"content\"") &&
         take(':') && take_content(item) && take('}');
}

/// The usual spelling, at a stretch: no space, no escape, content first. Moves nothing where it is another.
bool ListScan::take_compact_item(ScannedItem &item) noexcept {
  constexpr std::string_view kBeforeContent = R"({"content":")";
  constexpr std::string_view kBeforeStatus = R"(","status":")";
  if (!starts_with(at_, end_, kBeforeContent)) return false;
  const char *const begin = at_ + kBeforeContent.size();
  bool ascii = true;
  const char *at = run_end(begin, end_, ascii);
  if (!starts_with(at, end_, kBeforeStatus)) return false;
  const std::string_view raw(begin, static_cast<std::size_t>(at - begin));
  if (!ascii && find_invalid_utf8(raw) != std::string_view::npos) return false;
  at += kBeforeStatus.size();
  if (!read_status(at, end_, item.status) || at == end_ || *at != '}') return false;
  item.raw = raw;
  at_ = at + 1;
  return true;
}

bool ListScan::take_content(ScannedItem &item) {
  if (!take('"')) return false;
  const char *const begin = at_;
  bool ascii = true;
  for (;;) {
    at_ = run_end(at_, end_, ascii);
    if (at_ == end_) return false;
    if (*at_ == '"') break;
    if (*at_ != '\\' || !take_escape(item)) return false;
  }
  item.raw = {begin, static_cast<std::size_t>(at_ - begin)};
  ++at_;
  if (!item.canonical) verbatim_ = false;
  return ascii || find_invalid_utf8(item.raw) == std::string_view::npos;
}

bool ListScan::take_escape(ScannedItem &item) {
  if (end_ - at_ < 2) return false;
  std::size_t size = 2;
  if (is_short_escape(at_[1])) {
    if (at_[1] == '/') item.canonical = false;
  } else {
    const std::optional<UnicodeEscape> escape =
        read_unicode_escape({at_, static_cast<std::size_t>(end_ - at_)}, 0);
    if (!escape) return false;
    if (!escape->canonical) item.canonical = false;
    size = escape->size;
  }
  item.last_escape = {at_, size};
  at_ += size;
  return true;
}

bool ListScan::take_status(ScannedItem &item) noexcept {
  return take('"') && read_status(at_, end_, item.status);
}

}  // namespace dsh::todo
