// A YAML text made ready for yaml-cpp, and what it would misjudge found before it looks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dsh::loader {

/// A text whose line ends are LF, which is strict UTF-8 without a byte order mark and without control
/// characters, whose directives are sound, and whose escapes of surrogates (yaml-cpp refuses them) are
/// disguised.
class YamlText {
 public:
  /// Throws Error "<file>:<line>:<column>: <what>".
  YamlText(std::string_view text, std::string_view file);

  const std::string &text() const { return text_; }

  /// What a scalar read from text() stands for: surrogates undisguised, pairs of them joined. WTF-8.
  std::string undisguised(const std::string &scalar) const;

  /// Throws Error "<file>:<line>:<column>: <what>" for the byte at `offset` of text().
  [[noreturn]] void fail(std::size_t offset, const std::string &what) const;

 private:
  void normalise(std::string_view raw);
  void check_directives() const;
  void disguise_surrogates();

  std::string file_;
  std::string text_;
  char disguise_ = 0;  ///< the hexadecimal digit that stands for the first D of \uD8xx-\uDFxx; 0: none
};

}  // namespace dsh::loader
