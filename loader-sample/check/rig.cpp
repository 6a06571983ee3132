#include "check/rig.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "check/rig_sinks.hpp"

namespace dsh::loader::check {
namespace {

/// How many calls into the plugin are on this thread's stack.
thread_local int calls_inside = 0;

dsh_str as_str(const GuardedBytes &bytes) noexcept { return {bytes.data(), bytes.size()}; }

std::string copied(const dsh_str &text) {
  return text.size == 0 ? std::string() : std::string(text.data, text.size);
}

std::vector<std::string> copied(const dsh_str *types, std::size_t count) {
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < count; ++i) copies.push_back(copied(types[i]));
  return copies;
}

bool holds(const std::vector<std::string> &types, std::string_view type) {
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

/// An event in guarded memory.
class GuardedEvent {
 public:
  GuardedEvent(const LoggedEvent &event, std::size_t extra)
      : type_(event.type), data_(event.data), event_(filled(event, extra), sizeof(dsh_event) + extra) {}
  const dsh_event *get() const noexcept { return event_.get(); }

 private:
  dsh_event filled(const LoggedEvent &event, std::size_t extra) const {
    return {static_cast<std::uint32_t>(sizeof(dsh_event) + extra),
            0,
            event.seq,
            event.time,
            as_str(type_),
            as_str(data_)};
  }
  GuardedBytes type_, data_;
  Guarded<dsh_event> event_;
};

/// A text that is handed over as a pointer to a dsh_str.
class GuardedStr {
 public:
  explicit GuardedStr(std::string_view text) : bytes_(text), str_(as_str(bytes_)) {}
  const dsh_str *get() const noexcept { return str_.get(); }

 private:
  GuardedBytes bytes_;
  Guarded<dsh_str> str_;
};

std::int32_t refuse(const dsh_error *error, const Refusal &refusal) {
  error->set(error->ctx, refusal.text.data(), refusal.text.size(), nullptr, nullptr);
  return refusal.status;
}

}  // namespace

bool InvariantCopy::takes(std::string_view type) const { return holds(types, type); }
bool UnitCopy::takes(std::string_view type) const { return holds(types, type); }
bool ObserverCopy::takes(std::string_view type) const { return holds(types, type); }

Rig::Rig(RigOptions options)
    : options_(std::move(options)),
      name_(std::make_unique<GuardedBytes>("checking-host")),
      version_(std::make_unique<GuardedBytes>("0")) {
  const std::size_t size = options_.host_size + (options_.host_size == sizeof(dsh_host) ? options_.extra : 0);
  const dsh_host host = {static_cast<std::uint32_t>(size),
                         DSH_ABI_VERSION,
                         as_str(*name_),
                         as_str(*version_),
                         this,
                         &Rig::abi_service,
                         &Rig::abi_on_dispose,
                         &Rig::abi_log};
  host_ = std::make_unique<Guarded<dsh_host>>(host, size);
  make_table<dsh_tools, dsh_tool, ToolCopy>(DSH_TOOLS);
  make_table<dsh_sessions, dsh_observer, ObserverCopy>(DSH_SESSIONS);
  make_table<dsh_invariants, dsh_invariant, InvariantCopy>(DSH_INVARIANTS);
  make_table<dsh_projections, dsh_unit, UnitCopy>(DSH_PROJECTIONS);
}

Rig::~Rig() { dispose(); }

template <class Table, class Given, class Copy>
void Rig::make_table(const char *id) {
  if (options_.absent.contains(id)) return;
  const std::size_t size =
      options_.short_tables.contains(id) ? offsetof(Table, add) : sizeof(Table) + options_.extra;
  const Table table = {static_cast<std::uint32_t>(size), 0, &Rig::abi_add<Given, Copy>};
  std::string bytes(reinterpret_cast<const char *>(&table), std::min(size, sizeof table));
  bytes.resize(size, '\xA5');
  tables_.emplace_back(id, std::make_unique<GuardedBytes>(bytes));
}

Rig *Rig::of(const dsh_host *host) noexcept { return static_cast<Rig *>(host->impl); }

void Rig::record(Misdeed kind, std::string what) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    misdeeds_.emplace_back(kind, std::move(what));
  } catch (...) {  // out of memory: what is recorded already is enough
  }
}

std::string Rig::misdeed(Misdeed kind) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(misdeeds_.begin(), misdeeds_.end(), [kind](const auto &m) { return m.first == kind; });
  return found == misdeeds_.end() ? std::string() : found->second;
}

bool Rig::may_call(std::string_view what) noexcept {
  if (calls_inside > 0) return true;
  record(Misdeed::outside,
         std::string(what) + " was called outside a call of the host, or on another thread");
  return false;
}

template <class Function>
std::int32_t Rig::enter(Function &&function, std::string_view what) {
  ++calls_inside;
  std::int32_t status = DSH_ERROR;
  try {
    status = function();
  } catch (...) {
    record(Misdeed::exception, "an exception left " + std::string(what));
  }
  --calls_inside;
  return status;
}

/// A call with one output, `out`.
template <class Function>
Answer Rig::pure(Function &&function, std::string_view what) {
  Sink out(*this, std::numeric_limits<std::size_t>::max(), DSH_ERROR);
  ErrorSink error(*this);
  const std::int32_t status = enter([&] { return function(out.abi(), error.abi()); }, what);
  return error.answer(out.status(status), out.take(), {});
}

Answer Rig::apply(dsh_apply_fn function, std::string_view config) {
  RigSession &existing = session("existing");
  existing.append("turn/start", R"({"turn":1})");
  existing.append("turn/end", R"({"turn":1,"reason":{"kind":"done"}})");
  const GuardedBytes guarded(config);
  ErrorSink error(*this);
  applying_ = true;
  const std::int32_t status =
      enter([&] { return function(host_->get(), guarded.data(), guarded.size(), error.abi()); }, "apply");
  applying_ = false;
  Answer answer = error.answer(status, {}, {});
  if (!answer.ok()) dispose();
  return answer;
}

void Rig::dispose() {
  for (auto session = sessions_.rbegin(); session != sessions_.rend(); ++session) {
    for (auto observer = observers_.rbegin(); observer != observers_.rend(); ++observer) {
      if (observer->abi.disposed == nullptr) continue;
      enter([&] { return observer->abi.disposed(observer->abi.user, session->handle()), DSH_OK; },
            "disposed");
    }
  }
  sessions_.clear();
  tools_.clear();
  invariants_.clear();
  units_.clear();
  observers_.clear();
  while (!disposals_.empty()) {
    const Disposal disposal = disposals_.back();
    disposals_.pop_back();
    enter([&] { return disposal.function(disposal.user), DSH_OK; }, "a dispose function");
  }
}

RigSession &Rig::session(std::string id) {
  for (RigSession &session : sessions_) {
    if (session.id() == id) return session;
  }
  RigSession &session = sessions_.emplace_back(*this, std::move(id));
  for (const ObserverCopy &observer : observers_) {
    if (observer.abi.created == nullptr) continue;
    enter([&] { return observer.abi.created(observer.abi.user, session.handle()), DSH_OK; }, "created");
  }
  return session;
}

void Rig::forget_calls() {
  const std::lock_guard lock(mutex_);
  sinks_.clear();
  error_sinks_.clear();
}

// ---- what the plugin calls ----

const void *DSH_CALL Rig::abi_service(const dsh_host *host, const char *id) {
  Rig &self = *of(host);
  self.may_call("service");
  if (id == nullptr) {
    self.record(Misdeed::bad_struct, "service was asked for a null id");
    return nullptr;
  }
  if (calls_inside > 0) self.asked_.insert(id);
  for (const auto &[known, table] : self.tables_) {
    if (known == id) return table->data();
  }
  return nullptr;
}

std::int32_t DSH_CALL Rig::abi_on_dispose(const dsh_host *host, void(DSH_CALL *fn)(void *user), void *user) {
  Rig &self = *of(host);
  if (!self.may_call("on_dispose")) return DSH_ERROR;
  if (!self.applying_) {
    self.record(Misdeed::late_add, "on_dispose was called outside apply");
    return DSH_ERROR;
  }
  if (fn == nullptr) {
    self.record(Misdeed::bad_struct, "on_dispose was given a null function");
    return DSH_ERROR;
  }
  if (self.options_.refuse_on_dispose) return DSH_NO_MEMORY;
  self.disposals_.push_back({fn, user});
  return DSH_OK;
}

void DSH_CALL Rig::abi_log(const dsh_host *host, std::int32_t /*level*/, const char *text, std::size_t size) {
  of(host)->may_call("log");
  // Reads what it was given: a bad pointer shows here.
  volatile char sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum = static_cast<char>(sum + text[i]);
}

template <class Given, class Copy>
std::int32_t DSH_CALL Rig::abi_add(const dsh_host *host, const Given *given, const dsh_error *error) {
  Rig &self = *of(host);
  if (!self.may_call("add")) return DSH_ERROR;
  try {
    if (!self.applying_) {
      self.record(Misdeed::late_add, "add was called outside apply");
      return refuse(error, {DSH_ERROR, "a registration is made inside apply alone"});
    }
    constexpr std::string_view id = std::is_same_v<Given, dsh_tool>        ? DSH_TOOLS
                                    : std::is_same_v<Given, dsh_observer>  ? DSH_SESSIONS
                                    : std::is_same_v<Given, dsh_invariant> ? DSH_INVARIANTS
                                                                           : DSH_PROJECTIONS;
    const std::size_t nth = self.adds_++;
    if (self.options_.refuse_add) {
      if (const auto refusal = self.options_.refuse_add(id, nth)) return refuse(error, *refusal);
    }
    Given known{};
    std::memcpy(&known, given, std::min<std::size_t>(given->struct_size, sizeof known));
    Copy copy;
    self.keep(known, copy);
    return DSH_OK;
  } catch (const std::bad_alloc &) {
    return DSH_NO_MEMORY;
  } catch (const std::exception &failure) {
    self.record(Misdeed::bad_struct, failure.what());
    return refuse(error, {DSH_ERROR, failure.what()});
  }
}

// ---- the services: copies of descriptors, and what starts with a registration ----

void Rig::keep(const dsh_tool &given, ToolCopy &copy) {
  if (given.execute == nullptr) throw std::runtime_error("a tool without execute");
  if (given.name.size == 0) throw std::runtime_error("a tool without a name");
  copy = {given, copied(given.name), copied(given.description), copied(given.parameters),
          copied(given.output)};
  for (const ToolCopy &other : tools_) {
    if (other.name == copy.name) throw std::runtime_error("tool \"" + copy.name + "\" is already registered");
  }
  tools_.push_back(std::move(copy));
}

void Rig::keep(const dsh_invariant &given, InvariantCopy &copy) {
  if (given.check == nullptr) throw std::runtime_error("an invariant without check");
  if (given.owner.size == 0) throw std::runtime_error("an invariant without an owner");
  if (given.trace_size > 4096) {
    throw std::runtime_error("an invariant with a trace of " + std::to_string(given.trace_size) +
                             " bytes: 4096 is the most");
  }
  copy = {given, copied(given.owner), copied(given.types, given.type_count)};
  const InvariantCopy &rule = invariants_.emplace_back(std::move(copy));
  for (RigSession &session : sessions_) {
    std::string &trace = session.traces_.emplace_back(rule.abi.trace_size, '\0');
    for (const LoggedEvent &event : session.events_) {
      if (!rule.takes(event.type)) continue;
      const Answer answer = check(rule, trace, event);
      if (!answer.ok())
        throw std::runtime_error("the rule refuses a turn that opens and closes: " + answer.error);
      committed(rule, trace, event);
    }
  }
}

void Rig::keep(const dsh_unit &given, UnitCopy &copy) {
  if (given.apply == nullptr) throw std::runtime_error("a unit without apply");
  if (given.key.size == 0) throw std::runtime_error("a unit without a key");
  copy = {given, copied(given.key), copied(given.init), copied(given.types, given.type_count)};
  const UnitCopy &unit = units_.emplace_back(std::move(copy));
  for (RigSession &session : sessions_) {
    std::string &state = session.states_.emplace_back(unit.init);
    for (const LoggedEvent &event : session.events_) {
      if (!unit.takes(event.type)) continue;
      if (Answer answer = fold(unit, state, event); answer.ok()) state = std::move(answer.out);
    }
  }
}

void Rig::keep(const dsh_observer &given, ObserverCopy &copy) {
  copy = {given, copied(given.types, given.type_count)};
  const ObserverCopy &observer = observers_.emplace_back(std::move(copy));
  if (observer.abi.created == nullptr) return;
  for (RigSession &session : sessions_) {
    enter([&] { return observer.abi.created(observer.abi.user, session.handle()), DSH_OK; }, "created");
  }
}

// ---- what the host calls ----

Answer Rig::execute(const ToolCopy &tool, std::string_view arguments, RigSession *session,
                    const CallPlan &plan) {
  const GuardedBytes text_of_call(arguments);
  const GuardedBytes id("call_1");
  // A handle of its own, that ends with the call.
  std::unique_ptr<Guarded<dsh_session>> handle;
  if (session != nullptr) {
    dsh_session copy{};
    std::memcpy(&copy, session->handle(), sizeof copy);
    handle = std::make_unique<Guarded<dsh_session>>(copy, sizeof copy + options_.extra);
    session->executing_ = true;
    session->appended_ = 0;
  }
  const std::size_t size = sizeof(dsh_call) + options_.extra;
  const Guarded<dsh_call> call({static_cast<std::uint32_t>(size), 0, as_str(text_of_call), as_str(id),
                                handle == nullptr ? nullptr : handle->get()},
                               size);
  Sink value(*this, plan.refuse_after, plan.refusal);
  Sink text(*this, plan.refuse_after, plan.refusal);
  ErrorSink error(*this);
  if (plan.before) plan.before();
  const std::int32_t status =
      enter([&] { return tool.abi.execute(tool.abi.user, call.get(), value.abi(), text.abi(), error.abi()); },
            "execute");
  if (plan.after) plan.after();
  Answer answer = error.answer(text.status(value.status(status)), value.take(), text.take());
  if (session != nullptr) {
    session->executing_ = false;
    answer.appended = session->appended_;
  }
  return answer;
}

Answer Rig::render(const ToolCopy &tool, std::string_view arguments, std::string_view value) {
  const GuardedStr sent(arguments);
  const GuardedStr given(value);
  return pure(
      [&](const dsh_out *out, const dsh_error *error) {
        return tool.abi.render(tool.abi.user, sent.get(), given.get(), out, error);
      },
      "render");
}

Answer Rig::present(const ToolCopy &tool, std::string_view arguments) {
  const GuardedStr sent(arguments);
  return pure([&](const dsh_out *out,
                  const dsh_error *error) { return tool.abi.present(tool.abi.user, sent.get(), out, error); },
              "present");
}

Answer Rig::check(const InvariantCopy &rule, std::string_view trace, const LoggedEvent &event) {
  const GuardedEvent guarded(event, options_.extra);
  const GuardedBytes bytes(trace, GuardedBytes::Access::read, alignof(std::max_align_t));
  return pure(
      [&](const dsh_out *, const dsh_error *error) {
        return rule.abi.check(rule.abi.user, trace.empty() ? nullptr : bytes.data(), guarded.get(), error);
      },
      "check");
}

void Rig::committed(const InvariantCopy &rule, std::string &trace, const LoggedEvent &event) {
  if (rule.abi.committed == nullptr) return;
  const GuardedEvent guarded(event, options_.extra);
  GuardedBytes bytes(trace, GuardedBytes::Access::write, alignof(std::max_align_t));
  enter(
      [&] {
        rule.abi.committed(rule.abi.user, trace.empty() ? nullptr : bytes.writable(), guarded.get());
        return DSH_OK;
      },
      "committed");
  if (!bytes.intact()) record(Misdeed::bad_struct, "committed wrote behind the end of the trace");
  trace = std::string(bytes.view());
}

void Rig::tell(const ObserverCopy &observer, RigSession &session, const LoggedEvent &event) {
  const GuardedEvent guarded(event, options_.extra);
  enter([&] { return observer.abi.committed(observer.abi.user, session.handle(), guarded.get()), DSH_OK; },
        "an observer's committed");
}

std::int32_t Rig::show(const LoggedEvent &event, std::int32_t(DSH_CALL *each)(void *, const dsh_event *),
                       void *user) {
  const GuardedEvent guarded(event, options_.extra);
  return each(user, guarded.get());
}

Answer Rig::fold(const UnitCopy &unit, std::string_view state, const LoggedEvent &event) {
  const GuardedEvent guarded(event, options_.extra);
  const GuardedStr now(state);
  return pure(
      [&](const dsh_out *next, const dsh_error *error) {
        return unit.abi.apply(unit.abi.user, now.get(), guarded.get(), next, error);
      },
      "a unit's apply");
}

Answer Rig::view(const UnitCopy &unit, std::string_view state) {
  const GuardedStr now(state);
  return pure([&](const dsh_out *out,
                  const dsh_error *error) { return unit.abi.view(unit.abi.user, now.get(), out, error); },
              "view");
}

Answer Rig::restore(const UnitCopy &unit, std::string_view stored) {
  const GuardedStr given(stored);
  return pure(
      [&](const dsh_out *out, const dsh_error *error) {
        return unit.abi.restore(unit.abi.user, given.get(), out, error);
      },
      "restore");
}

}  // namespace dsh::loader::check
