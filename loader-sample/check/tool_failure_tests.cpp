#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string>

#include "check/each_tool.hpp"
#include "check/page_size.hpp"
#include "check/tests.hpp"
#include "check/verdict.hpp"

// What a tool does when its host fails it.
namespace dsh::loader::check {
namespace {

constexpr std::array<std::int32_t, 6> refusals = {DSH_ERROR, DSH_NO_MEMORY, DSH_NONE, DSH_VIOLATED, 77, -1};

/// Each tool with a call that succeeds and appends, where it has one.
struct Call {
  const ToolCopy *tool;
  std::string arguments;
  Answer answer;
};

std::vector<Call> good_calls(Subject &subject, Rig &rig, bool appending) {
  std::vector<Call> calls;
  RigSession &session = rig.session("good");
  session.open_turn();
  for (const ToolCopy &tool : rig.tools()) {
    const Schema schema(tool.parameters);
    for (int i = 0, found = 0; i < 40 && found < 5 && (found == 0 || subject.has_time()); ++i) {
      std::string arguments = subject.random().instance(schema);
      subject.step(call_text(tool, arguments));
      Answer answer = rig.execute(tool, arguments, &session);
      if (!answer.ok() || (appending && answer.appended == 0)) continue;
      calls.push_back({&tool, std::move(arguments), std::move(answer)});
      ++found;
    }
  }
  if (calls.empty())
    skip(appending ? "no call was found that appends an event" : "no call was found that succeeds");
  return calls;
}

/// `call` in a session that takes `accepted` of its events and refuses the next with `status`.
void refused_append_of(Subject &subject, Rig &rig, const Call &call, std::size_t accepted,
                       std::int32_t status) {
  RigSession &session = rig.session("refusing");
  if (session.events().empty()) session.open_turn();
  session.refuse_append = Refusal{status, "the checking host's disk is full"};
  session.refuse_after = accepted;
  const std::string what = call_text(*call.tool, call.arguments) + " whose append " +
                           (accepted == 0 ? "" : "number " + std::to_string(accepted + 1) + " ") +
                           "returns " + std::to_string(status);
  subject.step(what);
  const Answer answer = rig.execute(*call.tool, call.arguments, &session);
  if (!session.has_refused) return;  // this time it appends less
  require(!answer.ok(),
          what + " succeeded, though " + (accepted == 0 ? "nothing" : "not all") + " was appended");
  require(answer.error == session.refuse_append->text,
          what + " says " + excerpt(answer.error) +
              " instead of the host's words: " + session.refuse_append->text);
}

void refused_append(Subject &subject) {
  const auto rig = subject.applied();
  const Call *several = nullptr;
  const std::vector<Call> calls = good_calls(subject, *rig, true);
  for (const Call &call : calls) {
    if (call.answer.appended > 1) several = &call;
    for (const std::int32_t status : subject.timely(refusals))
      for (std::size_t accepted = 0; accepted < std::min<std::size_t>(call.answer.appended, 4); ++accepted)
        refused_append_of(subject, *rig, call, accepted, status);
  }
  if (several != nullptr)
    warn(call_text(*several->tool, several->arguments) + " appends " +
         std::to_string(several->answer.appended) +
         " events: where a later one is refused, the earlier ones stay, of a call that failed; let one event "
         "hold it all");
}

void failed_calls_append_nothing(Subject &subject) {
  each_tool(subject, [&](Rig &rig, RigSession &session, const ToolCopy &tool) {
    const Schema schema(tool.parameters);
    for (int i = 0; i < 120 && subject.has_time(); ++i) {
      const std::string arguments = i % 2 == 0 ? subject.random().instance(schema, i % 4 == 0)
                                               : subject.random().violation(schema).value_or("[]");
      subject.step(call_text(tool, arguments));
      const Answer answer = rig.execute(tool, arguments, &session);
      require(answer.ok() || answer.appended == 0,
              call_text(tool, arguments) +
                  " failed after it had appended an event, which stays: " + excerpt(answer.error));
    }
  });
}

void refusing_sinks(Subject &subject) {
  const auto rig = subject.applied();
  for (const Call &call : good_calls(subject, *rig, false)) {
    RigSession &session = rig->session("refusing");
    session.open_turn();
    const std::size_t longest = std::max(call.answer.out.size(), call.answer.text.size());
    for (const std::int32_t status : subject.timely(refusals)) {
      for (const std::size_t room :
           {std::size_t{0}, std::size_t{1}, longest / 2, longest == 0 ? 0 : longest - 1}) {
        const std::string what = call_text(*call.tool, call.arguments) + " whose sinks take " +
                                 std::to_string(room) + " bytes and then return " + std::to_string(status);
        subject.step(what);
        const Answer answer = rig->execute(*call.tool, call.arguments, &session, {room, status, {}, {}});
        // What is refused counts as failed, whatever the tool returned; what it may not is append all the
        // same.
        require(answer.ok() || answer.appended == 0,
                what + " appended an event all the same, of a call that failed");
      }
    }
  }
}

void no_misdeeds(Subject &subject, Misdeed kind) {
  for (const std::string &config : subject.timely(subject.configs())) {
    const auto rig = subject.applied(config, subject.options());
    use(subject, *rig, subject.random());
    ::usleep(50'000);  // a thread of the plugin's may need a moment
    require_none(kind, *rig);
    subject.step("disposing");
    rig->dispose();
    ::usleep(50'000);
    require_none(kind, *rig);
  }
}

void calls_inside_calls(Subject &subject) { no_misdeeds(subject, Misdeed::outside); }
void appends_where_legal(Subject &subject) { no_misdeeds(subject, Misdeed::reentry); }

void exceptions_stay_inside(Subject &subject) {
  const auto rig = subject.applied();
  use(subject, *rig, subject.random());
  require_none(Misdeed::exception, *rig);
}

/// Bytes of address space in use.
std::size_t address_space() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  return pages * page_size();
}

void out_of_memory(Subject &subject) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  skip("a sanitizer reserves the address space");
#endif
  const auto rig = subject.applied();
  const auto calls = good_calls(subject, *rig, false);
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  std::set<const ToolCopy *> tried;
  for (const Call &call : calls) {
    if (!tried.insert(call.tool).second) continue;
    // So large that the tool needs memory of its own for it.
    std::string ordinary = call.arguments;
    ordinary.insert(ordinary.size() - 1, std::string(8'000'000, ' '));
    const std::string odd = R"({"\u0061":")" + std::string(8'000'000, 'x') + "\"}";
    for (const std::string &sent : {ordinary, odd}) {
      for (const std::size_t room : {std::size_t{64} << 10U, std::size_t{9} << 20U, std::size_t{20} << 20U}) {
        const std::string what =
            call_text(*call.tool, sent) + " with " + std::to_string(room >> 10U) + " KiB of memory left";
        subject.step(what);
        CallPlan plan;
        plan.before = [&] {
          const rlimit tight{address_space() + room, before.rlim_max};
          ::setrlimit(RLIMIT_AS, &tight);
        };
        plan.after = [&] { ::setrlimit(RLIMIT_AS, &before); };
        require_sound(rig->execute(*call.tool, sent, nullptr, plan), what);
      }
    }
  }
  require_none(Misdeed::exception, *rig);
}

}  // namespace

std::vector<Test> tool_failure_tests() {
  return {
      {"tools.append_fails", "a refused append fails the call, in the host's words", &refused_append},
      {"tools.append_last", "a call that fails has appended nothing", &failed_calls_append_nothing},
      {"tools.sinks", "sinks that take little or nothing fail the call before it appends", &refusing_sinks},
      {"tools.memory", "a call that runs out of memory fails, and no more", &out_of_memory},
      {"tools.inside", "the host and its sinks are used inside its calls alone, on their thread",
       &calls_inside_calls},
      {"tools.append_legal", "append is called inside execute alone", &appends_where_legal},
      {"tools.exceptions", "no exception leaves the plugin", &exceptions_stay_inside},
  };
}

}  // namespace dsh::loader::check
