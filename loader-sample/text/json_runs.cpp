#include "text/json_runs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t size_of_u_escape = 6;

/// The code unit of the `\uXXXX` at the start of `text`; -1: another thing stands there.
std::int32_t code_unit(std::string_view text) noexcept {
  std::int32_t unit = -1;
  if (text.size() >= size_of_u_escape && text.starts_with("\\u"))
    std::from_chars(text.data() + 2, text.data() + size_of_u_escape, unit, 16);
  return unit;
}

/// Hashes a text, whatever pieces it comes in. Both factors of a product hang on the seed, so that nobody who
/// doesn't know it can write texts that collide.
class StreamHash {
 public:
  explicit StreamHash(std::uint64_t seed) noexcept
      : secret_((~seed * 0x9E37'79B9'7F4A'7C15U) | 1U), hash_(~seed * 0xA076'1D64'78BD'642FU) {}

  void add(std::string_view run) noexcept {
    size_ += run.size();
    for (; filled_ == 0 && run.size() >= word_.size(); run.remove_prefix(word_.size())) mix(run.data());
    while (!run.empty()) {
      const std::size_t taken = std::min(run.size(), word_.size() - filled_);
      std::memcpy(word_.data() + filled_, run.data(), taken);
      run.remove_prefix(taken);
      filled_ += taken;
      if (filled_ == word_.size()) mix(word_.data());
    }
  }

  std::uint64_t finish() noexcept {
    std::fill(word_.begin() + static_cast<std::ptrdiff_t>(filled_), word_.end(), '\0');
    mix(word_.data());
    std::memcpy(word_.data(), &size_, sizeof size_);
    mix(word_.data());
    return hash_;
  }

 private:
  __extension__ using Product = unsigned __int128;

  void mix(const char *at) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const Product product = Product{hash_ ^ word} * (secret_ ^ std::rotl(word, 32));
    hash_ = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
    filled_ = 0;
  }

  std::uint64_t secret_;
  std::uint64_t hash_;
  std::uint64_t size_ = 0;
  std::array<char, sizeof(std::uint64_t)> word_{};
  std::size_t filled_ = 0;
};

}  // namespace

bool JsonRuns::next(std::string_view &run) {
  if (rest_.empty()) return false;
  if (rest_.front() == '\\') {
    take_escape();
    run = character_;
  } else {
    run = rest_.substr(0, rest_.find('\\'));
    rest_.remove_prefix(run.size());
  }
  return true;
}

void JsonRuns::take_escape() {
  character_.clear();
  const std::int32_t unit = code_unit(rest_);
  if (unit < 0) {
    constexpr std::string_view letters = "bfnrt";
    constexpr std::string_view controls = "\b\f\n\r\t";
    const std::size_t at = letters.find(rest_[1]);
    character_ = at == std::string_view::npos ? rest_[1] : controls[at];
    rest_.remove_prefix(2);
    return;
  }
  rest_.remove_prefix(size_of_u_escape);
  const std::int32_t low = unit >= 0xD800 && unit < 0xDC00 ? code_unit(rest_) : -1;
  if (low < 0xDC00 || low >= 0xE000) {
    append_code_point(character_, static_cast<std::uint32_t>(unit));
    return;
  }
  rest_.remove_prefix(size_of_u_escape);
  append_code_point(character_,
                    static_cast<std::uint32_t>(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)));
}

bool spell_the_same(std::string_view raw, std::string_view other_raw) {
  if (raw == other_raw) return true;
  JsonRuns runs(raw);
  JsonRuns other_runs(other_raw);
  std::string_view run;
  std::string_view other;
  for (;;) {
    const bool more = !run.empty() || runs.next(run);
    const bool other_more = !other.empty() || other_runs.next(other);
    if (!more || !other_more) return more == other_more;
    const std::size_t size = std::min(run.size(), other.size());
    if (run.substr(0, size) != other.substr(0, size)) return false;
    run.remove_prefix(size);
    other.remove_prefix(size);
  }
}

std::uint64_t hash_of_json_string(std::string_view raw, std::uint64_t seed) {
  StreamHash hash(seed);
  JsonRuns runs(raw);
  for (std::string_view run; runs.next(run);) hash.add(run);
  return hash.finish();
}

void unescape_json(std::string &out, std::string_view raw) {
  out.clear();
  JsonRuns runs(raw);
  for (std::string_view run; runs.next(run);) out += run;
}

std::string excerpt_of_json_string(std::string_view raw, std::size_t bytes) {
  std::string start;
  JsonRuns runs(raw);
  for (std::string_view run; runs.next(run);) {
    const std::string_view fits = start_of_text(run, bytes - start.size());
    start += fits;
    if (fits.size() < run.size()) return start + "…";
  }
  return start;
}

}  // namespace dsh::loader
