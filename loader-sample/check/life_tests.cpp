#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "check/heap.hpp"
#include "check/tests.hpp"
#include "check/verdict.hpp"

namespace dsh::loader::check {
namespace {

/// What an instance registers and does, from a seed.
struct Behaviour {
  std::vector<std::string> registered;
  Use use;
};

/// A member of a descriptor, as text.
struct Member {
  const char *name;
  std::string value;
};

std::string described(const std::string &what, const std::vector<Member> &members) {
  std::string text = what;
  for (const Member &member : members) text += std::string(", ") + member.name + " " + member.value;
  return text;
}

template <class Function>
std::string presence(Function function) {
  return function == nullptr ? "no" : "yes";
}

std::string listed(const std::vector<std::string> &types) {
  std::string text = "[";
  for (const std::string &type : types) text += (text.size() > 1 ? ", \"" : "\"") + type + "\"";
  return text + "]";
}

/// Everything that it registered but for the pointers: each registration as one text.
std::vector<std::string> registrations(const Rig &rig) {
  std::vector<std::string> all;
  for (const ToolCopy &tool : rig.tools())
    all.push_back(described("tool " + tool.name, {{"mode", std::to_string(tool.abi.mode)},
                                                  {"render", presence(tool.abi.render)},
                                                  {"present", presence(tool.abi.present)},
                                                  {"description", tool.description},
                                                  {"parameters", tool.parameters},
                                                  {"output", tool.output}}));
  for (const InvariantCopy &rule : rig.invariants())
    all.push_back(
        described("invariant of " + rule.owner, {{"trace_size", std::to_string(rule.abi.trace_size)},
                                                 {"types", listed(rule.types)},
                                                 {"committed", presence(rule.abi.committed)}}));
  for (const UnitCopy &unit : rig.units())
    all.push_back(described("unit " + unit.key, {{"state_version", std::to_string(unit.abi.state_version)},
                                                 {"flags", std::to_string(unit.abi.flags)},
                                                 {"types", listed(unit.types)},
                                                 {"view", presence(unit.abi.view)},
                                                 {"restore", presence(unit.abi.restore)},
                                                 {"init", unit.init}}));
  for (const ObserverCopy &observer : rig.observers())
    all.push_back(described("observer", {{"types", listed(observer.types)},
                                         {"created", presence(observer.abi.created)},
                                         {"committed", presence(observer.abi.committed)},
                                         {"disposed", presence(observer.abi.disposed)}}));
  return all;
}

Behaviour behaviour_of(Subject &subject, Rig &rig, std::uint64_t seed) {
  Behaviour behaviour;
  behaviour.registered = registrations(rig);
  Generator random(seed);
  behaviour.use = use(subject, rig, random);
  return behaviour;
}

std::string said(const Answer &answer) {
  std::string all = answer.out;
  return excerpt(all.append(answer.text).append(answer.error));
}

std::string otherwise(const Answer &before, const Answer &now, const std::string &when) {
  return "answers otherwise " + when + ": " + said(before) + " became " + said(now);
}

/// What `execute` did otherwise in `actual`: the first; none: nothing.
std::optional<std::string> other_calls(const Use &expected, const Use &actual, const std::string &when) {
  for (std::size_t i = 0; i < expected.calls.size(); ++i) {
    const Answer &before = expected.calls[i].executed;
    const Answer &now = actual.calls[i].executed;
    if (!(before == now)) return "execute " + otherwise(before, now, when);
  }
  if (expected.log != actual.log) return "execute appends other events " + when;
  return std::nullopt;
}

void require_same_registrations(const Behaviour &expected, const Behaviour &actual, const std::string &when) {
  const std::size_t count = std::max(expected.registered.size(), actual.registered.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string before = i < expected.registered.size() ? expected.registered[i] : "nothing";
    const std::string now = i < actual.registered.size() ? actual.registered[i] : "nothing";
    require(before == now, "it registers otherwise " + when + ": " + difference(before, now));
  }
}

/// The pure functions, where they were given the same.
void require_same_functions(const Use &expected, const Use &actual, const std::string &when) {
  for (std::size_t i = 0; i < expected.calls.size(); ++i) {
    const ToolUse &before = expected.calls[i];
    const ToolUse &now = actual.calls[i];
    if (before.presented && now.presented)
      require(*before.presented == *now.presented,
              "present " + otherwise(*before.presented, *now.presented, when));
    if (before.rendered && now.rendered && before.executed.out == now.executed.out)
      require(*before.rendered == *now.rendered,
              "render " + otherwise(*before.rendered, *now.rendered, when));
  }
  if (expected.log != actual.log) return;
  for (std::size_t i = 0; i < expected.states.size(); ++i)
    require(expected.states[i] == actual.states[i],
            "a unit's state is another " + when + ": " + difference(expected.states[i], actual.states[i]));
}

/// Fails where anything differs that no plugin may change. What is left is what `execute` did otherwise,
/// which is not pure: the first of that; none: nothing.
std::optional<std::string> require_same(const Behaviour &expected, const Behaviour &actual,
                                        const std::string &when) {
  require_same_registrations(expected, actual, when);
  require_same_functions(expected.use, actual.use, when);
  return other_calls(expected.use, actual.use, when);
}

void warn_of(const std::optional<std::string> &other_call) {
  if (other_call)
    warn(*other_call +
         "; right for a clock or an id, wrong for a tool whose answer its arguments and its session decide");
}

/// One call of every tool, for nobody.
void touch(Subject &subject, Rig &rig) {
  for (const ToolCopy &tool : rig.tools()) {
    subject.step(call_text(tool, "{}"));
    rig.execute(tool, "{}", nullptr);
  }
}

/// An instance that does what the first one did, as far as it must.
void behave_again(Subject &subject, Rig &rig, std::optional<Behaviour> &first,
                  std::optional<std::string> &other_call) {
  Behaviour now = behaviour_of(subject, rig, 7);
  if (!first)
    first = std::move(now);
  else if (auto other = require_same(*first, now, "when it is applied again"); other && !other_call)
    other_call = std::move(other);
}

void applies_again(Subject &subject) {
  constexpr int rounds = 100;
  constexpr int warm = 10;
  const std::string config = subject.configs().front();
  std::optional<Behaviour> first;
  std::optional<std::string> other_call;
  const auto behave = [&] {
    behave_again(subject, *subject.applied(config, subject.options()), first, other_call);
  };
  behave();
  behave();
  const auto round = [&](int) { touch(subject, *subject.applied(config, subject.options())); };
  const std::size_t each = bytes_left_by(round, warm, rounds - warm, [&] { return subject.has_time(); });
  require(each < 64, "each apply and dispose leaves about " + std::to_string(each) + " bytes on the heap");
  behave();
  warn_of(other_call);
}

/// Two instances, one after the other, each alone in the process.
struct Alone {
  Behaviour first, second;
};

/// In a library that was opened for them: state that an instance leaves behind shows too.
Alone alone(Subject &subject, const std::string &config) {
  subject.unmap();
  const auto behave = [&] {
    const auto rig = subject.applied(config, subject.options());
    return behaviour_of(subject, *rig, 3);
  };
  Behaviour first = behave();
  return {std::move(first), behave()};
}

/// What `execute` does otherwise beside another instance is that one's doing, where alone it does the same
/// each time, before and after: no clock goes back, and no id returns.
void judge_neighbour(Subject &subject, const std::string &config, const Alone &before,
                     const std::optional<std::string> &other_call) {
  if (!other_call) return;
  const Alone after = alone(subject, config);
  for (const Behaviour *again : {&before.second, &after.first, &after.second})
    if (require_same(before.first, *again, "when it is applied again")) warn_of(other_call);
  fail(*other_call);
}

void lives_side_by_side(Subject &subject) {
  const auto configs = subject.configs();
  const std::string &one = configs.front();
  const std::string &other = configs.back();
  const Alone alone_one = alone(subject, one);
  const Alone alone_other = alone(subject, other);
  subject.unmap();
  auto first = subject.applied(one, subject.options());
  auto second = subject.applied(other, subject.options());
  const auto one_beside = require_same(alone_one.first, behaviour_of(subject, *first, 3),
                                       "beside an instance with the config " + excerpt(other));
  const auto other_beside = require_same(alone_other.first, behaviour_of(subject, *second, 3),
                                         "beside an instance with the config " + excerpt(one));
  second.reset();
  RigSession &session = first->session("after");
  session.open_turn();
  for (const ToolCopy &tool : first->tools()) {
    subject.step("a call after the other instance was disposed");
    require_sound(first->execute(tool, "{}", &session), call_text(tool, "{}"));
  }
  first.reset();
  judge_neighbour(subject, one, alone_one, one_beside);
  judge_neighbour(subject, other, alone_other, other_beside);
}

/// `count` pieces of memory of each small size: what is allocated while they are held lies elsewhere.
std::vector<std::string> pieces(int count) {
  constexpr std::size_t largest = 1024;
  std::vector<std::string> held;
  for (std::size_t size = 16; size <= largest; size += 16)
    for (int i = 0; i < count; ++i) held.emplace_back(size, 'x');
  return held;
}

void same_input_same_output(Subject &subject) {
  std::optional<std::string> other_call;
  for (const std::string &config : subject.timely(subject.configs())) {
    Behaviour first;
    for (int i = 0; i < 3; ++i) {
      // Other addresses, another moment: neither may show.
      const std::vector<std::string> elsewhere = pieces(20 * i);
      const auto rig = subject.applied(config, subject.options());
      std::this_thread::sleep_for(std::chrono::milliseconds(i * 5));
      Behaviour now = behaviour_of(subject, *rig, 5);
      if (i == 0)
        first = std::move(now);
      else if (auto other = require_same(first, now, "to the same input"); other && !other_call)
        other_call = std::move(other);
    }
  }
  warn_of(other_call);
}

/// What one session calls, and what it is answered while it is alone and beside others.
struct Work {
  RigSession *session = nullptr;
  std::vector<std::pair<const ToolCopy *, std::string>> calls;
  std::vector<Answer> expected, actual;
  bool repeats = false;  // the answers depend neither on how long the session is nor on the moment
};

void call_all(Rig &rig, const Work &mine, std::vector<Answer> &answers) {
  for (const auto &[tool, arguments] : mine.calls)
    answers.push_back(rig.execute(*tool, arguments, mine.session));
}

std::vector<Work> work_for(Rig &rig, std::size_t sessions) {
  std::vector<Work> work(sessions);
  Generator random(17);
  for (std::size_t i = 0; i < sessions; ++i) {
    work[i].session = &rig.session("thread-" + std::to_string(i));
    work[i].session->open_turn();
    for (const ToolCopy &tool : rig.tools()) {
      const Schema schema(tool.parameters);
      for (int n = 0; n < 6; ++n) work[i].calls.emplace_back(&tool, random.instance(schema, n < 4));
    }
  }
  for (Work &mine : work) {
    std::vector<Answer> before;
    call_all(rig, mine, before);
    call_all(rig, mine, mine.expected);
    mine.repeats = before == mine.expected;
  }
  return work;
}

void serves_many_threads(Subject &subject) {
  const auto rig = subject.applied();
  if (rig->tools().empty()) skip("it registers no tool");
  constexpr std::size_t threads = 4;
  constexpr int rounds = 30;
  std::vector<Work> work = work_for(*rig, threads);
  subject.step("calls of " + std::to_string(threads) + " sessions at once");
  std::vector<std::thread> running;
  running.reserve(threads);
  for (Work &mine : work)
    running.emplace_back([&subject, &rig, &mine] {
      for (int i = 0; i < rounds && (i == 0 || subject.has_time()); ++i) call_all(*rig, mine, mine.actual);
    });
  for (std::thread &thread : running) thread.join();
  for (Work &mine : work) {
    std::vector<Answer> after;
    call_all(*rig, mine, after);
    mine.repeats = mine.repeats && after == mine.expected;
  }
  for (const Work &mine : work) {
    for (std::size_t i = 0; i < mine.actual.size(); ++i) {
      const Answer &expected = mine.expected[i % mine.expected.size()];
      const Answer &actual = mine.actual[i];
      const bool same_kind = expected.status == actual.status && expected.appended == actual.appended &&
                             expected.error == actual.error;
      require(mine.repeats ? expected == actual : same_kind,
              "a call answers otherwise while other sessions call: " + said(expected) + " became " +
                  said(actual));
    }
  }
}

}  // namespace

std::vector<Test> life_tests() {
  return {
      {"life.again", "applied and disposed a hundred times it does the same each time, and leaves no memory",
       &applies_again},
      {"life.side_by_side", "two instances with different configs do not disturb each other",
       &lives_side_by_side},
      {"life.deterministic", "the same input gives the same output, byte for byte", &same_input_same_output},
      {"life.threads", "calls of different sessions run at the same time", &serves_many_threads},
  };
}

}  // namespace dsh::loader::check
