// A YAML text made ready for yaml-cpp, and what it would misjudge found before it looks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dsh::loader {

/// A text whose line ends are LF, which is strict UTF-8 without a byte order mark and without control
/// characters, whose directives are sound, and in which what yaml-cpp misreads is disguised: escapes of
/// surrogates, which it refuses, and question marks within words, which end a word between brackets.
/// Offsets in it are those of the text it was made from, line ends and a byte order mark aside.
class YamlText {
 public:
  /// Throws Error "<file>:<line>:<column>: <what>".
  YamlText(std::string_view text, std::string_view file);

  const std::string &text() const { return text_; }

  /// What a scalar or a tag read from text() stands for; pairs of surrogates joined. WTF-8.
  std::string undisguised(std::string scalar) const;

  /// Throws Error "<file>:<line>:<column>: <what>" for the byte at `offset` of text().
  [[noreturn]] void fail(std::size_t offset, const std::string &what) const;

 private:
  void normalise(std::string_view raw);
  void check_directives() const;
  void disguise_surrogates();
  void disguise_question_marks();

  std::string file_;
  std::string text_;
  char surrogate_digit_ = 0;  ///< stands for the first D of the escapes \uD8xx-\uDFxx; 0: nothing does
  char question_mark_ = '?';  ///< stands for a question mark within a word
};

}  // namespace dsh::loader
