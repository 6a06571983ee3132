#include <array>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "text/error.hpp"
#include "text/json_array.hpp"
#include "text/json_text.hpp"
#include "text/listed.hpp"
#include "view/paragraph.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

/// What a registration with each service is called, in the order of Service.
constexpr std::array<std::string_view, 4> kinds = {"tool", "observer", "invariant", "projection"};

std::string_view kind_of(const RegistrationReport &registration) {
  return kinds[static_cast<std::size_t>(registration.service)];
}

std::string registration_json(const RegistrationReport &registration) {
  std::string text = "{\"kind\":\"" + std::string(kind_of(registration)) +
                     "\",\"name\":" + json_string(registration.name) +
                     ",\"active\":" + (registration.active ? "true" : "false");
  if (!registration.failure.empty()) text += ",\"failure\":" + json_string(registration.failure);
  return text + '}';
}

std::string entry_json(const EntryReport &entry) {
  std::string text = "{\"id\":" + json_string(entry.id) + ",\"name\":" + json_string(entry.name) +
                     ",\"state\":\"" + std::string(to_string(entry.state)) + '"';
  if (!entry.file.empty())
    text += ",\"file\":" + json_string(entry.file) + ",\"label\":" + json_string(entry.label) +
            ",\"abiVersion\":" + std::to_string(entry.abi_version);
  if (!entry.missing.empty()) text += ",\"missing\":" + json_strings(entry.missing);
  if (!entry.failure.empty()) text += ",\"failure\":" + json_string(entry.failure);
  return text + ",\"registered\":" + json_array(entry.registered, registration_json) + '}';
}

/// Fits beside the longest of the words that stand before what is told of an entry.
constexpr std::size_t text_column = 14;

std::vector<std::string> lines_of(const EntryReport &entry, const Style &style) {
  const auto safe = [&](std::string_view text) { return shown(text, style); };
  std::string state(to_string(entry.state));
  if (entry.state == EntryState::provided) state += " by this host: nothing is loaded for it";
  if (!entry.missing.empty()) state += ", waits for " + listed(entry.missing);
  const std::string heading = safe(entry.name) + " (" + safe(entry.id) + "): " + safe(state);
  std::vector<std::string> lines = hanging(StyledLine(style), heading, 4);
  const auto tell = [&](std::string_view what, const std::string &text) {
    add_lines(lines, definition(what, text, text_column, style));
  };
  if (!entry.failure.empty()) tell("failure", safe(entry.failure));
  if (!entry.file.empty()) {
    tell("file", safe(entry.file));
    tell("plugin", safe(entry.label) + ", ABI " + std::to_string(entry.abi_version));
  }
  for (const RegistrationReport &one : entry.registered) {
    std::string text = safe(one.name);
    if (!one.failure.empty())
      text += ": " + safe(one.failure);
    else if (!one.active)
      text += " (waits for " + std::string(id_of(one.service)) + ')';
    tell(kind_of(one), text);
  }
  return lines;
}

}  // namespace

int plugins_command(const CommonOptions &common, const Output &output) {
  LoadedHost host(common, Keep::memory);
  const auto print = [&] {
    const std::vector<EntryReport> entries = host->report();
    if (common.json) return output.write_json("{\"plugins\":" + json_array(entries, entry_json) + "}\n");
    const Style style = detect_style(output.descriptor());
    std::string text;
    for (const EntryReport &entry : entries) text += joined(lines_of(entry, style));
    output.write(text);
  };
  try {
    host.load_or_name_file();
  } catch (const Error &) {  // the entries say which of them failed, and why
    if (!host->report().empty()) print();
    throw;
  }
  print();
  return exit_done;
}

}  // namespace dsh::loader
