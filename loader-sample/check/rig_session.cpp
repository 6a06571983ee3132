#include <algorithm>
#include <utility>

#include "check/rig.hpp"
#include "text/json_text.hpp"

namespace dsh::loader::check {
namespace {

std::int32_t refuse(const dsh_error *error, std::string_view text, std::int32_t status = DSH_ERROR) {
  error->set(error->ctx, text.data(), text.size(), nullptr, nullptr);
  return status;
}

}  // namespace

RigSession::RigSession(Rig &rig, std::string id)
    : rig_(rig), id_(std::move(id)), guarded_id_(std::make_unique<GuardedBytes>(id_)) {
  const std::size_t size = sizeof(dsh_session) + rig.options_.extra;
  const dsh_session handle = {static_cast<std::uint32_t>(size),
                              0,
                              this,
                              {guarded_id_->data(), guarded_id_->size()},
                              &RigSession::abi_append,
                              &RigSession::abi_read};
  handle_ = std::make_unique<Guarded<dsh_session>>(handle, size);
  for (const InvariantCopy &rule : rig.invariants_) traces_.emplace_back(rule.abi.trace_size, '\0');
  for (const UnitCopy &unit : rig.units_) states_.push_back(unit.init);
}

RigSession::~RigSession() = default;

void RigSession::open_turn() {
  append("turn/start", R"({"turn":1})");
  append("step/start", R"({"turn":1,"step":1})");
}

std::optional<std::string> RigSession::append(std::string_view type, std::string_view data) {
  const bool publishing = std::exchange(publishing_, true);
  auto refusal = publish(type, data);
  publishing_ = publishing;
  return refusal;
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
    if (!answer.ok()) return answer.error;
  }
  events_.push_back(event);
  for (std::size_t i = 0; i < traces_.size(); ++i) {
    if (rig_.invariants_[i].takes(type)) rig_.committed(rig_.invariants_[i], traces_[i], event);
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const UnitCopy &unit = rig_.units_[i];
    if (!unit.takes(type)) continue;
    if (Answer answer = rig_.fold(unit, states_[i], event); answer.ok()) states_[i] = std::move(answer.out);
    if (unit.abi.view != nullptr) rig_.view(unit, states_[i]);
  }
  for (const ObserverCopy &observer : rig_.observers_) {
    if (observer.abi.committed != nullptr && observer.takes(type)) rig_.tell(observer, *this, event);
  }
  return std::nullopt;
}

std::int32_t DSH_CALL RigSession::abi_append(const dsh_session *session, const dsh_str *type,
                                             const char *data, std::size_t size, std::int64_t *seq,
                                             const dsh_error *error) {
  auto &self = *static_cast<RigSession *>(session->impl);
  if (!self.rig_.may_call("append")) return DSH_ERROR;
  try {
    if (!self.executing_ || self.publishing_) {
      self.rig_.record(Misdeed::reentry,
                       "append was called where it is not legal: " +
                           std::string(self.publishing_ ? "while an event was being published, or read"
                                                        : "outside execute"));
      return refuse(error, "session append cannot reenter while another append is being published");
    }
    if (self.refuse_append) return refuse(error, self.refuse_append->text, self.refuse_append->status);
    const std::string_view text = size == 0 ? std::string_view() : std::string_view(data, size);
    if (!check_json(text)) {
      self.rig_.record(Misdeed::bad_struct, "append was given data that is not JSON");
      return refuse(error, "the data is not JSON");
    }
    const auto position = static_cast<std::int64_t>(self.events_.size());
    if (const auto refusal = self.append({type->data, type->size}, text)) return refuse(error, *refusal);
    ++self.appended_;
    if (seq != nullptr) *seq = position;
    return DSH_OK;
  } catch (const std::exception &failure) {
    return refuse(error, failure.what(), DSH_NO_MEMORY);
  }
}

std::int32_t DSH_CALL RigSession::abi_read(const dsh_session *session, std::int64_t from_seq,
                                           std::int32_t(DSH_CALL *each)(void *user, const dsh_event *event),
                                           void *user, const dsh_error *error) {
  auto &self = *static_cast<RigSession *>(session->impl);
  if (!self.rig_.may_call("read")) return DSH_ERROR;
  if (each == nullptr) {
    self.rig_.record(Misdeed::bad_struct, "read was given a null function");
    return refuse(error, "a null function");
  }
  const bool publishing = std::exchange(self.publishing_, true);
  std::int32_t status = DSH_OK;
  const auto count = static_cast<std::int64_t>(self.events_.size());
  for (std::int64_t i = std::max<std::int64_t>(from_seq, 0); status == DSH_OK && i < count; ++i) {
    status = self.rig_.show(self.events_[static_cast<std::size_t>(i)], each, user);
  }
  self.publishing_ = publishing;
  return status;
}

}  // namespace dsh::loader::check
