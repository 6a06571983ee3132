// Foreign text made safe to show: on a terminal, in a log of one line an entry.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace dsh::loader {

/// `text` (any bytes) on one line: control characters, escape codes, bidirectional controls, line and
/// paragraph separators, invisible tag characters become visible marks (`\n`, `\x1b`, `\u202e`),
/// malformed bytes and lone surrogates U+FFFD. The result is strict UTF-8.
std::string visible(std::string_view text);

/// The path as visible() text.
std::string visible_path(const std::filesystem::path &path);

/// The same JSON, with escapes (`\u009b`) for the characters beyond ASCII, and DEL, that visible() marks: a
/// text that may reach a terminal, and that parses to the same value. `json` is a JSON text, or a part of one
/// that ends between two characters.
std::string visible_json(std::string json);

}  // namespace dsh::loader
