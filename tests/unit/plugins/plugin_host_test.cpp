#include "plugins/plugin_host.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <optional>
#include <thread>

#include "scratch.hpp"
#include "services/abi_call.hpp"
#include "support/error_of.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Entry entry(std::string id, std::string words, std::string name = "probe") {
  Entry entry;
  entry.id = std::move(id);
  entry.name = std::move(name);
  entry.config_json = '"' + words + '"';
  return entry;
}

struct PluginHostTest : testing::Test {
  PluginHostTest() { start(); }

  void start(std::vector<std::string> without = {}) {
    host.reset();
    lines.clear();
    host.emplace(PluginHost::Options{PluginPaths({TEST_LIBRARIES}), nullptr, std::move(without)},
                 diagnostics);
  }

  void load(std::vector<Entry> entries) { host->load({"/nowhere/test.yaml", std::move(entries), {}}); }

  std::vector<std::string> tools() {
    std::vector<std::string> names;
    for (const ToolInfo &info : host->services().tools.list()) names.push_back(info.name);
    return names;
  }

  std::string state(std::size_t index) { return std::string(to_string(host->report().at(index).state)); }

  std::vector<std::string> lines;
  Diagnostics diagnostics{[this](Level, std::string_view source, std::string_view text) {
    lines.push_back(std::string(source) + ": " + std::string(text));
  }};
  std::optional<PluginHost> host;
};

TEST_F(PluginHostTest, applies_entries_in_order_and_reports_what_they_registered) {
  Entry off = entry("off", "tool");
  off.disabled = true;
  off.name = "no such plugin";
  Entry own = entry("own", "");
  own.name = "@deepseek-ai/dsh-tools";
  own.host_provided = true;
  load({off, own, entry("a", "tool rule unit observer"), entry("b", "other")});
  const std::vector<EntryReport> report = host->report();
  ASSERT_EQ(report.size(), 4U);
  EXPECT_EQ(report[0].state, EntryState::disabled);
  EXPECT_EQ(report[1].state, EntryState::provided);
  EXPECT_EQ(report[2].state, EntryState::active);
  EXPECT_EQ(report[2].abi_version, 1U);
  EXPECT_THAT(report[2].file, HasSubstr("probe.so"));
  ASSERT_EQ(report[2].registered.size(), 4U);
  EXPECT_EQ(report[2].registered[0].service, Service::sessions);
  EXPECT_EQ(report[2].registered[1].name, "probe");
  EXPECT_EQ(report[2].registered[2].name, "@test/probe");
  EXPECT_EQ(report[2].registered[3].name, "probe");
  EXPECT_TRUE(report[2].registered[3].active);
  EXPECT_THAT(tools(), ElementsAre("probe", "other"));
  EXPECT_EQ(error_of([&] { load({}); }), "a composition is loaded already");
}

TEST_F(PluginHostTest, a_failing_entry_undoes_the_whole_load_newest_first) {
  EXPECT_EQ(error_of([&] {
              load({entry("a", "tool"), entry("b", "other"), entry("c", "rule fail")});
            }),
            "failed to apply loader entry c (probe): told to fail");
  EXPECT_THAT(lines,
              ElementsAre("a: apply", "b: apply", "c: apply", "c: dispose", "b: dispose", "a: dispose"));
  EXPECT_THAT(tools(), IsEmpty());
  load({entry("a", "tool")});
  EXPECT_THAT(tools(), ElementsAre("probe"));
}

TEST_F(PluginHostTest, reports_how_far_a_failed_load_came) {
  error_of([&] { load({entry("a", "tool"), entry("b", "fail"), entry("c", "other")}); });
  ASSERT_EQ(host->report().size(), 2U);
  EXPECT_EQ(state(0), "unloaded");
  EXPECT_THAT(host->report()[0].registered, IsEmpty());
  EXPECT_EQ(state(1), "failed");
  EXPECT_EQ(host->report()[1].failure, "told to fail");
  load({entry("d", "tool")});
  ASSERT_EQ(host->report().size(), 1U);
  EXPECT_EQ(state(0), "active");
}

TEST_F(PluginHostTest, keeps_the_class_of_a_failure) {
  try {
    load({entry("c", "fail")});
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.name(), "ProbeError");
    EXPECT_EQ(error.code(), "INVALID_CONFIG");
  }
}

TEST_F(PluginHostTest, refuses_a_second_tool_of_the_same_name) {
  EXPECT_EQ(error_of([&] {
              load({entry("a", "tool"), entry("b", "tool")});
            }),
            "failed to apply loader entry b (probe): tool \"probe\" is already registered");
  EXPECT_THAT(tools(), IsEmpty());
}

TEST_F(PluginHostTest, names_the_entry_whose_library_cannot_be_loaded) {
  EXPECT_THAT(error_of([&] {
                load({entry("a", "tool"), entry("b", "", "no_such_plugin")});
              }),
              testing::StartsWith("failed to apply loader entry b (no_such_plugin): "));
  EXPECT_THAT(tools(), IsEmpty());
  EXPECT_THAT(lines, ElementsAre("a: apply", "a: dispose"));
}

TEST_F(PluginHostTest, an_entry_waits_for_what_its_plugin_and_its_composition_need) {
  start({"tools", "sessionProjections"});
  Entry picky = entry("b", "other");
  picky.inject = {"sessionProjections", "somewhereElse"};
  load({entry("a", "tool"), picky});
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_THAT(host->report()[0].missing, ElementsAre("tools"));
  EXPECT_THAT(host->report()[1].missing, ElementsAre("tools", "sessionProjections", "somewhereElse"));
  host->add_service("tools");
  EXPECT_EQ(state(0), "active");
  host->add_service("sessionProjections");
  EXPECT_EQ(state(1), "pending");
  EXPECT_THAT(host->report()[1].missing, ElementsAre("somewhereElse"));
  EXPECT_THAT(tools(), ElementsAre("probe"));
}

TEST_F(PluginHostTest, losing_a_required_service_unloads_and_its_return_applies_afresh) {
  load({entry("a", "tool"), entry("b", "other")});
  lines.clear();
  host->remove_service("tools");
  EXPECT_THAT(lines, ElementsAre("b: dispose", "a: dispose"));
  EXPECT_EQ(state(0), "pending");
  EXPECT_EQ(error_of([&] { host->tools(); }), "service \"tools\" is absent");
  EXPECT_EQ(error_of([&] { host->remove_service("tools"); }), "service \"tools\" is already absent");
  lines.clear();
  host->add_service("tools");
  EXPECT_THAT(lines, ElementsAre("a: apply", "b: apply"));
  EXPECT_THAT(tools(), ElementsAre("probe", "other"));
  EXPECT_EQ(error_of([&] { host->add_service("tools"); }), "service \"tools\" is already there");
  EXPECT_THAT(error_of([&] { host->add_service("agent"); }), HasSubstr("unknown service \"agent\""));
}

TEST_F(PluginHostTest, an_optional_service_comes_and_goes_without_the_plugin) {
  load({entry("a", "tool unit")});
  const auto session = host->sessions().create("s");
  session->append({"x/y", "[1]", {}, {}});
  lines.clear();
  host->remove_service("sessionProjections");
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_FALSE(host->report()[0].registered[1].active);
  EXPECT_THAT(tools(), ElementsAre("probe"));
  session->append({"x/y", "[2]", {}, {}});
  host->add_service("sessionProjections");
  EXPECT_EQ(host->projections().snapshot(*session).values.at(0).second, "[2]");
}

TEST_F(PluginHostTest, a_service_stays_though_what_waited_for_it_fails) {
  start({"invariants"});
  load({entry("a", "tool rule")});
  const auto session = host->sessions().create("s");
  session->append({"bad", "1", {}, {}});
  const std::string refusal = "invariant violated by \"@test/probe\": it is bad";
  EXPECT_EQ(error_of([&] { host->add_service("invariants"); }), refusal);
  EXPECT_EQ(error_of([&] { host->invariants(); }), "");
  EXPECT_EQ(host->report()[0].registered[1].failure, refusal);
  EXPECT_EQ(state(0), "active");
  session->append({"bad", "1", {}, {}});
}

TEST_F(PluginHostTest, a_pending_entry_that_fails_when_its_service_comes_is_failed_alone) {
  start({"tools"});
  load({entry("a", "fail"), entry("b", "tool")});
  EXPECT_EQ(error_of([&] { host->add_service("tools"); }),
            "failed to apply loader entry a (probe): told to fail");
  EXPECT_EQ(state(0), "failed");
  EXPECT_EQ(host->report()[0].failure, "told to fail");
  EXPECT_EQ(state(1), "active");
}

TEST_F(PluginHostTest, unloads_and_loads_by_id_or_name) {
  Entry off = entry("off", "");
  off.disabled = true;
  Entry own = entry("own", "", "@deepseek-ai/dsh-tools");
  own.host_provided = true;
  load({entry("a", "tool"), off, own});
  EXPECT_TRUE(host->unload_plugin("a"));
  EXPECT_EQ(state(0), "unloaded");
  EXPECT_THAT(tools(), IsEmpty());
  EXPECT_EQ(error_of([&] { host->unload_plugin("a"); }), "loader entry a (probe) is not loaded");
  EXPECT_TRUE(host->load_plugin("probe"));
  EXPECT_THAT(tools(), ElementsAre("probe"));
  EXPECT_EQ(error_of([&] { host->load_plugin("a"); }), "loader entry a (probe) is already loaded");
  EXPECT_THAT(error_of([&] { host->load_plugin("off"); }), HasSubstr("disabled by the composition"));
  EXPECT_THAT(error_of([&] { host->load_plugin("own"); }), HasSubstr("is the host's own"));
  EXPECT_EQ(error_of([&] { host->load_plugin("z"); }), "unknown loader entry \"z\"");
}

TEST_F(PluginHostTest, an_unloaded_plugin_is_really_unmapped) {
  load({entry("a", "tool")});
  const auto mapped = [] {
    std::ifstream maps("/proc/self/maps");
    const std::string text((std::istreambuf_iterator<char>(maps)), {});
    return text.find("/probe.so") != std::string::npos;
  };
  EXPECT_TRUE(mapped());
  host->unload_plugin("a");
  EXPECT_FALSE(mapped());
}

TEST_F(PluginHostTest, an_unload_asked_for_from_inside_a_call_waits_for_its_end) {
  load({entry("a", "tool unit")});
  const auto session = host->sessions().create("s");
  const Subscription subscription = host->projections().subscribe(
      [&](const ProjectionChange &) { EXPECT_FALSE(host->unload_plugin("a")); });
  lines.clear();
  EXPECT_EQ(host->tools().call("probe", "[1]", session.get()).text, "ran");
  EXPECT_THAT(lines, ElementsAre("a: dispose"));
  EXPECT_EQ(state(0), "unloaded");
  EXPECT_EQ(host->tools().call("probe", "[1]", session.get()).message, "unknown tool \"probe\"");
}

TEST_F(PluginHostTest, a_tool_cannot_register_another) {
  load({entry("b", "other")});
  EXPECT_EQ(host->tools().call("other", "{}", nullptr).message, "a registration is made inside apply alone");
  EXPECT_THAT(tools(), ElementsAre("other"));
}

TEST_F(PluginHostTest, sessions_outlive_their_services_absence) {
  load({entry("a", "observer")});
  host->sessions().create("s")->append({"x/y", "[1]", {}, {}});
  lines.clear();
  host->remove_service("sessions");
  EXPECT_THAT(lines, ElementsAre("a: disposed"));
  EXPECT_EQ(error_of([&] { host->sessions(); }), "service \"sessions\" is absent");
  host->add_service("sessions");
  EXPECT_EQ(lines.back(), "a: created");
  EXPECT_EQ(host->sessions().find("s")->size(), 1);
}

TEST_F(PluginHostTest, two_hosts_in_one_process_are_separate) {
  load({entry("a", "tool unit")});
  std::vector<std::string> other_lines;
  const Diagnostics other_diagnostics(
      [&](Level, std::string_view, std::string_view text) { other_lines.emplace_back(text); });
  PluginHost other({PluginPaths({TEST_LIBRARIES}), nullptr, {}}, other_diagnostics);
  other.load({"/nowhere/test.yaml", {entry("a", "tool")}, {}});
  const auto session = host->sessions().create("s");
  EXPECT_FALSE(host->tools().call("probe", "1", session.get()).is_error);
  EXPECT_EQ(error_of([&] { other.sessions().find("s"); }), "unknown session \"s\"");
  host.reset();
  EXPECT_FALSE(other.tools().call("probe", "1", nullptr).is_error);
  EXPECT_THAT(other_lines, ElementsAre("apply"));
}

TEST_F(PluginHostTest, refuses_an_unknown_service_to_start_without) {
  EXPECT_THAT(error_of([&] { start({"toolz"}); }),
              HasSubstr("unknown service \"toolz\": this host has tools"));
}

TEST_F(PluginHostTest, loads_and_unloads_while_sessions_work) {
  load({entry("a", "tool rule unit observer")});
  constexpr int least = 3;  // rounds that fall into the calls, however the threads are scheduled
  std::atomic<int> running{8};
  std::atomic<int> rounds{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const auto session = host->sessions().create("t" + std::to_string(t));
      for (int i = 0; i < 200 || rounds < least; ++i) {
        const ToolResult result = host->services().tools.call("probe", std::to_string(i), session.get());
        EXPECT_TRUE(!result.is_error || result.message == "unknown tool \"probe\"") << result.message;
      }
      --running;
    });
  while (running > 0 && rounds < 300) {
    host->unload_plugin("a");
    host->load_plugin("a");
    host->remove_service("invariants");
    host->add_service("invariants");
    ++rounds;
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_FALSE(host->tools().call("probe", "1", nullptr).is_error);
}

}  // namespace
}  // namespace dsh::loader
