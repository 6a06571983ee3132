// The help of the program and of its commands, for people.
#pragma once

#include <string>
#include <vector>

#include "view/styled_line.hpp"

namespace CLI {
class App;
}

namespace dsh::loader {

/// What a command's help says beside its options.
struct Guide {
  std::string usage;  ///< what stands after the command's name, `TOOL [ARGUMENTS] --session ID`
  std::vector<std::string> paragraphs;
  std::vector<std::string> examples;  ///< commands to be typed, without the program's name
};

/// Of the program: its commands, and the options of all of them.
std::string program_help(const CLI::App &program, const Guide &guide, const Style &style);

/// Of a command of the program: its own options, and the names of those that every command has.
std::string command_help(const CLI::App &command, const CLI::App &program, const Guide &guide,
                         const Style &style);

}  // namespace dsh::loader
