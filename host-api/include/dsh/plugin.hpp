/// dsh/plugin.hpp - the contract for plugins written in C++17 or later. Optional, header-only, thin.
///
/// It takes four chores off a plugin, and nothing else:
///  - views: dsh_str and std::string_view turn into each other (dsh::view, dsh::str);
///  - errors: code throws, and the C function that the host calls turns what was thrown into a status
///    and a text (dsh::guarded, dsh::Failure); nothing ever crosses the boundary;
///  - descriptors: dsh::tool(object), dsh::unit(object) and dsh::invariant(object) fill the C struct,
///    functions included, from the members of an object;
///  - registration: dsh::Host looks a service up, checks that host and table are long enough for this
///    plugin, adds, and keeps objects alive until the registrations are undone.
///
/// Everything here is inline: a plugin built with it needs no library, and two plugins built with
/// different versions of it do not meet. The boundary itself stays plain C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "dsh.h"

namespace dsh {

/// The bytes of `s`, valid as long as those of `s`.
inline std::string_view view(const dsh_str &s) noexcept {
  return s.size == 0 ? std::string_view() : std::string_view(s.data, s.size);
}

/// The other way round. `s` must outlive the result.
inline dsh_str str(std::string_view s) noexcept { return {s.data(), s.size()}; }

/// A call that failed: what a plugin throws to fail with a text of its own, name and code included.
class Failure : public std::exception {
 public:
  /// `name` and `code` must live for ever (literals), or be null: see dsh_error.
  explicit Failure(std::string text, const char *name = nullptr, const char *code = nullptr,
                   int32_t status = DSH_ERROR)
      : text_(std::move(text)), name_(name), code_(code), status_(status) {}

  const std::string &text() const noexcept { return text_; }
  const char *name() const noexcept { return name_; }
  const char *code() const noexcept { return code_; }
  int32_t status() const noexcept { return status_; }
  const char *what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
  const char *name_;
  const char *code_;
  int32_t status_;
};

/// A status that is returned as it is, because whoever gave it has already said why (`append`), or
/// needs no why (a sink).
struct Status {
  int32_t value;
};

/// Says why a call failed.
inline void set_error(const dsh_error *error, std::string_view text, const char *name = nullptr,
                      const char *code = nullptr) noexcept {
  error->set(error->ctx, text.data(), text.size(), name, code);
}

/// Runs `body`, which returns a status, and turns whatever it throws into a status and a text.
template <class Body>
int32_t guarded(const dsh_error *error, Body &&body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (const Failure &failure) {
    set_error(error, failure.text(), failure.name(), failure.code());
    return failure.status();
  } catch (const Status &status) {
    return status.value;
  } catch (const std::bad_alloc &) {
    set_error(error, "out of memory");
    return DSH_NO_MEMORY;
  } catch (const std::exception &other) {
    set_error(error, other.what());
    return DSH_ERROR;
  } catch (...) {
    set_error(error, "the plugin failed without saying why");
    return DSH_ERROR;
  }
}

/// A sink to write to. Throws Status when the receiver refuses.
class Out {
 public:
  explicit Out(const dsh_out *out) noexcept : out_(out) {}

  void write(std::string_view text) const {
    if (const int32_t status = out_->write(out_->ctx, text.data(), text.size()); status != DSH_OK)
      throw Status{status};
  }

 private:
  const dsh_out *out_;
};

/// An event, with its members as views.
struct Event {
  /// `event` must be as long as revision 1's.
  explicit Event(const dsh_event *event) noexcept
      : seq(event->seq), time(event->time), type(view(event->type)), data(view(event->data)) {}

  int64_t seq;   ///< position in the log, from 0
  int64_t time;  ///< milliseconds since the epoch
  std::string_view type;
  std::string_view data;
};

namespace detail {

/// A struct of the host's that ends before what this plugin needs of it, or has a hole there.
template <class Struct>
[[noreturn]] void refuse_incomplete(const char *what, const Struct &given) {
  const std::string start = "the host's " + std::string(what) + " has ";
  if (given.struct_size >= sizeof(Struct)) throw Failure(start + "a null where a function belongs");
  throw Failure(start + std::to_string(given.struct_size) + " bytes, this plugin needs " +
                std::to_string(sizeof(Struct)) + ": it takes a newer host");
}

/// What `append` or `add` failed with. DSH_NONE is no failure by itself, but nothing they may answer.
inline Status failure(int32_t status) noexcept { return {status == DSH_NONE ? int32_t{DSH_ERROR} : status}; }

inline Event event_of(const dsh_event *event) {
  if (!DSH_REACHES(event, data)) refuse_incomplete("dsh_event", *event);
  return Event(event);
}

template <class T>
using RenderOf = decltype(&T::render);
template <class T>
using PresentOf = decltype(&T::present);
template <class T>
using ViewOf = decltype(&T::view);
template <class T>
using RestoreOf = decltype(&T::restore);

template <template <class> class Member, class T, class = void>
inline constexpr bool has = false;
template <template <class> class Member, class T>
inline constexpr bool has<Member, T, std::void_t<Member<T>>> = true;

template <class T>
const T &object(void *user) noexcept {
  return *static_cast<const T *>(user);
}

/// The C side hands objects around as void *; members that are called through it are const.
template <class T>
void *user(const T &object) noexcept {
  return const_cast<void *>(static_cast<const void *>(&object));
}

}  // namespace detail

/// The call that `execute` runs.
class Call {
 public:
  /// Throws Failure where the host's dsh_call is shorter than revision 1's.
  Call(const dsh_call *call, const dsh_error *error) : call_(call), error_(error) {
    if (!DSH_REACHES(call, session)) detail::refuse_incomplete("dsh_call", *call);
  }

  std::string_view arguments() const noexcept { return view(call_->arguments); }
  std::string_view id() const noexcept { return view(call_->call_id); }

  /// True where an agent's session owns the call.
  bool owned() const noexcept { return call_->session != nullptr; }

  /// The owning session's id. Only where owned(). Lives as long as the call.
  std::string_view session_id() const {
    if (!DSH_REACHES(call_->session, id)) detail::refuse_incomplete("dsh_session", *call_->session);
    return view(call_->session->id);
  }

  /// Calls each(const Event &), which returns false to stop, for the owning session's events from position
  /// `from_seq` on. Only where owned(). What `each` throws arrives here. Throws Status when the host fails.
  template <class Each>
  void read(int64_t from_seq, Each each) const {
    struct Reading {
      Each &each;
      std::exception_ptr thrown;
    } reading{each, nullptr};
    const dsh_session *session = call_->session;
    if (!DSH_HAS(session, read)) detail::refuse_incomplete("dsh_session", *session);
    const int32_t status = session->read(
        session, from_seq,
        [](void *user, const dsh_event *event) -> int32_t {
          auto &self = *static_cast<Reading *>(user);
          try {
            return self.each(detail::event_of(event)) ? DSH_OK : DSH_NONE;
          } catch (...) {
            self.thrown = std::current_exception();
            return DSH_ERROR;
          }
        },
        &reading, error_);
    if (reading.thrown) std::rethrow_exception(reading.thrown);
    if (status != DSH_OK && status != DSH_NONE) throw detail::failure(status);
  }

  /// Appends an event to the owning session, and returns its position. Only where owned(). The event
  /// stays even if the call fails afterwards: append last. Throws Status when the host refuses; its
  /// reason then stands in the call's error already.
  int64_t append(std::string_view type, std::string_view data) const {
    const dsh_session *session = call_->session;
    if (!DSH_HAS(session, append)) detail::refuse_incomplete("dsh_session", *session);
    const dsh_str type_text = str(type);
    int64_t seq = -1;
    const int32_t status = session->append(session, &type_text, data.data(), data.size(), &seq, error_);
    if (status != DSH_OK) throw detail::failure(status);
    return seq;
  }

 private:
  const dsh_call *call_;
  const dsh_error *error_;
};

/// The descriptor of a tool that `object` implements, which must outlive the registration. T has
///   static or const members `name`, `description`, `parameters`, `output` (std::string_view or
///   std::string) and `mode` (DSH_EXCLUSIVE or DSH_PARALLEL);
///   void execute(const Call &, Out value, Out text) const;
/// and may have
///   void render(std::string_view arguments, std::string_view value, Out text) const;
///   bool present(std::string_view arguments, Out card) const;      false: no card
template <class T>
dsh_tool tool(const T &&object) = delete;  // a temporary would not outlive the registration
template <class T>
dsh_tool tool(const T &object) noexcept {
  dsh_tool tool{};
  tool.struct_size = sizeof(dsh_tool);
  tool.mode = object.mode;
  tool.user = detail::user(object);
  tool.name = str(object.name);
  tool.description = str(object.description);
  tool.parameters = str(object.parameters);
  tool.output = str(object.output);
  tool.execute = [](void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                    const dsh_error *error) -> int32_t {
    return guarded(error, [&]() -> int32_t {
      detail::object<T>(user).execute(Call(call, error), Out(value), Out(text));
      return DSH_OK;
    });
  };
  if constexpr (detail::has<detail::RenderOf, T>)
    tool.render = [](void *user, const dsh_str *arguments, const dsh_str *value, const dsh_out *text,
                     const dsh_error *error) -> int32_t {
      return guarded(error, [&]() -> int32_t {
        detail::object<T>(user).render(view(*arguments), view(*value), Out(text));
        return DSH_OK;
      });
    };
  if constexpr (detail::has<detail::PresentOf, T>)
    tool.present = [](void *user, const dsh_str *arguments, const dsh_out *card,
                      const dsh_error *error) -> int32_t {
      return guarded(error, [&]() -> int32_t {
        return detail::object<T>(user).present(view(*arguments), Out(card)) ? DSH_OK : DSH_NONE;
      });
    };
  return tool;
}

/// The descriptor of a projection unit that `object` implements, which must outlive the registration.
/// T has members `key`, `init` (std::string_view), `state_version`, `flags`, `types` (an array of
/// dsh_str);
///   bool apply(std::string_view state, const Event &, Out next) const;   false: unchanged
/// and may have
///   void view(std::string_view state, Out view) const;
///   void restore(std::string_view stored, Out state) const;
template <class T>
dsh_unit unit(const T &&object) = delete;  // a temporary would not outlive the registration
template <class T>
dsh_unit unit(const T &object) noexcept {
  dsh_unit unit{};
  unit.struct_size = sizeof(dsh_unit);
  unit.flags = object.flags;
  unit.user = detail::user(object);
  unit.key = str(object.key);
  unit.state_version = object.state_version;
  unit.types = std::data(object.types);
  unit.type_count = std::size(object.types);
  unit.init = str(object.init);
  unit.apply = [](void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                  const dsh_error *error) -> int32_t {
    return guarded(error, [&]() -> int32_t {
      return detail::object<T>(user).apply(dsh::view(*state), detail::event_of(event), Out(next)) ? DSH_OK
                                                                                                  : DSH_NONE;
    });
  };
  if constexpr (detail::has<detail::ViewOf, T>)
    unit.view = [](void *user, const dsh_str *state, const dsh_out *view, const dsh_error *error) -> int32_t {
      return guarded(error, [&]() -> int32_t {
        detail::object<T>(user).view(dsh::view(*state), Out(view));
        return DSH_OK;
      });
    };
  if constexpr (detail::has<detail::RestoreOf, T>)
    unit.restore = [](void *user, const dsh_str *stored, const dsh_out *state,
                      const dsh_error *error) -> int32_t {
      return guarded(error, [&]() -> int32_t {
        detail::object<T>(user).restore(dsh::view(*stored), Out(state));
        return DSH_OK;
      });
    };
  return unit;
}

/// The descriptor of an invariant that `object` implements, which must outlive the registration. T has
/// a type Trace (trivially copyable; all zero is its start), members `owner` (std::string_view),
/// `types` (an array of dsh_str);
///   void check(const Trace &, const Event &) const;              throws Violation
///   void committed(Trace &, const Event &) const noexcept;
template <class T>
dsh_invariant invariant(const T &&object) = delete;  // a temporary would not outlive the registration
template <class T>
dsh_invariant invariant(const T &object) noexcept {
  using Trace = typename T::Trace;
  static_assert(std::is_trivially_copyable_v<Trace> && std::is_standard_layout_v<Trace>,
                "a trace is plain bytes that the host keeps");
  static_assert(alignof(Trace) <= alignof(std::max_align_t),
                "a trace is aligned for max_align_t, no further");
  static_assert(sizeof(Trace) <= 4096, "no host need keep a trace of more than 4096 bytes");
  dsh_invariant invariant{};
  invariant.struct_size = sizeof(dsh_invariant);
  invariant.trace_size = sizeof(Trace);
  invariant.user = detail::user(object);
  invariant.owner = str(object.owner);
  invariant.types = std::data(object.types);
  invariant.type_count = std::size(object.types);
  invariant.check = [](void *user, const void *trace, const dsh_event *event,
                       const dsh_error *error) -> int32_t {
    return guarded(error, [&]() -> int32_t {
      detail::object<T>(user).check(*static_cast<const Trace *>(trace), detail::event_of(event));
      return DSH_OK;
    });
  };
  invariant.committed = [](void *user, void *trace, const dsh_event *event) {
    if (!DSH_REACHES(event, data)) return;  // `check` has refused it
    const Event committed(event);
    static_assert(noexcept(detail::object<T>(user).committed(*static_cast<Trace *>(trace), committed)),
                  "`committed` cannot fail");
    detail::object<T>(user).committed(*static_cast<Trace *>(trace), committed);
  };
  return invariant;
}

/// An event that breaks a rule: what `check` throws.
class Violation : public Failure {
 public:
  explicit Violation(std::string text) : Failure(std::move(text), nullptr, nullptr, DSH_VIOLATED) {}
};

/// The context of one instance, inside `apply`. The error sink is that of `apply`.
class Host {
 public:
  /// Throws Failure where the host's struct lacks what revision 1 has. Its revision needs no look: see
  /// `abi_version` in dsh/plugin.h.
  Host(const dsh_host *host, const dsh_error *error) : host_(host), error_(error) {
    if (!DSH_HAS(host, service) || !DSH_HAS(host, on_dispose) || !DSH_HAS(host, log))
      detail::refuse_incomplete("dsh_host", *host);
  }

  /// Registers a tool with the service "tools", which the plugin must name in `inject`.
  void add(const dsh_tool &tool) const { add_to<dsh_tools>(DSH_TOOLS, "dsh_tools", tool, true); }

  /// Registers a unit, an invariant, an observer: at once or whenever the service comes. Where the host
  /// never has the service, nothing happens.
  void add(const dsh_unit &unit) const {
    add_to<dsh_projections>(DSH_PROJECTIONS, "dsh_projections", unit, false);
  }
  void add(const dsh_invariant &invariant) const {
    add_to<dsh_invariants>(DSH_INVARIANTS, "dsh_invariants", invariant, false);
  }
  void add(const dsh_observer &observer) const {
    add_to<dsh_sessions>(DSH_SESSIONS, "dsh_sessions", observer, false);
  }

  /// Keeps `object` until the registrations of this instance are undone, then deletes it. Call it
  /// before adding what points to the object.
  template <class T>
  T &keep(std::unique_ptr<T> object) const {
    const int32_t status = host_->on_dispose(
        host_, [](void *user) { delete static_cast<T *>(user); }, object.get());
    if (status != DSH_OK)
      throw Failure("the host cannot keep what the plugin needs", nullptr, nullptr,
                    detail::failure(status).value);
    return *object.release();
  }

  /// A line for the host's log.
  void log(int32_t level, std::string_view text) const noexcept {
    host_->log(host_, level, text.data(), text.size());
  }

 private:
  template <class Table, class Descriptor>
  void add_to(const char *id, const char *what, const Descriptor &descriptor, bool required) const {
    const auto *table = static_cast<const Table *>(host_->service(host_, id));
    if (table == nullptr) {
      if (!required) return;
      throw Failure("the host has no service \"" + std::string(id) +
                    "\", which this plugin cannot do without");
    }
    if (!DSH_HAS(table, add)) detail::refuse_incomplete(what, *table);
    if (const int32_t status = table->add(host_, &descriptor, error_); status != DSH_OK)
      throw detail::failure(status);
  }

  const dsh_host *host_;
  const dsh_error *error_;
};

}  // namespace dsh
