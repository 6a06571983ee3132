#include "commands/script_ops.hpp"

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agent/result_json.hpp"
#include "commands/script_line.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

std::shared_ptr<Session> session_of(PluginHost &host, const ScriptLine &line) {
  return host.sessions().find(line.text("session"));
}

std::string session_field(const Session &session) { return ",\"session\":" + json_string(session.id()); }

/// An event's fields in a line. Keeps the texts that the views of `event` lead to.
struct LineEvent {
  explicit LineEvent(const ScriptLine &line)
      : type(line.text("type")),
        event{type, line.json("data"), line.find("sourceEventSeqs").value_or(""),
              line.find("surfaceOp").value_or("")},
        seq(line.optional_integer("seq").value_or(-1)),
        time(line.optional_integer("time").value_or(-1)) {}
  LineEvent(const LineEvent &) = delete;
  LineEvent &operator=(const LineEvent &) = delete;

  std::string type;
  NewEvent event;
  std::int64_t seq;
  std::int64_t time;
};

/// Each pinned where it is: the views lead into it.
std::vector<std::unique_ptr<LineEvent>> events_of(const ScriptLine &line, std::string_view key) {
  std::vector<std::unique_ptr<LineEvent>> events;
  for (const ScriptLine &one : line.objects(key)) events.push_back(std::make_unique<LineEvent>(one));
  return events;
}

std::string tools(PluginHost &host, const ScriptLine & /*line*/) {
  return ",\"tools\":" + tools_json(host.tools().list());
}

std::string session_create(PluginHost &host, const ScriptLine &line) {
  const auto events = events_of(line, "seed");
  std::vector<SeedEvent> seed;
  seed.reserve(events.size());
  for (const auto &one : events) seed.push_back({one->event, one->seq, one->time});
  const auto id = line.optional_text("session");
  if (id && id->empty()) throw Error("a session id can't be empty; leave out \"session\" to have one made");
  return session_field(*host.sessions().create(id.value_or(""), seed));
}

std::string session_append(PluginHost &host, const ScriptLine &line) {
  const LineEvent given(line);
  return ",\"seq\":" + std::to_string(session_of(host, line)->append(given.event));
}

std::string session_events(PluginHost &host, const ScriptLine &line) {
  return ",\"events\":" + session_of(host, line)->events_json(line.optional_text("type").value_or(""));
}

std::string session_open(PluginHost &host, const ScriptLine &line) {
  const auto session = host.sessions().open(line.text("session"));
  return session_field(*session) + ",\"events\":" + std::to_string(session->size());
}

std::string session_dispose(PluginHost &host, const ScriptLine &line) {
  const std::string id = line.text("session");
  host.sessions().dispose(id);
  return ",\"session\":" + json_string(id);
}

/// The text of a tool's arguments. JSON strings may hold lone surrogates, texts of JSON may not.
std::string arguments_of(const ScriptLine &line) { return strict_json_text(line.text("arguments")); }

std::string tool_call(PluginHost &host, const ScriptLine &line) {
  const std::string name = line.text("name");
  const std::string arguments = arguments_of(line);
  const auto session = line.find("session") ? session_of(host, line) : nullptr;
  const ToolResult result = host.tools().call(name, arguments, session.get());
  std::string answer = result.is_error ? ",\"isError\":true" : ",\"isError\":false";
  answer += ",\"text\":" + json_string(result.text);
  if (!result.value.empty()) answer += ",\"value\":" + result.value;
  if (const std::string info = error_info_json(result); !info.empty()) answer += ",\"errorInfo\":" + info;
  return answer;
}

std::string tool_present(PluginHost &host, const ScriptLine &line) {
  return ",\"card\":" + host.tools().present(line.text("name"), arguments_of(line)).value_or("null");
}

std::string projection_read(PluginHost &host, const ScriptLine &line) {
  Projections &projections = host.projections();
  const Snapshot snapshot = projections.snapshot(*session_of(host, line));
  return ",\"asOfSeq\":" + std::to_string(snapshot.as_of_seq) + ",\"values\":" + values_json(snapshot.values);
}

std::string projection_checkpoint(PluginHost &host, const ScriptLine &line) {
  Projections &projections = host.projections();
  return ",\"checkpoint\":" + checkpoint_json(projections.checkpoint(*session_of(host, line)));
}

std::string projection_restore(PluginHost &host, const ScriptLine &line) {
  const std::int64_t base = line.integer("baseSeq");
  const auto given = events_of(line, "events");
  std::vector<Event> events;
  for (const auto &one : given) {
    const std::int64_t seq = one->seq >= 0 ? one->seq : base + static_cast<std::int64_t>(events.size());
    events.push_back({seq, one->time, one->event.type, one->event.data, one->event.source_event_seqs,
                      one->event.surface_op});
  }
  const auto [snapshot, checkpoint] =
      host.projections().restore(parse_checkpoint(line.json("checkpoint")), events, base);
  return ",\"snapshot\":{\"asOfSeq\":" + std::to_string(snapshot.as_of_seq) +
         ",\"values\":" + values_json(snapshot.values) + "},\"checkpoint\":" + checkpoint_json(checkpoint);
}

std::string projection_restore_floor(PluginHost &host, const ScriptLine &line) {
  const auto floor = host.projections().restore_floor(parse_checkpoint(line.json("checkpoint")));
  return ",\"floor\":" + (floor ? std::to_string(*floor) : "null");
}

std::string projection_view_checkpoint(PluginHost &host, const ScriptLine &line) {
  const auto values = host.projections().view_checkpoint(parse_checkpoint(line.json("checkpoint")));
  return ",\"values\":" + values_json(values);
}

std::string service_add(PluginHost &host, const ScriptLine &line) {
  host.add_service(line.text("name"));
  return {};
}

std::string service_remove(PluginHost &host, const ScriptLine &line) {
  host.remove_service(line.text("name"));
  return {};
}

std::string plugin_load(PluginHost &host, const ScriptLine &line) {
  host.load_plugin(line.text("id"));
  return {};
}

std::string plugin_unload(PluginHost &host, const ScriptLine &line) {
  host.unload_plugin(line.text("id"));
  return {};
}

constexpr std::array<std::pair<std::string_view, ScriptOp>, 17> ops = {{
    {"tools", tools},
    {"session/create", session_create},
    {"session/append", session_append},
    {"session/events", session_events},
    {"session/open", session_open},
    {"session/dispose", session_dispose},
    {"tool/call", tool_call},
    {"tool/present", tool_present},
    {"projection/read", projection_read},
    {"projection/checkpoint", projection_checkpoint},
    {"projection/restore", projection_restore},
    {"projection/restoreFloor", projection_restore_floor},
    {"projection/viewCheckpoint", projection_view_checkpoint},
    {"service/add", service_add},
    {"service/remove", service_remove},
    {"plugin/load", plugin_load},
    {"plugin/unload", plugin_unload},
}};

}  // namespace

ScriptOp find_script_op(std::string_view name) {
  for (const auto &[known, op] : ops)
    if (known == name) return op;
  return nullptr;
}

}  // namespace dsh::loader
