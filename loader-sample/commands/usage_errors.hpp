// What is wrong with a command line, told in our own words instead of those of the library that reads it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dsh::loader {

/// Refuses an empty value: what a script left out by mistake, `--session "$UNSET"`, is not the default.
CLI::Validator filled();

/// Refuses all but these words, which outlive it.
CLI::Validator one_of(std::span<const std::string_view> words);

/// Refuses all but decimal numbers from `least` to `most`.
CLI::Validator number_between(std::uint64_t least, std::uint64_t most);

/// The error as one sentence without a full stop.
std::string in_our_words(const CLI::ParseError &error);

}  // namespace dsh::loader
