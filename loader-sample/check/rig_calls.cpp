// What the adversarial host calls: every text and struct in guarded memory, for the call alone.
#include <cstddef>
#include <limits>
#include <utility>

#include "check/rig.hpp"
#include "check/rig_sinks.hpp"

namespace dsh::loader::check {
namespace {

dsh_str as_str(const GuardedBytes &bytes) noexcept { return {bytes.data(), bytes.size()}; }

/// An event in guarded memory.
class GuardedEvent {
 public:
  GuardedEvent(const LoggedEvent &event, std::size_t extra)
      : type_(event.type), data_(event.data), event_(filled(event, extra), sizeof(dsh_event) + extra) {}
  const dsh_event *get() const noexcept { return event_.get(); }

 private:
  dsh_event filled(const LoggedEvent &event, std::size_t extra) const {
    return {static_cast<std::uint32_t>(sizeof(dsh_event) + extra),
            0,
            event.seq,
            event.time,
            as_str(type_),
            as_str(data_)};
  }
  GuardedBytes type_, data_;
  Guarded<dsh_event> event_;
};

/// A text that is handed over as a pointer to a dsh_str.
class GuardedStr {
 public:
  explicit GuardedStr(std::string_view text) : bytes_(text), str_(as_str(bytes_)) {}
  const dsh_str *get() const noexcept { return str_.get(); }

 private:
  GuardedBytes bytes_;
  Guarded<dsh_str> str_;
};

}  // namespace

/// A call with one output, `out`.
template <class Function>
Answer Rig::pure(Function &&function, std::string_view what) {
  Sink out(*this, std::numeric_limits<std::size_t>::max(), DSH_ERROR);
  ErrorSink error(*this);
  Return back = enter([&] { return function(out.abi(), error.abi()); }, what);
  return error.answer(out.judge(std::move(back)), out.take(), {});
}

Answer Rig::execute(const ToolCopy &tool, std::string_view arguments, RigSession *session,
                    const CallPlan &plan) {
  const GuardedBytes text_of_call(arguments);
  const GuardedBytes id("call_1");
  const CallHandle handle(*this, session);
  const std::size_t size = sizeof(dsh_call) + options_.extra;
  const Guarded<dsh_call> call(
      {static_cast<std::uint32_t>(size), 0, as_str(text_of_call), as_str(id), handle.abi()}, size);
  Sink value(*this, plan.refuse_after, plan.refusal);
  Sink text(*this, plan.refuse_after, plan.refusal);
  ErrorSink error(*this);
  if (session != nullptr) {
    session->executing_ = true;
    session->appended_ = 0;
    session->has_refused = false;
  }
  if (plan.before) plan.before();
  Return back =
      enter([&] { return tool.abi.execute(tool.abi.user, call.get(), value.abi(), text.abi(), error.abi()); },
            "execute", session);
  if (plan.after) plan.after();
  Answer answer = error.answer(text.judge(value.judge(std::move(back))), value.take(), text.take());
  if (session != nullptr) {
    session->executing_ = false;
    answer.appended = session->appended_;
  }
  return answer;
}

Answer Rig::render(const ToolCopy &tool, std::string_view arguments, std::string_view value) {
  const GuardedStr sent(arguments);
  const GuardedStr given(value);
  return pure(
      [&](const dsh_out *out, const dsh_error *error) {
        return tool.abi.render(tool.abi.user, sent.get(), given.get(), out, error);
      },
      "render");
}

Answer Rig::present(const ToolCopy &tool, std::string_view arguments) {
  const GuardedStr sent(arguments);
  return pure([&](const dsh_out *out,
                  const dsh_error *error) { return tool.abi.present(tool.abi.user, sent.get(), out, error); },
              "present");
}

Answer Rig::check(const InvariantCopy &rule, std::string_view trace, const LoggedEvent &event) {
  const GuardedEvent guarded(event, options_.extra);
  const GuardedBytes bytes(trace, GuardedBytes::Access::read, alignof(std::max_align_t));
  return pure(
      [&](const dsh_out *, const dsh_error *error) {
        return rule.abi.check(rule.abi.user, trace.empty() ? nullptr : bytes.data(), guarded.get(), error);
      },
      "check");
}

bool Rig::committed(const InvariantCopy &rule, std::string &trace, const LoggedEvent &event,
                    const RigSession *session) {
  if (rule.abi.committed == nullptr) return true;
  const GuardedEvent guarded(event, options_.extra);
  GuardedBytes bytes(trace, GuardedBytes::Access::write, alignof(std::max_align_t));
  enter(
      [&] {
        rule.abi.committed(rule.abi.user, trace.empty() ? nullptr : bytes.writable(), guarded.get());
        return DSH_OK;
      },
      "committed", session);
  if (!bytes.intact()) record(Misdeed::bad_gift, "committed wrote behind the end of the trace");
  trace = std::string(bytes.view());
  return bytes.intact();
}

void Rig::tell(const ObserverCopy &observer, RigSession &session, const LoggedEvent &event) {
  if (observer.abi.committed == nullptr) return;
  const GuardedEvent guarded(event, options_.extra);
  enter([&] { return observer.abi.committed(observer.abi.user, session.handle(), guarded.get()), DSH_OK; },
        "an observer's committed", &session);
}

std::int32_t Rig::show(RigSession &session, const LoggedEvent &event,
                       std::int32_t(DSH_CALL *each)(void *, const dsh_event *), void *user) {
  const GuardedEvent guarded(event, options_.extra);
  return enter([&] { return each(user, guarded.get()); }, "the function given to read", &session).status;
}

Answer Rig::fold(const UnitCopy &unit, std::string_view state, const LoggedEvent &event) {
  const GuardedEvent guarded(event, options_.extra);
  const GuardedStr now(state);
  return pure(
      [&](const dsh_out *next, const dsh_error *error) {
        return unit.abi.apply(unit.abi.user, now.get(), guarded.get(), next, error);
      },
      "a unit's apply");
}

Answer Rig::view(const UnitCopy &unit, std::string_view state) {
  const GuardedStr now(state);
  return pure([&](const dsh_out *out,
                  const dsh_error *error) { return unit.abi.view(unit.abi.user, now.get(), out, error); },
              "view");
}

Answer Rig::restore(const UnitCopy &unit, std::string_view stored) {
  const GuardedStr given(stored);
  return pure(
      [&](const dsh_out *out, const dsh_error *error) {
        return unit.abi.restore(unit.abi.user, given.get(), out, error);
      },
      "restore");
}

}  // namespace dsh::loader::check
