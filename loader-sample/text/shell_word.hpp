// Words of commands that a message tells somebody to run.
#pragma once

#include <string>
#include <string_view>

namespace dsh::loader {

/// `word` as a POSIX shell reads it back, quoted only where it has to be.
std::string shell_word(std::string_view word);

}  // namespace dsh::loader
