// The adversarial host: everything a plugin can be told by a host that keeps the letter of the contract
// and none of its habits.
//
// Every text and struct it hands out ends at a page that may not be touched and goes out of reach when
// the call ends; a trace moves between calls; whatever can fail can be made to. It records what a plugin
// does that it may not.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "check/guarded_bytes.hpp"
#include "dsh/dsh.h"

namespace dsh::loader::check {

/// What a call into the plugin gave back.
struct Answer {
  std::int32_t status = DSH_OK;
  std::string out;   ///< execute's value; the one output of the others
  std::string text;  ///< execute's and render's text
  std::string error;
  std::string error_name;
  std::string error_code;
  std::size_t appended = 0;  ///< events that execute appended
  std::string breach;   ///< the first thing that was wrong with what it handed to the host; empty: nothing
  std::string relayed;  ///< the host's function that had returned this status to it; empty: none had

  bool ok() const noexcept { return status == DSH_OK; }
  bool operator==(const Answer &) const = default;
};

/// What a host refuses with: the status and its words.
struct Refusal {
  std::int32_t status = DSH_ERROR;
  std::string text = "the checking host refuses this";
};

/// How the host behaves.
struct RigOptions {
  std::set<std::string> absent;        ///< services that it never has
  std::set<std::string> short_tables;  ///< services whose table ends before `add`
  std::size_t host_size = sizeof(dsh_host);
  std::uint32_t revision = DSH_ABI_VERSION;
  bool null_log = false;             ///< a dsh_host whose `log` is NULL
  std::size_t extra = 0;             ///< bytes of junk at the end of every struct that can grow
  std::int32_t on_dispose = DSH_OK;  ///< what on_dispose returns; a failure: it refuses
  bool trial = false;                ///< `add` accepts, and nothing ever takes effect
  /// Called for each `add`, in order from 0: how it is refused; none: it is accepted.
  std::function<std::optional<Refusal>(std::string_view service, std::size_t nth)> refuse_add;
};

struct ToolCopy {
  dsh_tool abi{};
  std::string name, description, parameters, output;
};
struct InvariantCopy {
  dsh_invariant abi{};
  std::string owner;
  std::vector<std::string> types;
  bool takes(std::string_view type) const;
};
struct UnitCopy {
  dsh_unit abi{};
  std::string key, init;
  std::vector<std::string> types;
  bool takes(std::string_view type) const;
};
struct ObserverCopy {
  dsh_observer abi{};
  std::vector<std::string> types;
  bool takes(std::string_view type) const;
};

struct LoggedEvent {
  std::string type, data;
  std::int64_t seq = 0;
  std::int64_t time = 0;

  bool operator==(const LoggedEvent &) const = default;
};

/// What a plugin did that it may not, in categories that tests ask for.
enum class Misdeed {
  outside,     ///< a host function or a sink used outside a call, or on another thread
  late_add,    ///< add or on_dispose outside apply, or service in a dispose function
  reentry,     ///< append where it is not legal
  bad_gift,    ///< a descriptor, a text or a pointer that the contract refuses
  bad_handle,  ///< a copy of what is known by where it lies, or a handle where it does not count
  exception    ///< an exception left the plugin
};

class Rig;
class RigSession;

/// A dsh_session as a plugin was given it: what its `impl` leads to. It outlives the time in which it may be
/// used, its id does not: who uses it late is caught, and not only crashed.
struct SessionHandle {
  SessionHandle(RigSession &session, std::size_t extra);

  RigSession &session;
  bool open = true;
  std::unique_ptr<GuardedBytes> id;
  Guarded<dsh_session> abi;
};

struct OutState;
struct ErrorState;

/// A session of the rig: its log, and what the registered rules and units keep of it.
class RigSession {
 public:
  RigSession(Rig &rig, std::string id);
  ~RigSession();
  RigSession(const RigSession &) = delete;
  RigSession &operator=(const RigSession &) = delete;

  /// Appends as the host: checked, committed, folded, told. The text of whoever refused; none: done.
  std::optional<std::string> append(std::string_view type, std::string_view data);
  /// `turn/start` and `step/start`, what comes before a tool call in a real log.
  void open_turn();

  const std::string &id() const noexcept { return id_; }
  const std::vector<LoggedEvent> &events() const noexcept { return events_; }
  const std::string &state(std::size_t unit) const { return states_.at(unit); }

  /// How execute's appends are refused; none: they are accepted.
  std::optional<Refusal> refuse_append;
  std::size_t refuse_after = 0;  ///< appends of each call that are accepted before
  bool has_refused = false;      ///< so, in the last call of execute

 private:
  friend class Rig;
  friend struct SessionHandle;
  static RigSession *of(const dsh_session *session, std::string_view what);
  static std::int32_t DSH_CALL abi_append(const dsh_session *session, const dsh_str *type, const char *data,
                                          std::size_t size, std::int64_t *seq, const dsh_error *error);
  static std::int32_t DSH_CALL abi_read(const dsh_session *session, std::int64_t from_seq,
                                        std::int32_t(DSH_CALL *each)(void *user, const dsh_event *event),
                                        void *user, const dsh_error *error);
  std::int32_t append_of_plugin(const dsh_str *type, const char *data, std::size_t size, std::int64_t *seq,
                                const dsh_error *error);
  std::optional<std::string> gift_fault(const dsh_str *type, const char *data, std::size_t size,
                                        std::int64_t *seq) const;
  std::optional<std::string> publish(std::string_view type, std::string_view data);
  const dsh_session *handle() const noexcept { return handle_.abi.get(); }

  Rig &rig_;
  const std::string id_;
  SessionHandle handle_;
  std::vector<LoggedEvent> events_;
  std::vector<std::string> traces_;  // one an invariant
  std::vector<std::string> states_;  // one a unit
  bool executing_ = false;
  bool publishing_ = false;
  std::size_t appended_ = 0;
};

/// How one call of execute goes.
struct CallPlan {
  std::size_t refuse_after = std::numeric_limits<std::size_t>::max();  ///< bytes that each sink takes
  std::int32_t refusal = DSH_NO_MEMORY;
  std::function<void()> before, after;  ///< run directly around it; may be empty
};

/// One instance of a plugin under the adversarial host. Calls are made on any thread, one a session.
class Rig {
 public:
  explicit Rig(RigOptions options = {});
  /// Disposes.
  ~Rig();
  Rig(const Rig &) = delete;
  Rig &operator=(const Rig &) = delete;

  Answer apply(dsh_apply_fn function, std::string_view config);
  /// Ends the sessions, then calls the dispose functions newest first.
  void dispose();

  RigSession &session(std::string id);
  /// Tells the observers that it is gone.
  void end(RigSession &session);

  Answer execute(const ToolCopy &tool, std::string_view arguments, RigSession *session,
                 const CallPlan &plan = {});
  Answer render(const ToolCopy &tool, std::string_view arguments, std::string_view value);
  Answer present(const ToolCopy &tool, std::string_view arguments);
  Answer check(const InvariantCopy &rule, std::string_view trace, const LoggedEvent &event);
  /// False: it wrote behind the end of the trace.
  bool committed(const InvariantCopy &rule, std::string &trace, const LoggedEvent &event,
                 const RigSession *session = nullptr);
  Answer fold(const UnitCopy &unit, std::string_view state, const LoggedEvent &event);
  Answer view(const UnitCopy &unit, std::string_view state);
  Answer restore(const UnitCopy &unit, std::string_view stored);
  void tell(const ObserverCopy &observer, RigSession &session, const LoggedEvent &event);

  /// Lets go of the sinks and handles of calls that have ended: who uses them from now on crashes.
  void forget_calls();

  const std::vector<ToolCopy> &tools() const noexcept { return tools_; }
  const std::vector<InvariantCopy> &invariants() const noexcept { return invariants_; }
  const std::vector<UnitCopy> &units() const noexcept { return units_; }
  const std::vector<ObserverCopy> &observers() const noexcept { return observers_; }
  std::size_t adds() const noexcept { return adds_; }
  std::size_t dispose_functions() const noexcept { return disposals_.size(); }

  /// The first thing of that kind that the plugin did; empty: nothing.
  std::string misdeed(Misdeed kind) const;
  void record(Misdeed kind, std::string what) noexcept;

 private:
  friend class RigSession;
  class Sink;
  class ErrorSink;
  class CallHandle;
  /// A call into a plugin that has not returned: the innermost of this thread leads to those around it.
  struct Frame;
  /// How a call into a plugin came back.
  struct Return {
    std::int32_t status = DSH_OK;
    std::string breach, relayed;  // see Answer
  };
  struct Disposal {
    void(DSH_CALL *function)(void *user);
    void *user;
  };

  static Rig *of(const dsh_host *host, std::string_view what);
  static void record_here(Misdeed kind, std::string what) noexcept;
  static std::int32_t returned(std::int32_t status, const char *function) noexcept;
  static std::int32_t refuse(const dsh_error *error, std::string_view text, const char *function,
                             std::int32_t status = DSH_ERROR);
  static const void *DSH_CALL abi_service(const dsh_host *host, const char *id);
  static std::int32_t DSH_CALL abi_on_dispose(const dsh_host *host, void(DSH_CALL *fn)(void *user),
                                              void *user);
  static void DSH_CALL abi_log(const dsh_host *host, std::int32_t level, const char *text, std::size_t size);
  template <class Given, class Copy>
  static std::int32_t DSH_CALL abi_add(const dsh_host *host, const Given *given, const dsh_error *error);
  template <class Table, class Given, class Copy>
  void make_table(const char *id);
  void make_tables();

  bool may_call(std::string_view what) noexcept;
  bool takes_error(const dsh_error *error, std::string_view what) noexcept;
  std::int32_t dispose_with(void(DSH_CALL *fn)(void *user), void *user);
  template <class Given, class Copy>
  std::int32_t add(const Given *given, const dsh_error *error);
  std::int32_t show(RigSession &session, const LoggedEvent &event,
                    std::int32_t(DSH_CALL *each)(void *, const dsh_event *), void *user);
  void keep(const dsh_tool &given, ToolCopy &copy);
  void keep(const dsh_invariant &given, InvariantCopy &copy);
  void keep(const dsh_unit &given, UnitCopy &copy);
  void keep(const dsh_observer &given, ObserverCopy &copy);
  template <class Function>
  Return enter(Function &&function, std::string_view what, const RigSession *session = nullptr);
  template <class Function>
  Answer pure(Function &&function, std::string_view what);

  inline static thread_local Frame *innermost_ = nullptr;

  const RigOptions options_;
  std::unique_ptr<GuardedBytes> name_, version_;
  std::unique_ptr<Guarded<dsh_host>> host_;
  std::vector<std::pair<std::string, std::unique_ptr<GuardedBytes>>> tables_;
  bool applying_ = false;
  bool disposing_ = false;
  std::size_t adds_ = 0;
  std::vector<ToolCopy> tools_;
  std::vector<InvariantCopy> invariants_;
  std::vector<UnitCopy> units_;
  std::vector<ObserverCopy> observers_;
  std::vector<Disposal> disposals_;
  std::list<RigSession> sessions_;
  mutable std::mutex mutex_;                      // guards what follows: a plugin may call from anywhere
  std::map<Misdeed, std::string> misdeeds_;       // the first of each kind
  std::vector<std::unique_ptr<OutState>> sinks_;  // live on, to catch who writes late
  std::vector<std::unique_ptr<ErrorState>> error_sinks_;
  std::vector<std::unique_ptr<SessionHandle>> handles_;
};

struct Rig::Frame {
  Frame(Rig &rig_, std::string_view what_, const RigSession *session_)
      : rig(rig_), what(what_), session(session_), outer(innermost_) {
    innermost_ = this;
  }
  ~Frame() { innermost_ = outer; }
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  Rig &rig;
  const std::string_view what;
  const RigSession *const session;  ///< for which the call is made; null: for none
  Frame *const outer;
  std::string breach;
  std::int32_t given = DSH_OK;  ///< what the host's function `giver` returned last, of all but DSH_OK
  const char *giver = "";
};

template <class Function>
Rig::Return Rig::enter(Function &&function, std::string_view what, const RigSession *session) {
  Frame frame(*this, what, session);
  Return back;
  try {
    back.status = function();
  } catch (...) {
    back.status = DSH_ERROR;
    record(Misdeed::exception, "an exception left " + std::string(what));
  }
  back.breach = std::move(frame.breach);
  if (frame.giver[0] != '\0' && frame.given == back.status) back.relayed = frame.giver;
  return back;
}

}  // namespace dsh::loader::check
