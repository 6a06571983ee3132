#include <string>
#include <utility>
#include <vector>

#include "check/heap.hpp"
#include "check/tests.hpp"
#include "check/verdict.hpp"

// What a plugin allocates in a call it frees before the call returns, however that ends.
namespace dsh::loader::check {
namespace {

using Calls = std::vector<std::pair<const ToolCopy *, std::string>>;

/// Some that keep each tool's schema, and one that doesn't.
Calls calls_of(const Rig &rig) {
  Generator random(11);
  Calls calls;
  for (const ToolCopy &tool : rig.tools()) {
    const Schema schema(tool.parameters);
    for (int i = 0; i < 4; ++i) calls.emplace_back(&tool, random.instance(schema));
    calls.emplace_back(&tool, random.violation(schema).value_or("[]"));
  }
  return calls;
}

void require_none_left(std::size_t each, const std::string &what) {
  require(each < 16, "each " + what + " leaves about " + std::to_string(each) + " bytes on the heap");
}

void calls_leave_no_memory(Subject &subject) {
  const auto rig = subject.applied();
  const Calls calls = calls_of(*rig);
  if (calls.empty()) skip("it registers no tool");
  const auto round = [&](int) {
    for (const auto &[tool, arguments] : calls) {
      subject.step(call_text(*tool, arguments) + " for no session");
      const Answer answer = rig->execute(*tool, arguments, nullptr);
      if (tool->abi.present != nullptr) rig->present(*tool, arguments);
      if (tool->abi.render != nullptr) rig->render(*tool, arguments, answer.out);
    }
    rig->forget_calls();
  };
  const auto has_time = [&] { return subject.has_time(); };
  require_none_left(bytes_left_by(round, 100, 300, has_time),
                    "round of " + std::to_string(calls.size()) + " calls");
}

/// Each round in a session of its own: a log that grows is no leak.
void sessions_leave_no_memory(Subject &subject) {
  const auto rig = subject.applied();
  const Calls calls = calls_of(*rig);
  const auto round = [&](int) {
    RigSession &session = rig->session("round");
    session.open_turn();
    for (const auto &[tool, arguments] : calls) {
      subject.step(call_text(*tool, arguments) + " for a session");
      const Answer answer = rig->execute(*tool, arguments, &session);
      if (tool->abi.render != nullptr) rig->render(*tool, arguments, answer.out);
    }
    for (std::size_t i = 0; i < rig->units().size(); ++i)
      if (rig->units()[i].abi.restore != nullptr) rig->restore(rig->units()[i], session.state(i));
    rig->end(session);
    rig->forget_calls();
  };
  const auto has_time = [&] { return subject.has_time(); };
  require_none_left(bytes_left_by(round, 30, 100, has_time),
                    "session with " + std::to_string(calls.size()) + " calls in it");
}

void refused_calls_leave_no_memory(Subject &subject) {
  const auto rig = subject.applied();
  const Calls calls = calls_of(*rig);
  if (calls.empty()) skip("it registers no tool");
  const auto round = [&](int number) {
    RigSession &session = rig->session("round");
    session.open_turn();
    for (const auto &[tool, arguments] : calls) {
      subject.step(call_text(*tool, arguments) + " that the host refuses");
      session.refuse_append = Refusal{};
      rig->execute(*tool, arguments, &session);
      CallPlan plan;
      plan.refuse_after = static_cast<std::size_t>(number % 40);
      rig->execute(*tool, arguments, &session, plan);
    }
    rig->end(session);
    rig->forget_calls();
  };
  const auto has_time = [&] { return subject.has_time(); };
  require_none_left(bytes_left_by(round, 40, 80, has_time),
                    "round of " + std::to_string(calls.size()) + " calls that the host refuses");
}

void failed_applies_leave_no_memory(Subject &subject) {
  const std::string config = subject.configs().front();
  std::size_t adds = 0;
  std::vector<std::string> refused = {"", "{", "[]"};
  {
    const auto rig = subject.applied();
    adds = rig->adds();
    Generator random(19);
    if (const auto schema = subject.config_schema())
      for (int i = 0; i < 3; ++i) refused.push_back(random.violation(*schema).value_or("1"));
  }
  const auto round = [&](int) {
    for (const std::string &wrong : refused) {
      subject.step("apply with the config " + excerpt(wrong));
      Rig(subject.options()).apply(subject.library().apply(), wrong);
    }
    for (std::size_t number = 0; number <= adds; ++number) {
      RigOptions options = subject.options();
      if (number == adds) options.on_dispose = DSH_NO_MEMORY;
      options.refuse_add = [number](std::string_view, std::size_t nth) {
        return nth == number ? std::optional<Refusal>(Refusal{}) : std::nullopt;
      };
      subject.step("apply at a host that refuses");
      Rig(options).apply(subject.library().apply(), config);
    }
  };
  const auto has_time = [&] { return subject.has_time(); };
  require_none_left(bytes_left_by(round, 10, 60, has_time), "round of applies that fail");
}

}  // namespace

std::vector<Test> leak_tests() {
  return {
      {"life.calls", "calls leave no memory behind", &calls_leave_no_memory},
      {"life.sessions", "sessions leave no memory behind, when they have ended", &sessions_leave_no_memory},
      {"life.refused_calls", "calls that the host refuses leave no memory behind",
       &refused_calls_leave_no_memory},
      {"life.refused_applies", "an apply that fails leaves no memory behind",
       &failed_applies_leave_no_memory},
  };
}

}  // namespace dsh::loader::check
