#include "check/subject.hpp"

#include <algorithm>
#include <utility>

#include "check/verdict.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"
#include "text/visible.hpp"

namespace dsh::loader::check {

Subject::Subject(const Target &target, std::uint64_t seed, Place place)
    : target_(target),
      place_(std::move(place)),
      half_(std::chrono::steady_clock::now() + target.limit / 2),
      random_(seed) {}

const PluginLibrary &Subject::library() {
  if (library_ == nullptr) {
    step("opening the library");
    library_ = libraries_.open(LibraryFile::open(target_.library));
  }
  return *library_;
}

bool Subject::unmap() {
  if (library_ == nullptr) return true;
  return libraries_.close(std::exchange(library_, nullptr)) == Unmapped::yes;
}

std::optional<Schema> Subject::config_schema() {
  const auto &text = library().config_schema();
  if (!text) return std::nullopt;
  return Schema(*text);
}

std::vector<std::string> Subject::candidates() {
  if (!target_.configs.empty()) return target_.configs;
  std::vector<std::string> tried;
  try {
    if (const auto schema = config_schema()) {
      for (int i = 0; i < 60 && tried.size() < 6; ++i) {
        std::string made = random_.instance(*schema);
        if (std::find(tried.begin(), tried.end(), made) == tried.end()) tried.push_back(std::move(made));
      }
      return tried;
    }
  } catch (const Error &) {  // no schema worth its name: config.schema reports it
  }
  return {"null", "{}"};
}

const std::vector<std::string> &Subject::configs() {
  if (!configs_.empty()) return configs_;
  for (std::string &config : candidates()) {
    step("apply with the config " + excerpt(config));
    Rig rig(options());
    if (rig.apply(library().apply(), config).ok()) configs_.push_back(std::move(config));
  }
  if (configs_.empty()) skip("no config was accepted: see config.valid; name one with --config");
  return configs_;
}

RigOptions Subject::options() const {
  RigOptions options;
  options.absent = target_.without;
  return options;
}

std::unique_ptr<Rig> Subject::applied(const std::string &config, RigOptions options) {
  auto rig = std::make_unique<Rig>(std::move(options));
  step("apply with the config " + excerpt(config));
  const Answer answer = rig->apply(library().apply(), config);
  if (!answer.ok()) fail("apply with the config " + excerpt(config) + " failed: " + excerpt(answer.error));
  return rig;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t most = 100;
  if (text.size() <= most) return visible(text);
  std::size_t size = 0;
  for (std::size_t next = decode(text).size; next <= most; next += decode(text.substr(next)).size)
    size = next;
  return visible(text.substr(0, size)) + "…";
}

void require_none(Misdeed kind, const Rig &rig) {
  const std::string misdeed = rig.misdeed(kind);
  require(misdeed.empty(), misdeed);
}

std::string difference(const std::string &before, const std::string &now) {
  constexpr std::size_t shown_before = 20;
  const auto at = static_cast<std::size_t>(
      std::mismatch(before.begin(), before.end(), now.begin(), now.end()).first - before.begin());
  const std::size_t start = at - std::min(at, shown_before);
  return excerpt(before.substr(start)) + " became " + excerpt(now.substr(start));
}

std::string call_text(const ToolCopy &tool, std::string_view arguments) {
  return "execute of " + excerpt(tool.name) + " with " + (arguments.empty() ? "no text" : excerpt(arguments));
}

void require_sound(const Answer &answer, const std::string &what, MayBe may_be) {
  require(answer.breach.empty(), what + ": " + answer.breach);
  if (answer.status == DSH_OK) return;
  // Who fails because a function of the host failed may return the status that it got. That read was stopped
  // by the plugin's own function is no failure of read.
  const bool stopped = answer.relayed == "read" && answer.status == DSH_NONE;
  const bool passed_on = !answer.relayed.empty() && !stopped;
  if (answer.status == DSH_NONE && !passed_on) {
    require(may_be == MayBe::none,
            what + " returned DSH_NONE, " +
                (stopped ? "with which its reading of the session had stopped, and " : "") +
                "which is no answer of this function");
    return;
  }
  if (answer.status == DSH_VIOLATED && !passed_on)
    require(may_be == MayBe::violated, what + " returned DSH_VIOLATED, which is for check alone");
  const bool needs_no_text =
      answer.status == DSH_NO_MEMORY || answer.relayed == "write" || answer.relayed == "on_dispose";
  require(!answer.error.empty() || needs_no_text,
          what + " failed with status " + std::to_string(answer.status) + " and no text");
  require(is_wtf8(answer.error), what + " failed with a text that is no WTF-8: " + excerpt(answer.error));
}

Use use(Subject &subject, Rig &rig, Generator &random) {
  Use all;
  RigSession &session = rig.session("used");
  session.open_turn();
  for (const ToolCopy &tool : rig.tools()) {
    std::vector<std::string> arguments;
    try {
      const Schema schema(tool.parameters);
      for (int i = 0; i < 8; ++i) arguments.push_back(random.instance(schema, i < 4));
      for (int i = 0; i < 4; ++i) arguments.push_back(random.violation(schema).value_or("[]"));
    } catch (const Error &) {  // tools.descriptor reports it
    }
    arguments.insert(arguments.end(), {"", "{", "[]", random.bytes(50)});
    for (const std::string &text : arguments) {
      subject.step(call_text(tool, text));
      ToolUse &call = all.calls.emplace_back(rig.execute(tool, text, &session));
      if (call.executed.ok() && tool.abi.render != nullptr)
        call.rendered = rig.render(tool, text, call.executed.out);
      if (tool.abi.present != nullptr) call.presented = rig.present(tool, text);
    }
  }
  session.append("step/end", R"({"turn":1,"step":1})");
  session.append("turn/end", R"({"turn":1,"reason":{"kind":"done"}})");
  for (std::size_t i = 0; i < rig.units().size(); ++i) all.states.push_back(session.state(i));
  all.log = session.events();
  return all;
}

std::vector<LoggedEvent> sample_events(Subject &subject, Rig &rig, std::size_t count) {
  Generator &random = subject.random();
  RigSession &session = rig.session("sampled");
  session.open_turn();
  for (const ToolCopy &tool : rig.tools()) {
    try {
      const Schema schema(tool.parameters);
      for (int i = 0; i < 12; ++i) {
        const std::string arguments = random.instance(schema, i < 6);
        subject.step(call_text(tool, arguments));
        rig.execute(tool, arguments, &session);
      }
    } catch (const Error &) {  // tools.descriptor reports it
    }
  }
  std::vector<LoggedEvent> events = session.events();
  const std::vector<LoggedEvent> own = events;
  std::set<std::string> types;
  for (const InvariantCopy &rule : rig.invariants()) types.insert(rule.types.begin(), rule.types.end());
  for (const UnitCopy &unit : rig.units()) types.insert(unit.types.begin(), unit.types.end());
  for (const LoggedEvent &event : own) types.insert(event.type);
  const std::vector<std::string> known(types.begin(), types.end());
  while (events.size() < count) {
    const LoggedEvent &near = own[random.below(own.size())];
    if (random.one_in(4))
      events.push_back({known[random.below(known.size())], random.any_json(), 0, 0});
    else
      events.push_back({near.type, random.mutation(near.data), 0, 0});
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].seq = static_cast<std::int64_t>(i);
    events[i].time = 1'700'000'000'000 + static_cast<std::int64_t>(i);
  }
  return events;
}

}  // namespace dsh::loader::check
