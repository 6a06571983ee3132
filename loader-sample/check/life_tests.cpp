#include <malloc.h>

#include <string>
#include <thread>
#include <vector>

#include "check/tests.hpp"
#include "check/verdict.hpp"

namespace dsh::loader::check {
namespace {

/// What an instance registers and answers, from a seed.
struct Behaviour {
  std::vector<std::string> texts;
  std::vector<Answer> answers;
};

Behaviour behaviour_of(Subject &subject, Rig &rig, std::uint64_t seed) {
  Behaviour behaviour;
  for (const ToolCopy &tool : rig.tools()) {
    behaviour.texts.insert(behaviour.texts.end(),
                           {tool.name, tool.description, tool.parameters, tool.output});
  }
  for (const InvariantCopy &rule : rig.invariants()) behaviour.texts.push_back(rule.owner);
  for (const UnitCopy &unit : rig.units())
    behaviour.texts.insert(behaviour.texts.end(), {unit.key, unit.init});
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
  require(expected.texts == actual.texts, "it registers other texts " + when);
  for (std::size_t i = 0; i < expected.answers.size(); ++i) {
    const Answer &a = expected.answers[i];
    if (i >= actual.answers.size() || !(a == actual.answers[i])) {
      const std::string now = i < actual.answers.size() ? said(actual.answers[i]) : "nothing";
      fail(otherwise(when, said(a), now));
    }
  }
}

std::size_t heap_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;  // the sanitizer's allocator keeps what is freed
#else
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
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

void calls_leave_no_memory(Subject &subject) {
  const auto rig = subject.applied();
  std::size_t settled = 0;
  Generator random(11);
  std::vector<std::pair<const ToolCopy *, std::string>> calls;
  for (const ToolCopy &tool : rig->tools()) {
    const Schema schema(tool.parameters);
    for (int i = 0; i < 4; ++i) calls.emplace_back(&tool, random.instance(schema));
    calls.emplace_back(&tool, random.violation(schema).value_or("[]"));
  }
  if (calls.empty()) skip("it registers no tool");
  for (int i = 0; i < 400; ++i) {
    Rig &host = *rig;
    for (const auto &[tool, arguments] : calls) {
      subject.step(call_text(*tool, arguments));
      host.execute(*tool, arguments, nullptr);
      if (tool->abi.present != nullptr) host.present(*tool, arguments);
    }
    host.forget_calls();
    if (i == 99) settled = heap_bytes();
  }
  const std::size_t grown = heap_bytes() > settled ? heap_bytes() - settled : 0;
  require(grown < std::size_t{300} * 16, "each round of " + std::to_string(calls.size()) +
                                             " calls leaves about " + std::to_string(grown / 300) +
                                             " bytes on the heap");
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

void serves_many_threads(Subject &subject) {
  const auto rig = subject.applied();
  if (rig->tools().empty()) skip("it registers no tool");
  constexpr std::size_t threads = 4;
  constexpr int rounds = 30;
  struct Work {
    RigSession *session = nullptr;
    std::vector<std::pair<const ToolCopy *, std::string>> calls;
    std::vector<Answer> expected, actual;
    bool repeats = false;  // the answers don't depend on how long the session is
  };
  std::vector<Work> work(threads);
  Generator random(17);
  for (std::size_t i = 0; i < threads; ++i) {
    work[i].session = &rig->session("thread-" + std::to_string(i));
    work[i].session->open_turn();
    for (const ToolCopy &tool : rig->tools()) {
      const Schema schema(tool.parameters);
      for (int n = 0; n < 6; ++n) work[i].calls.emplace_back(&tool, random.instance(schema, n < 4));
    }
  }
  const auto run = [&rig](Work &mine, std::vector<Answer> &answers) {
    for (const auto &[tool, arguments] : mine.calls)
      answers.push_back(rig->execute(*tool, arguments, mine.session));
  };
  for (Work &mine : work) {
    std::vector<Answer> before;
    run(mine, before);
    run(mine, mine.expected);
    mine.repeats = before == mine.expected;
  }
  subject.step("calls of " + std::to_string(threads) + " sessions at once");
  std::vector<std::thread> running;
  running.reserve(threads);
  for (Work &mine : work) {
    running.emplace_back([&run, &mine] {
      for (int i = 0; i < rounds; ++i) run(mine, mine.actual);
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
      {"life.calls", "calls leave no memory behind", &calls_leave_no_memory},
      {"life.side_by_side", "two instances with different configs do not disturb each other",
       &lives_side_by_side},
      {"life.deterministic", "the same input gives the same output, byte for byte", &same_input_same_output},
      {"life.threads", "calls of different sessions run at the same time", &serves_many_threads},
  };
}

}  // namespace dsh::loader::check
