#include "commands/usage_errors.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "text/listed.hpp"

namespace dsh::loader {
namespace {

/// None of the library's own words about what a value may be reaches the help.
template <typename Check>
CLI::Validator unnamed(Check check) {
  return {std::move(check), ""};
}

bool is_number_between(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
}

}  // namespace

CLI::Validator filled() {
  return unnamed(
      [](const std::string &value) -> std::string { return value.empty() ? "must not be empty" : ""; });
}

CLI::Validator one_of(std::span<const std::string_view> words) {
  return unnamed([words](const std::string &value) {
    const bool known = std::find(words.begin(), words.end(), value) != words.end();
    return known ? std::string() : "must be " + listed(words, " or ") + ", not \"" + value + '"';
  });
}

CLI::Validator number_between(std::uint64_t least, std::uint64_t most) {
  return unnamed([least, most](const std::string &value) {
    return is_number_between(value, least, most) ? std::string()
                                                 : "must be a number from " + std::to_string(least) + " to " +
                                                       std::to_string(most) + ", not \"" + value + '"';
  });
}

std::string in_our_words(const CLI::ParseError &error) {
  const std::string what = error.what();
  const std::string option = what.substr(0, what.find_first_of(": "));
  const auto says = [&what](std::string_view part) { return what.find(part) != std::string::npos; };
  const auto after = [&what](std::string_view part) { return what.substr(what.find(part) + part.size()); };
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ValidationError:
      return option + after(":");
    case CLI::ExitCodes::ExcludesError:
      return option + " does not go with " + after(" excludes ");
    case CLI::ExitCodes::RequiredError:
      return says("subcommand") ? "a command is missing" : option + " is missing";
    case CLI::ExitCodes::ArgumentMismatch:
      if (says("flag override")) return (option.size() > 1 ? "--" : "-") + option + " takes no value";
      if (says("At Most")) return option + " may be given only once";
      return says(" missing") ? option + " needs a value" : what;
    default:
      return error.what();
  }
}

}  // namespace dsh::loader
