// Service "invariants": rules that every event keeps before it enters a log.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "services/descriptors.hpp"
#include "services/event_store.hpp"
#include "services/session_span.hpp"

namespace dsh::loader {

/// What the rules remember of one log: a few bytes each, in the rules' order.
class Traces {
 private:
  friend class Invariants;
  std::vector<std::unique_ptr<std::byte[]>> bytes_;
};

/// The rules, in the order of their registration. `add` and `remove` run inside a change of the gate;
/// the others inside a call, one at a time for one Traces.
class Invariants {
 public:
  /// Replays every session, in order of creation, then takes the rule. Throws Error, as check() does,
  /// for the first event that breaks it; then nothing has changed.
  void add(const InvariantDescriptor &rule, SessionSpan sessions);
  void remove(const InvariantDescriptor &rule, SessionSpan sessions) noexcept;

  /// Does a rule look at events of this type?
  bool takes(std::string_view type) const noexcept;

  /// The traces of an empty log.
  Traces start() const;

  /// Throws Error when a rule refuses the event: `invariant violated by "<owner>": <why>`, or the
  /// rule's breakdown without that prefix. The first rule that refuses is the one named.
  void check(const Traces &traces, const Event &event) const;

  /// Moves the traces: the event is in the log.
  void committed(Traces &traces, const Event &event) const noexcept;

  /// Both: the event belongs to a log that is being taken over. Throws Error as check() does.
  void admit(Traces &traces, const Event &event) const;

  /// The traces of a whole log. Throws Error, as check() does, for the first event that breaks a rule.
  Traces replay(const EventStore &log) const;

 private:
  std::vector<const InvariantDescriptor *> rules_;
};

}  // namespace dsh::loader
