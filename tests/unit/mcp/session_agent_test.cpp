#include "mcp/session_agent.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace dsh::loader {
namespace {

TEST(SessionAgent, MayGoAfterTheServiceThatItListensToHasGone) {
  const Diagnostics diagnostics(Level::off);
  PluginHost host({PluginPaths({}), nullptr, {}}, diagnostics);
  std::optional<SessionAgent> agent;
  agent.emplace(host, SessionAgent::Place{"s", "", {}, nullptr});
  EXPECT_TRUE(host.remove_service(id_of(Service::projections)));
  agent.reset();
  EXPECT_TRUE(host.add_service(id_of(Service::projections)));
  agent.emplace(host, SessionAgent::Place{"s", "", {}, nullptr});
  EXPECT_FALSE(agent->plan_changed());
}

}  // namespace
}  // namespace dsh::loader
