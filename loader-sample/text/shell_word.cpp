#include "text/shell_word.hpp"

namespace dsh::loader {

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char character : word)
    if (character == '\'')
      quoted += "'\\''";
    else
      quoted += character;
  return quoted + '\'';
}

}  // namespace dsh::loader
