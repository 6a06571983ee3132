// Service "sessionProjections": values folded from a session's events.
//
// A unit folds lazily: its state in a session is brought up to the log when an event comes or somebody
// reads. A decisive unit is brought up from the end of the log, backwards to the last event that sets it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/checkpoint.hpp"
#include "services/descriptors.hpp"
#include "services/event_store.hpp"
#include "services/listeners.hpp"
#include "services/session_span.hpp"

namespace dsh::loader {

class Diagnostics;
class Gate;
class Session;

/// Key → JSON text, in the units' order. Keys whose view is undefined are left out.
using ProjectionValues = std::vector<std::pair<std::string, std::string>>;

struct Snapshot {
  std::int64_t as_of_seq = -1;  ///< the last event's, -1: the log is empty
  ProjectionValues values;
};

/// A value that changed. The views live during the listener's call.
struct ProjectionChange {
  std::string_view session;
  std::string_view key;
  std::string_view value;  ///< JSON
  std::int64_t seq = -1;   ///< of the event that changed it
};
using ProjectionListener = std::function<void(const ProjectionChange &)>;

/// What a unit is, for those who fold logs that are no sessions (the plan of a file).
struct UnitInfo {
  std::string key;
  bool decisive = false;
  std::vector<std::string> types;  ///< empty: every type
};

/// One unit's state, moving along a log.
struct Fold {
  std::string state;      ///< JSON; empty: undefined
  std::int64_t next = 0;  ///< the seq of the first event not folded yet
  std::string room = {};  ///< memory that the next state is written to
  std::string log = {};   ///< whose events they are, for texts; empty: not known
};

/// The units, and what is done with them. Functions of the first part run inside a change of the gate;
/// those of the second enter it themselves, as calls, on any thread.
class Projections {
 public:
  /// Both outlive it.
  Projections(Gate &gate, const Diagnostics &diagnostics);

  /// Shares a key that is there with the same version; throws Error naming both versions otherwise.
  void add(const UnitDescriptor &unit, SessionSpan sessions);
  void remove(const UnitDescriptor &unit, SessionSpan sessions) noexcept;

  /// Throws Error with the text of a view that fails, and like all that fold or view, std::bad_alloc where
  /// memory runs out, in a unit too: the next call goes on from where this one stood.
  Snapshot snapshot(Session &session) const;
  Checkpoint checkpoint(Session &session) const;

  /// Folds `events`, whose first has seq `base_seq`, on from the rows; rows that don't count are
  /// refolded from the start. Throws Error where that is impossible, or a row is malformed.
  std::pair<Snapshot, Checkpoint> restore(const Checkpoint &rows, std::span<const Event> events,
                                          std::int64_t base_seq) const;
  /// From which seq on restore() needs events; none: there are no units.
  std::optional<std::int64_t> restore_floor(const Checkpoint &rows) const;
  /// The rows' values; those of another version, or malformed, are left out.
  ProjectionValues view_checkpoint(const Checkpoint &rows) const;

  /// Has `listener` called, on the thread of the append, for every change in every session; an
  /// exception of it is logged.
  [[nodiscard]] Subscription subscribe(ProjectionListener listener);

  std::vector<UnitInfo> units() const;
  /// The state before the first event of `log`. Throws Error for an unknown key, as the next two do.
  Fold start(std::string_view key, std::string log = {}) const;
  /// Folds one event into `fold`; false: the unit failed on it, and the state stays. Where memory runs out,
  /// `fold` stands before the event.
  bool step(std::string_view key, Fold &fold, const Event &event) const;
  /// The value of a state: JSON, none where undefined. Throws Error with the view's text.
  std::optional<std::string> view(std::string_view key, const Fold &fold) const;

  // For Session: the caller is inside a call and holds the session.

  std::vector<Fold> start_all(std::string_view session) const;
  /// Folds an event that was just appended to `log`, and tells the listeners.
  void committed(std::string_view session, const EventStore &log, std::vector<Fold> &folds,
                 const Event &event) const noexcept;
  /// Folds anew after events were dropped from the end of the log, and tells the listeners of values
  /// that are other than before.
  void dropped(std::string_view session, const EventStore &log, std::vector<Fold> &folds) const noexcept;

 private:
  struct Unit {
    std::vector<const UnitDescriptor *> owners;  // the first one's functions serve
    const UnitDescriptor &serving() const { return *owners.front(); }
  };
  const UnitDescriptor &find(std::string_view key) const;
  void catch_up(const UnitDescriptor &unit, const EventStore &log, Fold &fold, std::int64_t end) const;
  void catch_up_backwards(const UnitDescriptor &unit, const EventStore &log, Fold &fold,
                          std::int64_t end) const;
  void notify(std::string_view session, const UnitDescriptor &unit, const Fold &fold,
              std::int64_t seq) const noexcept;

  Gate &gate_;
  const Diagnostics &diagnostics_;
  std::vector<Unit> units_;
  mutable Listeners<ProjectionChange> listeners_;
};

}  // namespace dsh::loader
