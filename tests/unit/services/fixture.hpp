// The services by themselves, and registrations written straight through the C tables.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/abi_call.hpp"
#include "services/services.hpp"
#include "support/error_of.hpp"
#include "text/diagnostics.hpp"

namespace dsh::loader::testing_support {

inline void write(const dsh_out *out, std::string_view text) {
  out->write(out->ctx, text.data(), text.size());
}

inline std::int32_t refuse(const dsh_error *error, std::string_view text, std::int32_t status = DSH_ERROR) {
  error->set(error->ctx, text.data(), text.size(), nullptr, nullptr);
  return status;
}

/// The services, and the lines they log.
struct Fixture : testing::Test {
  explicit Fixture(SessionStorage *storage = nullptr) : services(diagnostics, storage) {}

  std::vector<std::string> lines;
  Diagnostics diagnostics{[this](Level, std::string_view source, std::string_view text) {
    lines.push_back(std::string(source) + ": " + std::string(text));
  }};
  Services services;

  std::shared_ptr<Session> create(std::string id = "s1") { return services.sessions.create(std::move(id)); }

  static std::int64_t append(Session &session, std::string_view type, std::string_view data = "{}") {
    return session.append({type, data, {}, {}});
  }

  static std::vector<std::string> types(Session &session) {
    std::vector<std::string> types;
    session.read(0, [&](const Event &event) {
      types.emplace_back(event.type);
      return true;
    });
    return types;
  }

  /// Registers for as long as the test runs; as a plugin's entry does, inside a change.
  void add(const InvariantDescriptor &rule) {
    services.gate.change([&] { services.invariants.add(rule, services.sessions.all()); });
  }
  void remove(const InvariantDescriptor &rule) {
    services.gate.change([&] { services.invariants.remove(rule, services.sessions.all()); });
  }
  void add(const UnitDescriptor &unit) {
    services.gate.change([&] { services.projections.add(unit, services.sessions.all()); });
  }
  void remove(const UnitDescriptor &unit) {
    services.gate.change([&] { services.projections.remove(unit, services.sessions.all()); });
  }
  void add(const ToolDescriptor &tool) {
    services.gate.change([&] { services.tools.add(tool); });
  }
  void remove(const ToolDescriptor &tool) {
    services.gate.change([&] { services.tools.remove(tool); });
  }
  void add(const ObserverDescriptor &observer) {
    services.gate.change([&] { services.sessions.add(observer); });
  }
  void remove(const ObserverDescriptor &observer) {
    services.gate.change([&] { services.sessions.remove(observer); });
  }
};

// Descriptors that tests fill in further.

inline dsh_invariant rule(decltype(dsh_invariant::check) check, std::string_view owner = "@test/rule") {
  dsh_invariant rule{};
  rule.struct_size = sizeof rule;
  rule.owner = to_abi(owner);
  rule.check = check;
  return rule;
}

inline dsh_unit unit(decltype(dsh_unit::apply) apply, std::string_view key = "unit") {
  dsh_unit unit{};
  unit.struct_size = sizeof unit;
  unit.key = to_abi(key);
  unit.state_version = 1;
  unit.init = to_abi("null");
  unit.apply = apply;
  unit.view = [](void *, const dsh_str *state, const dsh_out *view, const dsh_error *) -> std::int32_t {
    write(view, from_abi(*state));
    return DSH_OK;
  };
  return unit;
}

inline dsh_tool tool(decltype(dsh_tool::execute) execute, std::string_view name = "tool") {
  dsh_tool tool{};
  tool.struct_size = sizeof tool;
  tool.name = to_abi(name);
  tool.description = to_abi("does something");
  tool.parameters = to_abi(R"({"type":"object"})");
  tool.execute = execute;
  return tool;
}

inline dsh_observer observer() {
  dsh_observer observer{};
  observer.struct_size = sizeof observer;
  return observer;
}

}  // namespace dsh::loader::testing_support
