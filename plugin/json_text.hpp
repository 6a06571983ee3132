// JSON as JavaScript writes it: the spelling of strings and numbers, to the byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dsh::todo {

/// A \uXXXX escape, or two of them that make a pair.
struct UnicodeEscape {
  char32_t value = 0;      ///< the code point; of half a pair that stands alone, the surrogate
  std::uint8_t size = 0;   ///< 6 or 12; 0: there is none
  bool canonical = false;  ///< would append_quoted write it like this?

  explicit operator bool() const noexcept { return size != 0; }
};

/// The escape that stands at `at`.
UnicodeEscape read_unicode_escape(std::string_view text, std::size_t at) noexcept;

/// The inside of a JSON string, which must be sound, without what String.prototype.trim takes off the ends of
/// the text it stands for: space as it is and space that is escaped.
std::string_view trim_escaped(std::string_view raw) noexcept;

/// Steps through the inside of a JSON string, which must be sound, as JSON.stringify spells it. That is never
/// longer.
class RespeltRuns {
 public:
  explicit RespeltRuns(std::string_view raw) noexcept : rest_(raw) {}

  /// The next piece, which lives until the next call. False behind the last one.
  bool next(std::string_view &run) noexcept;

 private:
  std::string_view rest_;
  std::array<char, 6> character_{};  ///< behind the piece before, where its escape was spelt otherwise
  std::size_t character_size_ = 0;
};

/// Writes all of that to `out`. Gives the end of what it wrote.
char *put_respelt(char *out, std::string_view raw) noexcept;

/// Appends `wtf8` as JSON.stringify writes it, quotes included: `\" \\ \b \f \n \r \t`, other controls
/// and lone surrogates as lowercase \u escapes, everything else as it is.
void append_quoted(std::string &out, std::string_view wtf8);

/// The same, as a text of its own.
std::string quoted(std::string_view wtf8);

/// Appends `value` as Number.prototype.toString writes it: the shortest digits that read back as the
/// same double, 1e21 and more with an exponent. -0 is 0; NaN and the infinities are spelt out.
void append_number(std::string &out, double value);

/// The double that JavaScript reads from `text`, which must be a JSON number: correctly rounded,
/// infinite beyond the range, -0 for the likes of -1e-400.
double read_number(std::string_view text) noexcept;

}  // namespace dsh::todo
