#include "log/log_header.hpp"

#include "log/log_paths.hpp"
#include "text/error.hpp"
#include "text/json_reader.hpp"
#include "text/json_scan.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

std::string text_of(std::string_view span) {
  auto text = string_value(span);
  if (!text) throw no_header();
  return *std::move(text);
}

std::int64_t count_of(std::string_view span) {
  const auto number = integer_value(span);
  if (!number || *number < 0) throw no_header();
  return *number;
}

/// A version beyond all that is read, however large.
bool is_huge(std::string_view number) {
  constexpr std::size_t longest = 40;  // of what is worth telling
  return number.size() <= longest && number.size() > 1 && number.front() != '0' &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string cwd_text(const std::optional<std::string> &cwd) { return cwd ? in_quotes(*cwd) : "no cwd"; }

Error too_deep_line(std::uint64_t number) {
  return Error("line " + std::to_string(number) + " is " + json_scan::too_deep +
               ", which this program doesn't read: the log is left as it is");
}

Error no_header() { return Error("corrupt session log: first line is not a session header"); }

Error unknown_format(std::string_view format) {
  return Error("session log format " + std::string(format) + " is unknown: this program reads 0 to " +
               std::to_string(newest_log_format));
}

SessionHeader parse_header_line(std::string_view line) {
  JsonReader reader(line);
  struct {
    std::string_view type, version, id, created_at, cwd, parent, seed, origin, depth, preset;
  } spans;
  std::string_view span;
  JsonString key;
  while (reader.next_member(key) && reader.value(span)) {
    if (key == "type") spans.type = span;
    if (key == "version") spans.version = span;
    if (key == "id") spans.id = span;
    if (key == "createdAt") spans.created_at = span;
    if (key == "cwd") spans.cwd = span;
    if (key == "parentSession") spans.parent = span;
    if (key == "seedLength") spans.seed = span;
    if (key == "origin") spans.origin = span;
    if (key == "delegationDepth") spans.depth = span;
    if (key == "agentPreset") spans.preset = span;
  }
  if (!reader.finish()) {
    if (check_json(line)) throw no_header();
    if (std::string_view(reader.problem()) == json_scan::too_deep) throw too_deep_line(1);
    throw Error("corrupt session log: header line is not valid JSON");
  }
  if (string_value(spans.type) != "session") throw no_header();
  // Before the rest: a format of the future may have another header.
  const auto version = integer_value(spans.version);
  if (!version && is_huge(spans.version)) throw unknown_format(spans.version);
  if (!version) throw no_header();
  if (*version < 0 || *version > newest_log_format) throw unknown_format(std::to_string(*version));
  SessionHeader header;
  header.version = *version;
  header.id = text_of(spans.id);
  header.created_at = count_of(spans.created_at);
  header.delegation_depth = std::nullopt;
  if (!spans.cwd.empty()) header.cwd = text_of(spans.cwd);
  if (!spans.parent.empty()) header.parent_session = text_of(spans.parent);
  if (!spans.seed.empty()) header.seed_length = count_of(spans.seed);
  if (!spans.origin.empty()) header.origin = text_of(spans.origin);
  if (!spans.depth.empty()) header.delegation_depth = count_of(spans.depth);
  if (!spans.preset.empty()) header.agent_preset = text_of(spans.preset);
  return header;
}

std::string header_line(const SessionHeader &header) {
  std::string line = R"({"type":"session","version":)" + std::to_string(header.version) + R"(,"id":)";
  append_json_string(line, header.id);
  line += R"(,"createdAt":)" + std::to_string(header.created_at);
  const auto text = [&line](const char *key, const std::optional<std::string> &value) {
    if (!value) return;
    line += key;
    append_json_string(line, *value);
  };
  text(R"(,"cwd":)", header.cwd);
  text(R"(,"parentSession":)", header.parent_session);
  if (header.seed_length) line += R"(,"seedLength":)" + std::to_string(*header.seed_length);
  text(R"(,"origin":)", header.origin);
  line += R"(,"delegationDepth":)" + std::to_string(header.delegation_depth.value_or(0));
  text(R"(,"agentPreset":)", header.agent_preset);
  line += "}\n";
  return line;
}

}  // namespace dsh::loader
