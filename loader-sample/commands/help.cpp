#include "commands/help.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <utility>

#include "view/paragraph.hpp"

namespace dsh::loader {
namespace {

constexpr std::string_view program_name = "loader-sample";

using Lines = std::vector<std::string>;

void add_heading(Lines &lines, std::string_view heading, const Style &style) {
  lines.emplace_back();
  add_lines(lines, hanging(StyledLine(style), heading, 0, Paint::bold));
}

/// How an option is written: `-h, --help`, `--session ID`; of a positional one, `TOOL`.
std::string term_of(const CLI::Option &option) {
  if (option.get_positional()) return option.get_name(true);
  std::string term;
  for (const std::string &name : option.get_snames()) term += (term.empty() ? "-" : ", -") + name;
  for (const std::string &name : option.get_lnames()) term += (term.empty() ? "--" : ", --") + name;
  const std::string value = option.get_items_expected_max() > 0 ? option.get_type_name() : std::string();
  return value.empty() ? term : term + ' ' + value;
}

struct Definition {
  std::string term;
  std::string meaning;
};

void add_definitions(Lines &lines, const std::vector<Definition> &definitions, const Style &style) {
  std::size_t widest = 0;
  for (const Definition &one : definitions) widest = std::max(widest, one.term.size());
  for (const Definition &one : definitions)
    add_lines(lines, definition(one.term, one.meaning, widest + 4, style));
}

std::vector<Definition> options_of(const CLI::App &app, bool positional) {
  std::vector<Definition> definitions;
  for (const CLI::Option *option : app.get_options())
    if (option->get_positional() == positional)
      definitions.push_back({term_of(*option), option->get_description()});
  // The one for help, which is there first, comes last.
  if (!positional && !definitions.empty())
    std::rotate(definitions.begin(), definitions.begin() + 1, definitions.end());
  return definitions;
}

Lines opening(std::string_view command, std::string_view purpose, const Guide &guide, const Style &style) {
  StyledLine head(style);
  head.add("Usage: ", Paint::bold);
  std::string usage(program_name);
  for (const std::string_view part : {command, std::string_view(guide.usage)})
    if (!part.empty()) usage.append(" ").append(part);
  Lines lines = hanging(head, usage + " [OPTIONS]", 9);
  lines.emplace_back();
  add_lines(lines, hanging(StyledLine(style), std::string(purpose) + '.', 0));
  for (const std::string &paragraph : guide.paragraphs) {
    lines.emplace_back();
    add_lines(lines, hanging(StyledLine(style), paragraph, 0));
  }
  return lines;
}

/// Commands stand whole on their lines: they are there to be copied.
void add_examples(Lines &lines, const Guide &guide, const Style &style) {
  add_heading(lines, guide.examples.size() == 1 ? "Example:" : "Examples:", style);
  for (const std::string &example : guide.examples) lines.push_back("  " + example);
}

}  // namespace

std::string program_help(const CLI::App &program, const Guide &guide, const Style &style) {
  Lines lines = opening({}, program.get_description(), guide, style);
  add_heading(lines, "Commands:", style);
  std::vector<Definition> commands;
  for (const CLI::App *command : program.get_subcommands({}))
    commands.push_back({command->get_name(), command->get_description()});
  add_definitions(lines, commands, style);
  add_heading(lines, "Options of every command, before or after its name; each takes what it needs:", style);
  add_definitions(lines, options_of(program, false), style);
  add_examples(lines, guide, style);
  lines.emplace_back();
  for (const char *remark :
       {"loader-sample COMMAND --help tells more of a command.",
        "Exit status: 0 done; 1 done, and found something wrong (a tool's error, a damaged log, a "
        "failed check); 2 it couldn't be done."})
    add_lines(lines, hanging(StyledLine(style), remark, 0));
  return joined(lines);
}

std::string command_help(const CLI::App &command, const CLI::App &program, const Guide &guide,
                         const Style &style) {
  Lines lines = opening(command.get_name(), command.get_description(), guide, style);
  if (const auto arguments = options_of(command, true); !arguments.empty()) {
    add_heading(lines, "Arguments:", style);
    add_definitions(lines, arguments, style);
  }
  add_heading(lines, "Options:", style);
  add_definitions(lines, options_of(command, false), style);
  std::string common = "Options of every command, which loader-sample --help explains: ";
  for (const CLI::Option *option : program.get_options())
    if (option->get_configurable()) common += term_of(*option) + ", ";  // neither --help nor --version
  common.replace(common.size() - 2, 2, ".");
  lines.emplace_back();
  add_lines(lines, hanging(StyledLine(style), common, 0));
  add_examples(lines, guide, style);
  return joined(lines);
}

}  // namespace dsh::loader
