#include "services/projections.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "services/gate.hpp"
#include "services/session.hpp"
#include "services/unit_call.hpp"
#include "text/attempt.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

// The row that counts for a unit; null: missing, or of another version.
const CheckpointRow *row_of(const Checkpoint &rows, const UnitDescriptor &unit) noexcept {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const CheckpointRow &row) { return row.key == unit.key(); });
  return found == rows.end() || found->version != unit.version() ? nullptr : &*found;
}

std::string why_not_folded(const std::exception &error) {
  return dynamic_cast<const std::bad_alloc *>(&error) == nullptr
             ? text_of(error)
             : "ran out of memory; the next read goes on from there";
}

}  // namespace

Projections::Projections(Gate &gate, const Diagnostics &diagnostics)
    : gate_(gate), diagnostics_(diagnostics), listeners_(diagnostics) {}

void Projections::add(const UnitDescriptor &unit, SessionSpan sessions) {
  for (Unit &known : units_) {
    if (known.serving().key() != unit.key()) continue;
    if (known.serving().version() != unit.version())
      throw Error("session " + projection_name(unit.key()) + " is already registered with state version " +
                  std::to_string(known.serving().version()) + ", not " + std::to_string(unit.version()));
    known.owners.push_back(&unit);
    return;
  }
  std::vector<Fold> starts;
  for (const auto &session : sessions) starts.push_back({unit.init(), 0, {}, session->id()});
  for (const auto &session : sessions) session->folds_.reserve(units_.size() + 1);
  units_.push_back({{&unit}});
  for (std::size_t i = 0; i < sessions.size(); ++i) sessions[i]->folds_.push_back(std::move(starts[i]));
}

void Projections::remove(const UnitDescriptor &unit, SessionSpan sessions) noexcept {
  for (auto known = units_.begin(); known != units_.end(); ++known) {
    if (std::erase(known->owners, &unit) == 0) continue;
    if (known->owners.empty()) {
      for (const auto &session : sessions)
        session->folds_.erase(session->folds_.begin() + (known - units_.begin()));
      units_.erase(known);
    }
    return;
  }
}

Snapshot Projections::snapshot(Session &session) const {
  const Gate::Call running(gate_);
  const Session::Hold hold(session);
  Snapshot snapshot;
  const std::int64_t size = session.store_->size();
  snapshot.as_of_seq = size - 1;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const UnitDescriptor &unit = units_[i].serving();
    if (!unit.has_view()) continue;
    catch_up(unit, *session.store_, session.folds_[i], size);
    if (std::string value = view_of(unit, session.folds_[i].state); !value.empty())
      snapshot.values.emplace_back(unit.key(), std::move(value));
  }
  return snapshot;
}

Checkpoint Projections::checkpoint(Session &session) const {
  const Gate::Call running(gate_);
  const Session::Hold hold(session);
  Checkpoint checkpoint;
  const std::int64_t size = session.store_->size();
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const UnitDescriptor &unit = units_[i].serving();
    catch_up(unit, *session.store_, session.folds_[i], size);
    checkpoint.push_back({unit.key(), unit.version(), size - 1, session.folds_[i].state});
  }
  return checkpoint;
}

std::pair<Snapshot, Checkpoint> Projections::restore(const Checkpoint &rows, std::span<const Event> events,
                                                     std::int64_t base_seq) const {
  const Gate::Call running(gate_);
  if (base_seq < 0 || base_seq > max_safe_integer ||
      std::any_of(events.begin(), events.end(),
                  [&](const Event &event) { return event.seq < base_seq || event.seq > max_safe_integer; }))
    throw Error("a restore takes events from seq " + std::to_string(base_seq) + " on, which counts from 0");
  std::pair<Snapshot, Checkpoint> restored;
  auto &[snapshot, checkpoint] = restored;
  const std::int64_t last = events.empty() ? base_seq - 1 : events.back().seq;
  snapshot.as_of_seq = last;
  for (const Unit &known : units_) {
    const UnitDescriptor &unit = known.serving();
    const CheckpointRow *const row = row_of(rows, unit);
    const bool counts = row != nullptr && base_seq - 1 <= row->seq && row->seq <= last;
    if (!counts && base_seq > 0)
      throw Error("session " + projection_name(unit.key()) + " cannot restore from seq " +
                  std::to_string(base_seq) +
                  ": its checkpoint row is missing, version-mismatched, or beyond the supplied log end; "
                  "re-read from seq 0");
    Fold fold{counts ? admit(unit, row->state) : unit.init(), counts ? row->seq + 1 : 0};
    for (const Event &event : events)
      if (event.seq >= fold.next) fold_event(unit, fold, event, diagnostics_);
    if (unit.has_view()) {
      if (std::string value = view_of(unit, fold.state); !value.empty())
        snapshot.values.emplace_back(unit.key(), std::move(value));
    }
    checkpoint.push_back({unit.key(), unit.version(), last, std::move(fold.state)});
  }
  return restored;
}

std::optional<std::int64_t> Projections::restore_floor(const Checkpoint &rows) const {
  const Gate::Call running(gate_);
  std::optional<std::int64_t> floor;
  for (const Unit &known : units_) {
    const CheckpointRow *const row = row_of(rows, known.serving());
    const std::int64_t next = row == nullptr ? 0 : row->seq + 1;
    floor = floor ? std::min(*floor, next) : next;
  }
  return floor ? std::optional(std::max<std::int64_t>(*floor - 1, 0)) : std::nullopt;
}

ProjectionValues Projections::view_checkpoint(const Checkpoint &rows) const {
  const Gate::Call running(gate_);
  ProjectionValues values;
  for (const Unit &known : units_) {
    const UnitDescriptor &unit = known.serving();
    const CheckpointRow *const row = row_of(rows, unit);
    if (row == nullptr || !unit.has_view()) continue;
    try {
      if (std::string value = view_of(unit, admit(unit, row->state)); !value.empty())
        values.emplace_back(unit.key(), std::move(value));
    } catch (const Error &error) {
      attempt([&] { diagnostics_.write(Level::debug, unit.key(), text_of(error)); });
    }
  }
  return values;
}

Subscription Projections::subscribe(ProjectionListener listener) {
  return listeners_.add(std::move(listener));
}

std::vector<UnitInfo> Projections::units() const {
  const Gate::Call running(gate_);
  std::vector<UnitInfo> infos;
  for (const Unit &known : units_) {
    const UnitDescriptor &unit = known.serving();
    infos.push_back({unit.key(), unit.decisive(), unit.types()});
  }
  return infos;
}

const UnitDescriptor &Projections::find(std::string_view key) const {
  for (const Unit &known : units_)
    if (known.serving().key() == key) return known.serving();
  throw Error("unknown " + projection_name(key));
}

Fold Projections::start(std::string_view key, std::string log) const {
  const Gate::Call running(gate_);
  return {find(key).init(), 0, {}, std::move(log)};
}

bool Projections::step(std::string_view key, Fold &fold, const Event &event) const {
  const Gate::Call running(gate_);
  return fold_event(find(key), fold, event, diagnostics_) != FoldStep::failed;
}

std::optional<std::string> Projections::view(std::string_view key, const Fold &fold) const {
  const Gate::Call running(gate_);
  const UnitDescriptor &unit = find(key);
  if (!unit.has_view()) return std::nullopt;
  std::string value = view_of(unit, fold.state);
  return value.empty() ? std::nullopt : std::optional(std::move(value));
}

std::vector<Fold> Projections::start_all(std::string_view session) const {
  std::vector<Fold> folds;
  folds.reserve(units_.size());
  for (const Unit &unit : units_) folds.push_back({unit.serving().init(), 0, {}, std::string(session)});
  return folds;
}

void Projections::catch_up(const UnitDescriptor &unit, const EventStore &log, Fold &fold,
                           std::int64_t end) const {
  if (fold.next >= end) return;
  if (unit.decisive() && !unit.types().empty()) {
    catch_up_backwards(unit, log, fold, end);
    return;
  }
  log.read(fold.next, [&](const Event &event) {
    if (event.seq >= end) return false;
    fold_event(unit, fold, event, diagnostics_);
    return true;
  });
}

// By the law of decisive units, the last event that folds gives the state, whatever came before.
void Projections::catch_up_backwards(const UnitDescriptor &unit, const EventStore &log, Fold &fold,
                                     std::int64_t end) const {
  constexpr std::int64_t block = 256;
  std::vector<std::int64_t> candidates;
  for (std::int64_t high = end; high > fold.next; high = std::max(fold.next, high - block)) {
    candidates.clear();
    log.read(std::max(fold.next, high - block), [&](const Event &event) {
      if (event.seq < high && unit.takes(event.type)) candidates.push_back(event.seq);
      return event.seq + 1 < high;
    });
    for (auto seq = candidates.rbegin(); seq != candidates.rend(); ++seq) {
      FoldStep step = FoldStep::failed;
      Fold attempt = fold;
      log.read(*seq, [&](const Event &event) {
        step = fold_event(unit, attempt, event, diagnostics_);
        return false;
      });
      if (step != FoldStep::failed) {
        fold.state = std::move(attempt.state);
        fold.next = end;
        return;
      }
    }
  }
  fold.next = end;
}

void Projections::committed(std::string_view session, const EventStore &log, std::vector<Fold> &folds,
                            const Event &event) const noexcept {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const UnitDescriptor &unit = units_[i].serving();
    try {
      catch_up(unit, log, folds[i], event.seq);
      if (fold_event(unit, folds[i], event, diagnostics_) == FoldStep::changed)
        notify(session, unit, folds[i], event.seq);
    } catch (const std::exception &error) {
      // The log can't be read back, or memory ran out: the fold stays where it is, and is brought up by the
      // next reader.
      attempt([&] { diagnostics_.write(Level::error, unit.key(), why_not_folded(error)); });
    }
  }
}

void Projections::dropped(std::string_view session, const EventStore &log,
                          std::vector<Fold> &folds) const noexcept {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const UnitDescriptor &unit = units_[i].serving();
    try {
      const Fold before = std::exchange(folds[i], Fold{unit.init(), 0, {}, folds[i].log});
      catch_up(unit, log, folds[i], log.size());
      if (folds[i].state != before.state) notify(session, unit, folds[i], log.size() - 1);
    } catch (const std::exception &error) {
      attempt([&] { diagnostics_.write(Level::error, unit.key(), why_not_folded(error)); });
    }
  }
}

void Projections::notify(std::string_view session, const UnitDescriptor &unit, const Fold &fold,
                         std::int64_t seq) const noexcept {
  if (!unit.has_view() || listeners_.empty()) return;
  try {
    if (const std::string value = view_of(unit, fold.state); !value.empty())
      listeners_.tell(unit.key(), {session, unit.key(), value, seq});
  } catch (const std::exception &error) {
    attempt([&] { diagnostics_.write(Level::warn, unit.key(), text_of(error)); });
  }
}

}  // namespace dsh::loader
