// What a plugin finds at the adversarial host when it is applied: services, and what starts with a
// registration.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "check/rig.hpp"

namespace dsh::loader::check {
namespace {

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

std::int32_t refuse(const dsh_error *error, const Refusal &refusal) {
  error->set(error->ctx, refusal.text.data(), refusal.text.size(), nullptr, nullptr);
  return refusal.status;
}

}  // namespace

bool InvariantCopy::takes(std::string_view type) const { return holds(types, type); }
bool UnitCopy::takes(std::string_view type) const { return holds(types, type); }
bool ObserverCopy::takes(std::string_view type) const { return holds(types, type); }

Rig *Rig::of(const dsh_host *host) noexcept { return static_cast<Rig *>(host->impl); }

const void *DSH_CALL Rig::abi_service(const dsh_host *host, const char *id) {
  Rig &self = *of(host);
  self.may_call("service");
  if (id == nullptr) {
    self.record(Misdeed::bad_struct, "service was asked for a null id");
    return nullptr;
  }
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
  if (given.execute == nullptr) throw std::runtime_error("a tool without execute");
  if (given.name.size == 0) throw std::runtime_error("a tool without a name");
  copy = {given, copied(given.name), copied(given.description), copied(given.parameters),
          copied(given.output)};
  for (const ToolCopy &other : tools_) {
    if (other.name == copy.name) throw std::runtime_error("tool \"" + copy.name + "\" is already registered");
  }
  if (!options_.trial) tools_.push_back(std::move(copy));
}

void Rig::keep(const dsh_invariant &given, InvariantCopy &copy) {
  if (given.check == nullptr) throw std::runtime_error("an invariant without check");
  if (given.owner.size == 0) throw std::runtime_error("an invariant without an owner");
  if (given.trace_size > 4096) {
    throw std::runtime_error("an invariant with a trace of " + std::to_string(given.trace_size) +
                             " bytes: 4096 is the most");
  }
  copy = {given, copied(given.owner), copied(given.types, given.type_count)};
  if (options_.trial) return;
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
  copy = {given, copied(given.types, given.type_count)};
  if (options_.trial) return;
  const ObserverCopy &observer = observers_.emplace_back(std::move(copy));
  if (observer.abi.created == nullptr) return;
  for (RigSession &session : sessions_) {
    enter([&] { return observer.abi.created(observer.abi.user, session.handle()), DSH_OK; }, "created");
  }
}

}  // namespace dsh::loader::check
