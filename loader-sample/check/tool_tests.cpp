#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "check/each_tool.hpp"
#include "check/tests.hpp"
#include "check/verdict.hpp"
#include "log/known_event_types.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader::check {
namespace {

/// Arguments that keep the tool's schema, ordinary ones first.
std::vector<std::string> valid_arguments(Subject &subject, const ToolCopy &tool, int count) {
  const Schema schema(tool.parameters);
  std::vector<std::string> arguments;
  arguments.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) arguments.push_back(subject.random().instance(schema, i * 3 < count * 2));
  return arguments;
}

void descriptor(Subject &subject) {
  each_tool(subject, [](Rig &, RigSession &, const ToolCopy &tool) {
    const std::string what = "the tool " + excerpt(tool.name);
    require(is_wtf8(tool.name) && is_wtf8(tool.description),
            what + " has a name or a description that is no UTF-8");
    try {
      const Schema parameters(tool.parameters);
      require(parameters.is_of_object(), what + ": the root of its parameters has not \"type\":\"object\"");
    } catch (const Error &error) {
      fail(what + ": its parameters: " + error.what());
    }
    if (tool.output.empty()) return;
    try {
      const Schema output(tool.output);
    } catch (const Error &error) {
      fail(what + ": its output: " + error.what());
    }
  });
}

void good_manners(Subject &subject) {
  each_tool(subject, [](Rig &, RigSession &, const ToolCopy &tool) {
    const bool plain =
        tool.name.size() <= 64 && std::all_of(tool.name.begin(), tool.name.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '_' || c == '-';
        });
    if (!plain)
      warn("the name " + excerpt(tool.name) +
           " is more than letters, digits, _ and -, or longer than 64: models refuse it");
    if (tool.description.empty())
      warn("the tool " + excerpt(tool.name) + " has no description for the model to read");
    if (tool.abi.mode != DSH_EXCLUSIVE && tool.abi.mode != DSH_PARALLEL)
      warn("the tool " + excerpt(tool.name) + " has the unknown mode " + std::to_string(tool.abi.mode) +
           ", which counts as DSH_EXCLUSIVE");
  });
}

void valid_calls(Subject &subject) {
  std::size_t good = 0;
  std::string first_failure;
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    const auto sent = valid_arguments(subject, tool, 60);
    for (const std::string &arguments : subject.timely(sent)) {
      subject.step(call_text(tool, arguments));
      const Answer answer = rig.execute(tool, arguments, &session);
      require_sound(answer, call_text(tool, arguments));
      if (!answer.ok()) {
        if (first_failure.empty()) first_failure = call_text(tool, arguments) + ": " + excerpt(answer.error);
        continue;
      }
      ++good;
      require(!answer.text.empty(), call_text(tool, arguments) + " succeeded and gave the model no text");
      require(is_wtf8(answer.text),
              call_text(tool, arguments) + " gave a text that is no WTF-8: " + excerpt(answer.text));
    }
  });
  if (good == 0)
    warn("no call succeeded, though the arguments keep the schema; the first failure: " + first_failure);
}

/// An agent's session is on disk: what it does not take, the tool never gets done there.
void durable_events(Subject &subject) {
  bool any = false;
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    const auto sent = valid_arguments(subject, tool, 20);
    for (const std::string &arguments : subject.timely(sent)) {
      subject.step(call_text(tool, arguments));
      const std::size_t before = session.events().size();
      rig.execute(tool, arguments, &session);
      for (std::size_t i = before; i < session.events().size(); ++i) {
        any = true;
        const std::string &type = session.events()[i].type;
        if (is_known_event_type(type)) continue;
        warn(call_text(tool, arguments) + " appends an event of the type \"" + excerpt(type) +
             "\", which log format 0 does not know: a session on disk refuses it, and the call fails there");
      }
    }
  });
  if (!any) skip("no tool of it appends");
}

void value_keeps_output(Subject &subject) {
  bool declared = false;
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    std::optional<Schema> output;
    if (!tool.output.empty()) output.emplace(tool.output);
    declared = declared || output;
    const auto sent = valid_arguments(subject, tool, 60);
    for (const std::string &arguments : subject.timely(sent)) {
      subject.step(call_text(tool, arguments));
      const Answer answer = rig.execute(tool, arguments, &session);
      if (!answer.ok()) continue;
      if (answer.out.empty()) {
        require(!output, call_text(tool, arguments) + " gave no value, though it declares a schema for it");
        continue;
      }
      require(static_cast<bool>(check_json(answer.out)),
              call_text(tool, arguments) + " gave a value that is not JSON: " + excerpt(answer.out));
      if (!output) continue;
      if (const auto fault = output->fault(answer.out))
        fail(call_text(tool, arguments) + " gave the value " + excerpt(answer.out) +
             ", which breaks its output schema: " + *fault);
    }
  });
}

void invalid_is_refused(Subject &subject) {
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    const Schema schema(tool.parameters);
    std::vector<std::string> sent = {"[]", "null", "1", "\"text\"", "not JSON"};
    for (int i = 0; i < 150; ++i)
      if (auto made = subject.random().violation(schema)) sent.push_back(std::move(*made));
    for (const std::string &arguments : subject.timely(sent)) {
      subject.step(call_text(tool, arguments));
      const Answer answer = rig.execute(tool, arguments, &session);
      require_sound(answer, call_text(tool, arguments));
      require(!answer.ok(), call_text(tool, arguments) +
                                " succeeded, though the arguments break its schema: " +
                                schema.fault(arguments).value_or("they are no object"));
    }
  });
}

void anything_is_survived(Subject &subject) {
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    Generator &random = subject.random();
    std::vector<std::string> sent = {"",
                                     " ",
                                     "{",
                                     "}",
                                     "{\"",
                                     "{}x",
                                     std::string(3, '\0'),
                                     "\xef\xbb\xbf{}",
                                     "\xff{}",
                                     nested_json(200'000),
                                     "{\"todos\":" + nested_json(5'000) + "}",
                                     "{\"a\":1e999}",
                                     "{\"a\":-0}",
                                     "\"\\ud800\"",
                                     "{\"" + std::string(4'000'000, 'k') + "\":1}",
                                     "{\"todos\":\"" + std::string(4'000'000, 'v') + "\"}"};
    const Schema schema(tool.parameters);
    for (int i = 0; i < 60; ++i) sent.push_back(random.any_json());
    for (int i = 0; i < 60; ++i) sent.push_back(random.bytes(random.below(300)));
    for (int i = 0; i < 60; ++i) {
      std::string near = random.instance(schema, false);
      near[random.below(near.size())] = static_cast<char>(random.below(256));
      sent.push_back(std::move(near));
    }
    for (int i = 0; i < 60; ++i) {
      const std::string whole = random.instance(schema);
      sent.push_back(whole.substr(0, random.below(whole.size())));
    }
    for (const std::string &arguments : subject.timely(sent)) {
      subject.step(call_text(tool, arguments));
      const Answer answer = rig.execute(tool, arguments, &session);
      require_sound(answer, call_text(tool, arguments));
      require(!answer.ok() || is_wtf8(answer.text),
              call_text(tool, arguments) + " gave a text that is no WTF-8");
      require(!answer.ok() || answer.out.empty() || check_json(answer.out),
              call_text(tool, arguments) + " gave a value that is not JSON");
      if (tool.abi.present != nullptr) rig.present(tool, arguments);
      if (tool.abi.render != nullptr) rig.render(tool, arguments, arguments);
    }
  });
}

void without_session(Subject &subject) {
  each_tool(subject, [&](Rig &rig, RigSession &, const ToolCopy &tool) {
    const auto sent = valid_arguments(subject, tool, 10);
    for (const std::string &arguments : subject.timely(sent)) {
      const std::string what = call_text(tool, arguments) + " for no session";
      subject.step(what);
      require_sound(rig.execute(tool, arguments, nullptr), what);
    }
  });
}

void render_says_the_same(Subject &subject) {
  bool any = false;
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    if (tool.abi.render == nullptr) return;
    any = true;
    const auto sent = valid_arguments(subject, tool, 30);
    for (const std::string &arguments : subject.timely(sent)) {
      const Answer answer = rig.execute(tool, arguments, &session);
      if (!answer.ok()) continue;
      const std::string what = "render of " + excerpt(tool.name) + " with the value " + excerpt(answer.out);
      subject.step(what);
      const Answer again = rig.render(tool, arguments, answer.out);
      require_sound(again, what);
      require(again.ok(), what + ", which execute gave, failed: " + excerpt(again.error));
      require(again.out == answer.text,
              what + " says " + excerpt(again.out) + ", execute said " + excerpt(answer.text));
    }
    if (tool.output.empty()) return;
    const Schema output(tool.output);
    for (int i = 0; i < 30; ++i) {
      const std::string value = subject.random().instance(output, false);
      subject.step("render of " + excerpt(tool.name) + " with the value " + excerpt(value));
      require_sound(rig.render(tool, "{}", value),
                    "render of " + excerpt(tool.name) + " with the value " + excerpt(value));
    }
  });
  if (!any) skip("no tool of it renders");
}

void cards(Subject &subject) {
  bool any = false;
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    if (tool.abi.present == nullptr) return;
    any = true;
    const Schema schema(tool.parameters);
    std::vector<std::string> sent = valid_arguments(subject, tool, 30);
    for (int i = 0; i < 20; ++i) sent.push_back(subject.random().violation(schema).value_or("[]"));
    for (int i = 0; i < 20; ++i) sent.push_back(subject.random().bytes(40));
    const std::size_t before = session.events().size();
    for (const std::string &arguments : subject.timely(sent)) {
      const std::string what = "present of " + excerpt(tool.name) + " with " + excerpt(arguments);
      subject.step(what);
      const Answer answer = rig.present(tool, arguments);
      require_sound(answer, what, MayBe::none);
      const Answer again = rig.present(tool, arguments);
      require(again.status == answer.status && again.out == answer.out,
              what + " gives another card the second time");
      if (answer.status != DSH_OK) continue;
      require(static_cast<bool>(check_json(answer.out)),
              what + " gave a card that is not JSON: " + excerpt(answer.out));
      require(parse_json(answer.out).is_object(),
              what + " gave a card that is no object: " + excerpt(answer.out));
    }
    require(session.events().size() == before, "present appended to the log");
  });
  if (!any) skip("no tool of it presents");
}

}  // namespace

std::vector<Test> tool_tests() {
  return {
      {"tools.descriptor", "names are texts, and the schemas are in the dialect that hosts accept",
       &descriptor},
      {"tools.manners", "models can take the names, and read what a tool is for", &good_manners},
      {"tools.valid", "calls whose arguments keep the schema are answered with a text", &valid_calls},
      {"tools.durable", "the events that tools append are of types that a session on disk takes",
       &durable_events},
      {"tools.value", "values are JSON, and keep the output schema", &value_keeps_output},
      {"tools.invalid", "calls whose arguments break the schema are refused", &invalid_is_refused},
      {"tools.anything", "no arguments take the host down: empty, random, cut short, huge, deep",
       &anything_is_survived},
      {"tools.no_session", "a call that no session owns is answered", &without_session},
      {"tools.render", "render says of a value what execute said", &render_says_the_same},
      {"tools.present", "a card is a JSON object, and the same each time", &cards},
  };
}

}  // namespace dsh::loader::check
