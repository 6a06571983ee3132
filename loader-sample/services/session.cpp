#include "services/session.hpp"

#include <array>
#include <exception>
#include <functional>
#include <utility>

#include "services/abi_call.hpp"
#include "services/clock.hpp"
#include "services/event_json.hpp"
#include "services/gate.hpp"
#include "services/sessions.hpp"
#include "services/surface.hpp"
#include "text/attempt.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {

JsonCheck check_data(const NewEvent &event, std::string_view &only_value) {
  const JsonCheck check = check_json(event.data, only_value);
  if (!is_wtf8(event.type) || !check || (check.lossy && !is_lossless_json(event.data)))
    throw Error("session event \"" + to_wtf8(event.type) + "\" carries non-JSON-serializable data");
  return check;
}

std::string_view compact_part(std::string_view json, std::string &room) {
  if (json.empty() || !check_json(json).spaced) return json;
  return room = compact_json(json);
}

Session::Hold::Hold(Session &session) : session_(session) {
  session_.mutex_.lock();
  if (session_.disposed_) {
    session_.mutex_.unlock();
    throw Error("session \"" + session_.id_ + "\" was disposed");
  }
  session_.holder_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  ++session_.holds_;
}

Session::Hold::~Hold() {
  if (--session_.holds_ == 0) session_.holder_.store({}, std::memory_order_relaxed);
  session_.mutex_.unlock();
}

Session::CallValue::CallValue(Session *session, const std::string &text) : session_(session), text_(text) {
  if (session_ != nullptr) outer_ = std::exchange(session_->call_value_, this);
}

Session::CallValue::~CallValue() {
  if (session_ != nullptr) session_->call_value_ = outer_;
}

void Session::CallValue::learn(std::string_view object) noexcept {
  object.remove_suffix(1);
  if (object.size() > known_ && std::string_view(text_).starts_with(object)) known_ = object.size();
}

Session::Session(Sessions &sessions, std::string id, std::unique_ptr<EventStore> store, Traces traces)
    : sessions_(sessions),
      id_(std::move(id)),
      handle_{sizeof(dsh_session), 0, this, to_abi(id_), &Session::abi_append, &Session::abi_read},
      store_(std::move(store)),
      traces_(std::move(traces)),
      folds_(sessions.projections_.start_all(id_)) {}

Session::~Session() = default;

std::int64_t Session::size() {
  const Gate::Call running(sessions_.gate_);
  const Hold hold(*this);
  return store_->size();
}

bool Session::is_lost() {
  const Gate::Call running(sessions_.gate_);
  const Hold hold(*this);
  return store_->is_lost();
}

std::int64_t Session::append(const NewEvent &event, Sync sync) {
  const Gate::Call running(sessions_.gate_);
  const Hold hold(*this);
  std::string_view only_value;
  const JsonCheck check = check_data(event, only_value);
  if (publishing_) throw Error("session append cannot reenter while another append is being published");
  if (reading_) throw Error("session append cannot be called while the session is being read");
  const std::int64_t seq = store_->size();
  check_surface(event.type, seq, event.source_event_seqs, event.surface_op);
  std::array<std::string, 2> room;
  const std::string_view sources = compact_part(event.source_event_seqs, room[0]);
  const std::string_view surface_op = compact_part(event.surface_op, room[1]);
  if (!check.spaced) {
    if (call_value_ != nullptr && !only_value.empty()) call_value_->learn(event.data);
    return commit({seq, now_ms(), event.type, event.data, sources, surface_op, only_value, true}, sync);
  }
  const std::string data = compact_json(event.data);
  return commit({seq, now_ms(), event.type, data, sources, surface_op, {}, true}, sync);
}

std::int64_t Session::commit(const Event &event, Sync sync) {
  const Flag publishing(publishing_);
  sessions_.invariants_.check(traces_, event);
  try {
    store_->append(event, sync);
  } catch (const UnfitEvent &) {
    throw;  // nothing came near the disk
  } catch (...) {
    if (sync != Sync::deferred) forget_deferred();
    throw;
  }
  sessions_.invariants_.committed(traces_, event);
  tell(event);
  return event.seq;
}

void Session::tell(const Event &event) noexcept {
  sessions_.projections_.committed(id_, *store_, folds_, event);
  const dsh_event abi_event = to_abi(event);
  for (const ObserverDescriptor *const observer : sessions_.observers_) {
    const dsh_observer &abi = observer->abi();
    if (abi.committed != nullptr && observer->takes(event.type)) {
      const auto call = [&] { abi.committed(abi.user, &handle_, &abi_event); };
      sessions_.tell(*this, std::cref(call));
    }
  }
}

// After the disk refused: deferred events are gone from it, so they go from memory too.
void Session::forget_deferred() noexcept {
  try {
    const std::int64_t before = store_->size();
    if (store_->drop_deferred() == before) return;
    traces_ = sessions_.invariants_.replay(*store_);
    sessions_.projections_.dropped(id_, *store_, folds_);
  } catch (const std::exception &error) {
    attempt([&] { sessions_.diagnostics_.write(Level::error, "session " + id_, text_of(error)); });
  }
}

void Session::read(std::int64_t from, const std::function<bool(const Event &)> &each) {
  const Gate::Call running(sessions_.gate_);
  const Hold hold(*this);
  const Flag reading(reading_);
  store_->read(from, each);
}

std::string Session::events_json(std::string_view type) {
  std::string out = "[";
  read(0, [&](const Event &event) {
    if (type.empty() || event.type == type) {
      if (out.size() > 1) out += ',';
      append_event_json(out, event);
    }
    return true;
  });
  return out + ']';
}

// A thread finds itself there only where it has stored itself: no order among threads is needed.
bool Session::held_here() const noexcept {
  return holder_.load(std::memory_order_relaxed) == std::this_thread::get_id();
}

// What a plugin's handle leads to. Throws Error where it is used outside a call for this session.
Session &Session::of(const dsh_session *handle) {
  if (handle == nullptr || handle->impl == nullptr) throw Error("a null session");
  Session &self = *static_cast<Session *>(handle->impl);
  if (!self.held_here())
    throw Error("session \"" + self.id_ + "\" is used outside a call that was made for it");
  return self;
}

std::int32_t DSH_CALL Session::abi_append(const dsh_session *session, const dsh_str *type, const char *data,
                                          std::size_t size, std::int64_t *seq,
                                          const dsh_error *error) noexcept {
  try {
    Session &self = of(session);
    if (type == nullptr) throw Error("an event needs a type");
    const std::int64_t appended = self.append({from_abi(*type), from_abi({data, size}), {}, {}}, Sync::now);
    if (seq != nullptr) *seq = appended;
    return DSH_OK;
  } catch (...) {
    return fail_with_thrown(error, "the append failed");
  }
}

std::int32_t DSH_CALL Session::abi_read(const dsh_session *session, std::int64_t from_seq,
                                        std::int32_t(DSH_CALL *each)(void *user, const dsh_event *event),
                                        void *user, const dsh_error *error) noexcept {
  try {
    Session &self = of(session);
    if (each == nullptr) throw Error("a read needs a function to call");
    std::int32_t status = DSH_OK;
    self.read(from_seq, [&](const Event &event) {
      const dsh_event abi = to_abi(event);
      status = guarded([&] { return each(user, &abi); });
      return status == DSH_OK;
    });
    return status == threw ? fail(error, "an exception left the function given to read") : status;
  } catch (...) {
    return fail_with_thrown(error, "the read failed");
  }
}

}  // namespace dsh::loader
