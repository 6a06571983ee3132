// Foreign text made safe to show: on a terminal, in a log of one line an entry. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace dsh::loader {

/// In which characters marks, and the text itself, may be written.
enum class Charset {
  unicode,  ///< UTF-8
  ascii     ///< for terminals that show nothing else: other characters become \u{…} too
};

/// `text` (WTF-8, any bytes) as one line of printable text, nothing of it obeyed and nothing of it
/// hidden:
/// - a line break (LF, CR, CRLF, NEL, U+2028, U+2029) is `↵`, other C0 controls and DEL are their
///   pictures (ESC is `␛`); in ASCII `\n`, `\r`, `\t`, `\x1b`;
/// - C1 controls, bidirectional marks, overrides and isolates, interlinear and deprecated format
///   characters are `\u{9b}`, `\u{202e}`;
/// - lone surrogates and stray bytes are U+FFFD, in ASCII `?`.
/// What words and emoji are joined with (ZWJ, ZWNJ, variation selectors, marks) stays.
std::string visible(std::string_view text, Charset charset = Charset::unicode);

}  // namespace dsh::loader
