// What a plugin finds at the adversarial host when it is applied: services, and what starts with a
// registration.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "check/foreign_memory.hpp"
#include "check/rig.hpp"
#include "services/known_members.hpp"
#include "text/utf.hpp"

namespace dsh::loader::check {
namespace {

/// A descriptor of a kind that is being copied.
class Reader {
 public:
  explicit Reader(std::string what) : what_(std::move(what)) {}

  std::string text(const dsh_str &text, const std::string &member) const {
    if (const auto fault = text_fault(text.data, text.size))
      refuse("the " + member + " of " + what_ + " " + *fault);
    return text.size == 0 ? std::string() : std::string(text.data, text.size);
  }
  std::string name(const dsh_str &given, const std::string &member) const {
    if (given.size == 0) refuse(what_ + " without " + member);
    return text(given, member);
  }
  std::vector<std::string> types(const dsh_str *types, std::size_t count) const {
    constexpr std::size_t most = 65536;
    std::vector<std::string> copies;
    if (count == 0) return copies;
    if (count > most)
      refuse(what_ + " with " + std::to_string(count) + " event types: " + std::to_string(most) +
             " is the most");
    if (const auto fault = struct_fault(types, count * sizeof *types, alignof(dsh_str)))
      refuse("the list of event types of " + what_ + " " + *fault);
    for (std::size_t i = 0; i < count; ++i)
      copies.push_back(text(types[i], "event type number " + std::to_string(i + 1)));
    return copies;
  }
  template <class Function>
  void function(Function given, const std::string &member) const {
    if (given == nullptr) refuse(what_ + " without " + member);
  }

 private:
  [[noreturn]] static void refuse(const std::string &why) { throw std::runtime_error(why); }
  std::string what_;
};

/// What is told apart by the type of its descriptor: its service, and what people call it.
template <class Given>
struct Kind;
template <>
struct Kind<dsh_tool> {
  static constexpr const char *service = DSH_TOOLS, *word = "a tool";
};
template <>
struct Kind<dsh_observer> {
  static constexpr const char *service = DSH_SESSIONS, *word = "an observer";
};
template <>
struct Kind<dsh_invariant> {
  static constexpr const char *service = DSH_INVARIANTS, *word = "an invariant";
};
template <>
struct Kind<dsh_unit> {
  static constexpr const char *service = DSH_PROJECTIONS, *word = "a unit";
};

/// The members that both sides know; the others are zero.
template <class Given>
Given known_part(const Given *given) {
  const std::string what = std::string("the descriptor of ") + Kind<Given>::word + " ";
  if (const auto fault = struct_fault(given, sizeof given->struct_size, alignof(Given)))
    throw std::runtime_error(what + *fault);
  if (given->struct_size < least_size<Given>)
    throw std::runtime_error(what + "has the struct_size " + std::to_string(given->struct_size) +
                             ": its required members need " + std::to_string(least_size<Given>));
  if (const auto fault = struct_fault(given, known_size<Given>(given->struct_size), alignof(Given)))
    throw std::runtime_error(what + *fault);
  return known_members(given, given->struct_size);
}

bool holds(const std::vector<std::string> &types, std::string_view type) {
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

}  // namespace

bool InvariantCopy::takes(std::string_view type) const { return holds(types, type); }
bool UnitCopy::takes(std::string_view type) const { return holds(types, type); }
bool ObserverCopy::takes(std::string_view type) const { return holds(types, type); }

/// Whose host it is. None: it is no host, which is recorded.
Rig *Rig::of(const dsh_host *host, std::string_view what) {
  const std::string given = std::string(what) + " was given ";
  if (innermost_ != nullptr) {  // else nobody could be told, and it crashes as it would elsewhere
    auto fault = struct_fault(host, offsetof(dsh_host, impl) + sizeof host->impl, alignof(dsh_host));
    if (!fault && host->impl == nullptr) fault = "is none of the host's";
    if (fault) {
      record_here(Misdeed::bad_gift, given + "a dsh_host that " + *fault);
      return nullptr;
    }
  }
  Rig &self = *static_cast<Rig *>(host->impl);
  if (host != self.host_->get())
    self.record(Misdeed::bad_handle,
                given + "a copy of the dsh_host, not the pointer that the plugin was given");
  return &self;
}

const void *DSH_CALL Rig::abi_service(const dsh_host *host, const char *id) {
  Rig *const self = of(host, "service");
  if (self == nullptr || !self->may_call("service")) return nullptr;
  if (self->disposing_) self->record(Misdeed::late_add, "service was called in a dispose function");
  constexpr std::size_t most = 4096;
  if (const auto fault = word_fault(id, most)) {
    self->record(Misdeed::bad_gift, "service was asked for an id that " + *fault);
    return nullptr;
  }
  for (const auto &[known, table] : self->tables_)
    if (known == id) return table->data();
  return nullptr;
}

std::int32_t DSH_CALL Rig::abi_on_dispose(const dsh_host *host, void(DSH_CALL *fn)(void *user), void *user) {
  Rig *const self = of(host, "on_dispose");
  const bool legal = self != nullptr && self->may_call("on_dispose");
  return returned(legal ? self->dispose_with(fn, user) : std::int32_t{DSH_ERROR}, "on_dispose");
}

std::int32_t Rig::dispose_with(void(DSH_CALL *fn)(void *user), void *user) {
  if (!applying_) {
    record(Misdeed::late_add, "on_dispose was called outside apply");
    return DSH_ERROR;
  }
  if (fn == nullptr) {
    record(Misdeed::bad_gift, "on_dispose was given a null function");
    return DSH_ERROR;
  }
  if (options_.on_dispose != DSH_OK) return options_.on_dispose;
  disposals_.push_back({fn, user});
  return DSH_OK;
}

void DSH_CALL Rig::abi_log(const dsh_host *host, std::int32_t /*level*/, const char *text, std::size_t size) {
  Rig *const self = of(host, "log");
  if (self == nullptr || !self->may_call("log")) return;
  auto fault = text_fault(text, size);
  if (!fault && size != 0 && !is_wtf8({text, size})) fault = "is no UTF-8";
  if (fault) self->record(Misdeed::bad_gift, "log was given a line that " + *fault);
}

template <class Given, class Copy>
std::int32_t DSH_CALL Rig::abi_add(const dsh_host *host, const Given *given, const dsh_error *error) {
  Rig *const self = of(host, "add");
  if (self == nullptr || !self->may_call("add")) return returned(DSH_ERROR, "add");
  return self->add<Given, Copy>(given, self->takes_error(error, "add") ? error : nullptr);
}

template <class Given, class Copy>
std::int32_t Rig::add(const Given *given, const dsh_error *error) {
  try {
    if (!applying_) {
      record(Misdeed::late_add, "add was called outside apply");
      return refuse(error, "a registration is made inside apply alone", "add");
    }
    const std::size_t nth = adds_++;
    if (options_.refuse_add) {
      if (const auto refusal = options_.refuse_add(Kind<Given>::service, nth))
        return refuse(error, refusal->text, "add", refusal->status);
    }
    Copy copy;
    keep(known_part(given), copy);
    return DSH_OK;
  } catch (const std::bad_alloc &) {
    return returned(DSH_NO_MEMORY, "add");
  } catch (const std::exception &failure) {
    record(Misdeed::bad_gift, failure.what());
    return refuse(error, failure.what(), "add");
  }
}

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

void Rig::make_tables() {
  make_table<dsh_tools, dsh_tool, ToolCopy>(DSH_TOOLS);
  make_table<dsh_sessions, dsh_observer, ObserverCopy>(DSH_SESSIONS);
  make_table<dsh_invariants, dsh_invariant, InvariantCopy>(DSH_INVARIANTS);
  make_table<dsh_projections, dsh_unit, UnitCopy>(DSH_PROJECTIONS);
}

void Rig::keep(const dsh_tool &given, ToolCopy &copy) {
  const Reader read("a tool");
  read.function(given.execute, "execute");
  copy = {given, read.name(given.name, "name"), read.text(given.description, "description"),
          read.text(given.parameters, "parameters"), read.text(given.output, "output")};
  for (const ToolCopy &other : tools_)
    if (other.name == copy.name) throw std::runtime_error("tool \"" + copy.name + "\" is already registered");
  if (!options_.trial) tools_.push_back(std::move(copy));
}

void Rig::keep(const dsh_invariant &given, InvariantCopy &copy) {
  const Reader read("an invariant");
  read.function(given.check, "check");
  if (given.trace_size > 4096)
    throw std::runtime_error("an invariant with a trace of " + std::to_string(given.trace_size) +
                             " bytes: 4096 is the most");
  copy = {given, read.name(given.owner, "owner"), read.types(given.types, given.type_count)};
  if (options_.trial) return;
  const InvariantCopy &rule = invariants_.emplace_back(std::move(copy));
  for (RigSession &session : sessions_) {
    std::string &trace = session.traces_.emplace_back(rule.abi.trace_size, '\0');
    for (const LoggedEvent &event : session.events_) {
      if (!rule.takes(event.type)) continue;
      const Answer answer = check(rule, trace, event);
      if (!answer.ok())
        throw std::runtime_error(
            "the rule refuses a turn that opens and closes: " +
            (answer.error.empty() ? "status " + std::to_string(answer.status) : answer.error));
      committed(rule, trace, event, &session);
    }
  }
}

void Rig::keep(const dsh_unit &given, UnitCopy &copy) {
  const Reader read("a unit");
  read.function(given.apply, "apply");
  copy = {given, read.name(given.key, "key"), read.text(given.init, "init"),
          read.types(given.types, given.type_count)};
  if (options_.trial) return;
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
  copy = {given, Reader("an observer").types(given.types, given.type_count)};
  if (options_.trial) return;
  const ObserverCopy &observer = observers_.emplace_back(std::move(copy));
  if (observer.abi.created == nullptr) return;
  for (RigSession &session : sessions_)
    enter([&] { return observer.abi.created(observer.abi.user, session.handle()), DSH_OK; }, "created",
          &session);
}

}  // namespace dsh::loader::check
