#include "services/invariants.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "services/abi_call.hpp"
#include "services/session.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using Trace = std::unique_ptr<std::byte[]>;

Trace new_trace(const InvariantDescriptor &rule) {
  return rule.abi().trace_size == 0 ? nullptr : std::make_unique<std::byte[]>(rule.abi().trace_size);
}

void check_one(const InvariantDescriptor &rule, const std::byte *trace, const dsh_event &event) {
  const dsh_invariant &abi = rule.abi();
  ErrorSink sink;
  const std::int32_t status = guarded([&] { return abi.check(abi.user, trace, &event, sink.abi()); });
  if (status == DSH_OK) return;
  const Error error = sink.error("the invariant of " + rule.owner(), status);
  if (status != DSH_VIOLATED) throw error;
  throw Error("invariant violated by \"" + rule.owner() + "\": " + error.text(), error.name(), error.code());
}

void commit_one(const InvariantDescriptor &rule, std::byte *trace, const dsh_event &event) noexcept {
  const dsh_invariant &abi = rule.abi();
  if (abi.committed != nullptr)
    guarded([&] {
      abi.committed(abi.user, trace, &event);
      return DSH_OK;
    });
}

Trace replay_one(const InvariantDescriptor &rule, const EventStore &log) {
  Trace trace = new_trace(rule);
  log.read(0, [&](const Event &event) {
    if (rule.takes(event.type)) {
      const dsh_event abi = to_abi(event);
      check_one(rule, trace.get(), abi);
      commit_one(rule, trace.get(), abi);
    }
    return true;
  });
  return trace;
}

}  // namespace

void Invariants::add(const InvariantDescriptor &rule, SessionSpan sessions) {
  std::vector<Trace> replayed;
  replayed.reserve(sessions.size());
  for (const auto &session : sessions) {
    replayed.push_back(replay_one(rule, *session->store_));
    session->traces_.bytes_.reserve(rules_.size() + 1);
  }
  rules_.push_back(&rule);
  for (std::size_t i = 0; i < sessions.size(); ++i)
    sessions[i]->traces_.bytes_.push_back(std::move(replayed[i]));
}

void Invariants::remove(const InvariantDescriptor &rule, SessionSpan sessions) noexcept {
  const auto found = std::find(rules_.begin(), rules_.end(), &rule);
  if (found == rules_.end()) return;
  const std::ptrdiff_t position = found - rules_.begin();
  rules_.erase(found);
  for (const auto &session : sessions)
    session->traces_.bytes_.erase(session->traces_.bytes_.begin() + position);
}

bool Invariants::takes(std::string_view type) const noexcept {
  return std::any_of(rules_.begin(), rules_.end(),
                     [type](const InvariantDescriptor *rule) { return rule->takes(type); });
}

Traces Invariants::start() const {
  Traces traces;
  traces.bytes_.reserve(rules_.size());
  for (const InvariantDescriptor *const rule : rules_) traces.bytes_.push_back(new_trace(*rule));
  return traces;
}

void Invariants::check(const Traces &traces, const Event &event) const {
  const dsh_event abi = to_abi(event);
  for (std::size_t i = 0; i < rules_.size(); ++i)
    if (rules_[i]->takes(event.type)) check_one(*rules_[i], traces.bytes_[i].get(), abi);
}

void Invariants::committed(Traces &traces, const Event &event) const noexcept {
  const dsh_event abi = to_abi(event);
  for (std::size_t i = 0; i < rules_.size(); ++i)
    if (rules_[i]->takes(event.type)) commit_one(*rules_[i], traces.bytes_[i].get(), abi);
}

void Invariants::admit(Traces &traces, const Event &event) const {
  check(traces, event);
  committed(traces, event);
}

Traces Invariants::replay(const EventStore &log) const {
  Traces traces = start();
  log.read(0, [&](const Event &event) {
    try {
      admit(traces, event);
    } catch (const Error &error) {
      throw Error(error.text() + ", at event " + std::to_string(event.seq), error.name(), error.code());
    }
    return true;
  });
  return traces;
}

}  // namespace dsh::loader
