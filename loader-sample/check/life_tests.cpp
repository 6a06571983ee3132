#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "check/heap.hpp"
#include "check/tests.hpp"
#include "check/verdict.hpp"

namespace dsh::loader::check {
namespace {

/// What an instance registers and answers, from a seed.
struct Behaviour {
  std::vector<std::string> registered;
  std::vector<Answer> answers;
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
  for (const ToolCopy &tool : rig.tools()) {
    all.push_back(described("tool " + tool.name, {{"mode", std::to_string(tool.abi.mode)},
                                                  {"render", presence(tool.abi.render)},
                                                  {"present", presence(tool.abi.present)},
                                                  {"description", tool.description},
                                                  {"parameters", tool.parameters},
                                                  {"output", tool.output}}));
  }
  for (const InvariantCopy &rule : rig.invariants()) {
    all.push_back(
        described("invariant of " + rule.owner, {{"trace_size", std::to_string(rule.abi.trace_size)},
                                                 {"types", listed(rule.types)},
                                                 {"committed", presence(rule.abi.committed)}}));
  }
  for (const UnitCopy &unit : rig.units()) {
    all.push_back(described("unit " + unit.key, {{"state_version", std::to_string(unit.abi.state_version)},
                                                 {"flags", std::to_string(unit.abi.flags)},
                                                 {"types", listed(unit.types)},
                                                 {"view", presence(unit.abi.view)},
                                                 {"restore", presence(unit.abi.restore)},
                                                 {"init", unit.init}}));
  }
  for (const ObserverCopy &observer : rig.observers()) {
    all.push_back(described("observer", {{"types", listed(observer.types)},
                                         {"created", presence(observer.abi.created)},
                                         {"committed", presence(observer.abi.committed)},
                                         {"disposed", presence(observer.abi.disposed)}}));
  }
  return all;
}

Behaviour behaviour_of(Subject &subject, Rig &rig, std::uint64_t seed) {
  Behaviour behaviour;
  behaviour.registered = registrations(rig);
  Generator random(seed);
  behaviour.answers = use(subject, rig, random);
  return behaviour;
}

std::string said(const Answer &answer) {
  std::string all = answer.out;
  return excerpt(all.append(answer.text).append(answer.error));
}

std::string otherwise(const std::string &when, const std::string &before, const std::string &now) {
  return "it answers otherwise " + when + ": " + before + " became " + now;
}

void require_same(const Behaviour &expected, const Behaviour &actual, const std::string &when) {
  const std::size_t count = std::max(expected.registered.size(), actual.registered.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string before = i < expected.registered.size() ? expected.registered[i] : "nothing";
    const std::string now = i < actual.registered.size() ? actual.registered[i] : "nothing";
    require(before == now, "it registers otherwise " + when + ": " + difference(before, now));
  }
  for (std::size_t i = 0; i < expected.answers.size(); ++i) {
    const Answer &a = expected.answers[i];
    if (i >= actual.answers.size() || !(a == actual.answers[i])) {
      const std::string now = i < actual.answers.size() ? said(actual.answers[i]) : "nothing";
      fail(otherwise(when, said(a), now));
    }
  }
}

/// One call of every tool, for nobody.
void touch(Subject &subject, Rig &rig) {
  for (const ToolCopy &tool : rig.tools()) {
    subject.step(call_text(tool, "{}"));
    rig.execute(tool, "{}", nullptr);
  }
}

void applies_again(Subject &subject) {
  constexpr int rounds = 100;
  constexpr int warm = 10;
  const std::string config = subject.configs().front();
  Behaviour first;
  std::size_t settled = 0;
  for (int i = 0; i < rounds; ++i) {
    {
      const auto rig = subject.applied(config, subject.options());
      if (i == 0) {
        first = behaviour_of(subject, *rig, 7);
      } else if (i == 1 || i == rounds - 1) {
        require_same(first, behaviour_of(subject, *rig, 7), "when it is applied again");
      } else {
        touch(subject, *rig);
      }
    }
    if (i == warm - 1) settled = heap_bytes();
    if (i == rounds - 2) {
      const std::size_t grown = heap_bytes() > settled ? heap_bytes() - settled : 0;
      const std::size_t each = grown / (rounds - 1 - warm);
      require(each < 64,
              "each apply and dispose leaves about " + std::to_string(each) + " bytes on the heap");
    }
  }
}

void lives_side_by_side(Subject &subject) {
  const auto configs = subject.configs();
  const std::string &one = configs.front();
  const std::string &other = configs.back();
  // Each alone in a library that was opened for it: state that an instance leaves behind shows too.
  const auto alone = [&subject](const std::string &config) {
    subject.unmap();
    const auto rig = subject.applied(config, subject.options());
    return behaviour_of(subject, *rig, 3);
  };
  const Behaviour alone_one = alone(one);
  const Behaviour alone_other = alone(other);
  subject.unmap();
  const auto first = subject.applied(one, subject.options());
  auto second = subject.applied(other, subject.options());
  require_same(alone_one, behaviour_of(subject, *first, 3),
               "beside an instance with the config " + excerpt(other));
  require_same(alone_other, behaviour_of(subject, *second, 3),
               "beside an instance with the config " + excerpt(one));
  second.reset();
  RigSession &session = first->session("after");
  session.open_turn();
  for (const ToolCopy &tool : first->tools()) {
    subject.step("a call after the other instance was disposed");
    require_sound(first->execute(tool, "{}", &session), call_text(tool, "{}"));
  }
}

void same_input_same_output(Subject &subject) {
  for (const std::string &config : subject.configs()) {
    Behaviour first;
    for (int i = 0; i < 3; ++i) {
      const auto rig = subject.applied(config, subject.options());
      // Other addresses, another moment: neither may show.
      const std::string other_heap(static_cast<std::size_t>(1000 * i + 1), 'x');
      std::this_thread::sleep_for(std::chrono::milliseconds(i * 5));
      Behaviour now = behaviour_of(subject, *rig, 5);
      if (i == 0) {
        first = std::move(now);
      } else {
        require_same(first, now, "to the same input");
      }
    }
  }
}

/// What one session calls, and what it is answered while it is alone and beside others.
struct Work {
  RigSession *session = nullptr;
  std::vector<std::pair<const ToolCopy *, std::string>> calls;
  std::vector<Answer> expected, actual;
  bool repeats = false;  // the answers don't depend on how long the session is
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
  for (Work &mine : work) {
    running.emplace_back([&rig, &mine] {
      for (int i = 0; i < rounds; ++i) call_all(*rig, mine, mine.actual);
    });
  }
  for (std::thread &thread : running) thread.join();
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
