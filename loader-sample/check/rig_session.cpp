#include <algorithm>
#include <cstddef>
#include <utility>

#include "check/foreign_memory.hpp"
#include "check/rig.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader::check {
namespace {

dsh_session filled(SessionHandle *handle, const GuardedBytes &id, std::size_t size, dsh_session functions) {
  functions.struct_size = static_cast<std::uint32_t>(size);
  functions.impl = handle;
  functions.id = {id.data(), id.size()};
  return functions;
}

/// True for the time of a scope; afterwards what it was.
class Raised {
 public:
  explicit Raised(bool &flag) : flag_(flag), before_(std::exchange(flag, true)) {}
  ~Raised() { flag_ = before_; }
  Raised(const Raised &) = delete;
  Raised &operator=(const Raised &) = delete;

 private:
  bool &flag_;
  const bool before_;
};

/// What a failure says that came without a text.
std::string words_of(const Answer &answer, const std::string &who) {
  return answer.error.empty() ? who + " failed with status " + std::to_string(answer.status) : answer.error;
}

}  // namespace

SessionHandle::SessionHandle(RigSession &session_, std::size_t extra)
    : session(session_),
      id(std::make_unique<GuardedBytes>(session_.id())),
      abi(filled(this, *id, sizeof(dsh_session) + extra,
                 {0, 0, nullptr, {}, &RigSession::abi_append, &RigSession::abi_read}),
          sizeof(dsh_session) + extra) {}

RigSession::RigSession(Rig &rig, std::string id)
    : rig_(rig), id_(std::move(id)), handle_(*this, rig.options_.extra) {
  for (const InvariantCopy &rule : rig.invariants_) traces_.emplace_back(rule.abi.trace_size, '\0');
  for (const UnitCopy &unit : rig.units_) states_.push_back(unit.init);
}

RigSession::~RigSession() = default;

void RigSession::open_turn() {
  append("turn/start", R"({"turn":1})");
  append("step/start", R"({"turn":1,"step":1})");
}

std::optional<std::string> RigSession::append(std::string_view type, std::string_view data) {
  const Raised publishing(publishing_);
  return publish(type, data);
}

// Checked, committed, folded, viewed, told: each in guarded memory of its own.
std::optional<std::string> RigSession::publish(std::string_view type, std::string_view data) {
  const LoggedEvent event{std::string(type), std::string(data), static_cast<std::int64_t>(events_.size()),
                          1'700'000'000'000 + static_cast<std::int64_t>(events_.size())};
  for (std::size_t i = 0; i < traces_.size(); ++i) {
    const InvariantCopy &rule = rig_.invariants_[i];
    if (!rule.takes(type)) continue;
    const Answer answer = rig_.check(rule, traces_[i], event);
    if (answer.status == DSH_VIOLATED) return "invariant violated by \"" + rule.owner + "\": " + answer.error;
    if (!answer.ok()) return words_of(answer, "the invariant of \"" + rule.owner + "\"");
  }
  events_.push_back(event);
  for (std::size_t i = 0; i < traces_.size(); ++i)
    if (rig_.invariants_[i].takes(type)) rig_.committed(rig_.invariants_[i], traces_[i], event, this);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const UnitCopy &unit = rig_.units_[i];
    if (!unit.takes(type)) continue;
    if (Answer answer = rig_.fold(unit, states_[i], event); answer.ok()) states_[i] = std::move(answer.out);
    if (unit.abi.view != nullptr) rig_.view(unit, states_[i]);
  }
  for (const ObserverCopy &observer : rig_.observers_)
    if (observer.takes(type)) rig_.tell(observer, *this, event);
  return std::nullopt;
}

/// Whose handle it is. None: it does not count here, which is recorded.
RigSession *RigSession::of(const dsh_session *session, std::string_view what) {
  const std::string given = std::string(what) + " was given ";
  if (Rig::innermost_ != nullptr) {  // else nobody could be told, and it crashes as it would elsewhere
    auto fault = struct_fault(session, sizeof *session, alignof(dsh_session));
    if (!fault && session->impl == nullptr) fault = "is none of the host's";
    if (fault) {
      Rig::record_here(Misdeed::bad_gift, given + "a dsh_session that " + *fault);
      return nullptr;
    }
  }
  const auto &handle = *static_cast<const SessionHandle *>(session->impl);
  RigSession &self = handle.session;
  if (!self.rig_.may_call(what)) return nullptr;
  if (session != handle.abi.get())
    self.rig_.record(Misdeed::bad_handle,
                     given + "a copy of a dsh_session, not the pointer that the plugin was given");
  if (!handle.open) {
    self.rig_.record(Misdeed::bad_handle, given + "the dsh_session of a call that has ended");
    return nullptr;
  }
  if (Rig::innermost_->session == &self) return &self;
  self.rig_.record(Misdeed::bad_handle,
                   given + "a dsh_session in " + std::string(Rig::innermost_->what) +
                       (Rig::innermost_->session == nullptr ? ", which uses no session"
                                                            : ", a call that is not made for that session"));
  return nullptr;
}

std::int32_t DSH_CALL RigSession::abi_append(const dsh_session *session, const dsh_str *type,
                                             const char *data, std::size_t size, std::int64_t *seq,
                                             const dsh_error *error) {
  RigSession *const self = of(session, "append");
  if (self == nullptr) return Rig::returned(DSH_ERROR, "append");
  if (!self->rig_.takes_error(error, "append")) error = nullptr;
  try {
    return self->append_of_plugin(type, data, size, seq, error);
  } catch (const std::exception &failure) {
    return Rig::refuse(error, failure.what(), "append", DSH_NO_MEMORY);
  }
}

std::int32_t RigSession::append_of_plugin(const dsh_str *type, const char *data, std::size_t size,
                                          std::int64_t *seq, const dsh_error *error) {
  if (!executing_ || publishing_) {
    rig_.record(Misdeed::reentry, "append was called where it is not legal: " +
                                      std::string(publishing_ ? "while an event was being published, or read"
                                                              : "outside execute"));
    return Rig::refuse(error, "session append cannot reenter while another append is being published",
                       "append");
  }
  if (const auto fault = gift_fault(type, data, size, seq)) {
    rig_.record(Misdeed::bad_gift, "append was given " + *fault);
    return Rig::refuse(error, "append was given " + *fault, "append");
  }
  if (refuse_append && appended_ >= refuse_after) {
    has_refused = true;
    return Rig::refuse(error, refuse_append->text, "append", refuse_append->status);
  }
  const std::string kind(type->data, type->size);
  const std::string text = size == 0 ? std::string() : std::string(data, size);
  const auto position = static_cast<std::int64_t>(events_.size());
  if (const auto refusal = append(kind, text)) return Rig::refuse(error, *refusal, "append");
  ++appended_;
  if (seq != nullptr) *seq = position;
  return DSH_OK;
}

/// What is wrong with what append was given: "data that is not JSON"; none: nothing.
std::optional<std::string> RigSession::gift_fault(const dsh_str *type, const char *data, std::size_t size,
                                                  std::int64_t *seq) const {
  if (const auto fault = struct_fault(type, sizeof *type, alignof(dsh_str)))
    return "an event type whose dsh_str " + *fault;
  if (const auto fault = text_fault(type->data, type->size)) return "an event type that " + *fault;
  constexpr std::size_t most = 255;
  if (type->size == 0) return "an event type that is empty";
  if (type->size > most)
    return "an event type of " + std::to_string(type->size) + " bytes: " + std::to_string(most) +
           " is the most";
  const std::string_view kind(type->data, type->size);
  if (!is_wtf8(kind)) return "an event type that is no UTF-8";
  if (kind.find('\0') != std::string_view::npos) return "an event type that holds a NUL";
  if (const auto fault = text_fault(data, size)) return "data that " + *fault;
  if (!check_json(size == 0 ? std::string_view() : std::string_view(data, size)))
    return "data that is not JSON";
  if (seq == nullptr) return std::nullopt;
  if (const auto fault = struct_fault(seq, sizeof *seq, alignof(std::int64_t)))
    return "a `seq` that " + *fault;
  if (!can_write(seq)) return "a `seq` that lies in memory that may not be written";
  return std::nullopt;
}

std::int32_t DSH_CALL RigSession::abi_read(const dsh_session *session, std::int64_t from_seq,
                                           std::int32_t(DSH_CALL *each)(void *user, const dsh_event *event),
                                           void *user, const dsh_error *error) {
  RigSession *const self = of(session, "read");
  if (self == nullptr) return Rig::returned(DSH_ERROR, "read");
  if (!self->rig_.takes_error(error, "read")) error = nullptr;
  if (each == nullptr) {
    self->rig_.record(Misdeed::bad_gift, "read was given a null function");
    return Rig::refuse(error, "a null function", "read");
  }
  const Raised publishing(self->publishing_);
  std::int32_t status = DSH_OK;
  const auto count = static_cast<std::int64_t>(self->events_.size());
  for (std::int64_t i = std::max<std::int64_t>(from_seq, 0); status == DSH_OK && i < count; ++i)
    status = self->rig_.show(*self, self->events_[static_cast<std::size_t>(i)], each, user);
  return Rig::returned(status, "read");
}

}  // namespace dsh::loader::check
