#include "services/sessions.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "services/clock.hpp"
#include "services/event_names.hpp"
#include "services/gate.hpp"
#include "services/invariants.hpp"
#include "services/memory_store.hpp"
#include "services/projections.hpp"
#include "services/surface.hpp"
#include "text/attempt.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

std::string quoted(std::string_view id) { return "session \"" + std::string(id) + "\""; }

// The events of a seed, closed by session/end-seed. Those whose data has whitespace between its values
// lie in `compacted`.
std::vector<Event> events_of(std::span<const SeedEvent> seed, std::vector<std::string> &compacted) {
  std::vector<Event> events;
  if (seed.empty()) return events;
  events.reserve(seed.size() + 1);
  compacted.reserve(3 * seed.size());
  const std::int64_t now = now_ms();
  for (const SeedEvent &given : seed) {
    const auto seq = static_cast<std::int64_t>(events.size());
    if (given.seq != -1 && given.seq != seq)
      throw Error("a session's seed is contiguous from 0: seq " + std::to_string(given.seq) + " came where " +
                  std::to_string(seq) + " is expected");
    const NewEvent &event = given.event;
    std::string_view only_value;
    const JsonCheck check = check_data(event, only_value);
    check_surface(event.type, seq, event.source_event_seqs, event.surface_op, true);
    std::string_view data = event.data;
    if (check.spaced) data = compacted.emplace_back(compact_json(data));
    events.push_back({seq,
                      given.time == -1 ? now : given.time,
                      event.type,
                      data,
                      compact_part(event.source_event_seqs, compacted.emplace_back()),
                      compact_part(event.surface_op, compacted.emplace_back()),
                      {},
                      true});
  }
  if (events.back().type != event_type::end_seed)
    events.push_back(
        {static_cast<std::int64_t>(events.size()), now, event_type::end_seed, "{}", {}, {}, {}, true});
  return events;
}

}  // namespace

Sessions::Sessions(Gate &gate, const Diagnostics &diagnostics, Invariants &invariants,
                   Projections &projections, SessionStorage *storage)
    : gate_(gate),
      diagnostics_(diagnostics),
      invariants_(invariants),
      projections_(projections),
      storage_(storage) {}

Sessions::~Sessions() = default;

void Sessions::add(const ObserverDescriptor &observer) {
  observers_.push_back(&observer);
  for (const auto &session : all()) tell_created(*session, observer);
}

void Sessions::remove(const ObserverDescriptor &observer) noexcept {
  if (std::erase(observers_, &observer) == 0) return;
  for (const auto &session : list_)  // alone, inside a change
    tell_disposed(*session, observer);
}

std::vector<std::shared_ptr<Session>> Sessions::all() const {
  const std::lock_guard lock(mutex_);
  return list_;
}

std::shared_ptr<Session> Sessions::create(std::string id, std::span<const SeedEvent> seed) {
  const Gate::Call running(gate_);
  std::vector<std::string> compacted;
  const std::vector<Event> events = events_of(seed, compacted);
  const Reserved reserved(*this, std::move(id));
  std::unique_ptr<EventStore> store;
  if (storage_ != nullptr)
    store = storage_->create(reserved.id(), static_cast<std::int64_t>(seed.size()));
  else
    store = std::make_unique<MemoryStore>();
  Traces traces = invariants_.start();
  for (const Event &event : events) invariants_.admit(traces, event);
  for (const Event &event : events)
    store->append(event, &event == &events.back() ? Sync::now : Sync::deferred);
  return publish(reserved, std::move(store), std::move(traces));
}

std::shared_ptr<Session> Sessions::open(const std::string &id) {
  const Gate::Call running(gate_);
  if (storage_ == nullptr) throw Error(quoted(id) + " is not stored: sessions are kept in memory");
  const Reserved reserved(*this, id);
  Traces traces = invariants_.start();
  std::unique_ptr<EventStore> store =
      storage_->open(id, [&](const EventStore &stored) { traces = invariants_.replay(stored); });
  return publish(reserved, std::move(store), std::move(traces));
}

std::shared_ptr<Session> Sessions::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(std::string(id));
  if (found == by_id_.end() || found->second == nullptr) throw Error("unknown " + quoted(id));
  return found->second;
}

void Sessions::dispose(std::string_view id) {
  const Gate::Call running(gate_);
  const std::shared_ptr<Session> session = find(id);
  const Session::Hold hold(*session);
  if (session->holds_ > 1) throw Error(quoted(id) + " is in use by the call that disposes of it");
  for (auto observer = observers_.rbegin(); observer != observers_.rend(); ++observer)
    tell_disposed(*session, **observer);
  session->disposed_ = true;
  session->store_.reset();
  const std::lock_guard lock(mutex_);
  std::erase(list_, session);
  by_id_.erase(session->id());
}

Sessions::Reserved::Reserved(Sessions &sessions, std::string id) : sessions_(sessions), id_(std::move(id)) {
  const std::lock_guard lock(sessions_.mutex_);
  if (!id_.empty()) {
    if (!is_wtf8(id_)) throw Error("a session's id is UTF-8: \"" + to_wtf8(id_) + "\" is not");
    if (!sessions_.by_id_.try_emplace(id_).second) throw session_exists(id_);
    return;
  }
  do {
    id_ = "session-" + std::to_string(++sessions_.last_number_);
  } while (sessions_.by_id_.contains(id_) ||
           (sessions_.storage_ != nullptr && sessions_.storage_->exists(id_)));
  sessions_.by_id_.try_emplace(id_);
}

Sessions::Reserved::~Reserved() {
  const std::lock_guard lock(sessions_.mutex_);
  const auto found = sessions_.by_id_.find(id_);
  if (found != sessions_.by_id_.end() && found->second == nullptr) sessions_.by_id_.erase(found);
}

std::shared_ptr<Session> Sessions::publish(const Reserved &reserved, std::unique_ptr<EventStore> store,
                                           Traces traces) {
  const std::shared_ptr<Session> session(
      new Session(*this, reserved.id(), std::move(store), std::move(traces)));
  const Session::Hold hold(*session);  // nobody appends before the observers know it
  {
    const std::lock_guard lock(mutex_);
    list_.push_back(session);
    by_id_.find(reserved.id())->second = session;
  }
  for (const ObserverDescriptor *const observer : observers_) tell_created(*session, *observer);
  return session;
}

void Sessions::tell_created(Session &session, const ObserverDescriptor &observer) const noexcept {
  const dsh_observer &abi = observer.abi();
  if (abi.created != nullptr) {
    const auto call = [&] { abi.created(abi.user, session.handle()); };
    tell(session, std::cref(call));
  }
}

void Sessions::tell_disposed(Session &session, const ObserverDescriptor &observer) const noexcept {
  const dsh_observer &abi = observer.abi();
  if (abi.disposed != nullptr) {
    const auto call = [&] { abi.disposed(abi.user, session.handle()); };
    tell(session, std::cref(call));
  }
}

// Calls an observer, which cannot fail and may not append. `call` is a reference wrapper: a function made
// of it takes no memory.
void Sessions::tell(Session &session, const std::function<void()> &call) const noexcept {
  try {
    const Session::Hold hold(session);
    const Session::Flag publishing(session.publishing_);
    call();
  } catch (const std::exception &error) {
    attempt([&] {
      diagnostics_.write(Level::error, quoted(session.id()), "an observer failed: " + text_of(error));
    });
  } catch (...) {
    attempt([&] {
      diagnostics_.write(Level::error, quoted(session.id()),
                         "an observer threw something that is no exception");
    });
  }
}

}  // namespace dsh::loader
