#include "commands/advice.hpp"

#include "commands/commands.hpp"
#include "text/shell_word.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

std::string option(std::string_view name, const std::string &value) {
  return value.empty() ? std::string() : ' ' + std::string(name) + ' ' + shell_word(visible(value));
}

}  // namespace

std::string with_our_plugins(std::string_view command, const CommonOptions &common) {
  std::string text = "loader-sample " + std::string(command) + option("--composition", common.composition);
  for (const std::string &directory : common.plugins) text += option("--plugins", directory);
  return text;
}

std::string with_our_sessions(std::string_view command, const CommonOptions &common) {
  return with_our_plugins(command, common) + option("--sessions", common.sessions);
}

}  // namespace dsh::loader
