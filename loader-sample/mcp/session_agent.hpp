// The agent behind a server: the tools of a host, and one session of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/agent_turn.hpp"
#include "agent/plan_reader.hpp"
#include "log/file_watch.hpp"
#include "log/stored_sessions.hpp"
#include "mcp/agent.hpp"
#include "plugins/plugin_host.hpp"

namespace dsh::loader {

/// Opens its session, or creates it on disk, with the first call, which begins a turn, before the tool is
/// called; with a later call again, where others have taken the log away meanwhile, or have put another in
/// its place or changed it. What is shown of the plan is always what stands in the log that is the session's
/// then, whoever writes it.
class SessionAgent final : public Agent {
 public:
  struct Place {
    std::string session;               ///< id
    const StoredSessions *sessions{};  ///< where it is kept; null: in memory
  };

  /// `host` and the sessions outlive it.
  SessionAgent(PluginHost &host, Place place);
  ~SessionAgent() override = default;
  SessionAgent(const SessionAgent &) = delete;
  SessionAgent &operator=(const SessionAgent &) = delete;

  std::vector<ToolInfo> tools() override;
  ToolResult call(std::string_view name, std::string_view arguments) override;
  std::string plan() override;
  bool plan_changed() override;
  Watch watch() const override;
  void greet(const std::string &client) override;
  void close() override;

 private:
  bool is_durable() const { return place_.sessions != nullptr; }
  bool is_stored() const;
  void require_session();
  bool create_session();
  void hold(std::shared_ptr<Session> session);
  void forget_session();
  /// What the log shows, and the seq of the event that set it; −1: there is no plan.
  struct Standing {
    std::string todos = "null";
    std::int64_t seq = -1;
    bool operator==(const Standing &) const = default;
  };
  Standing read_log();
  std::vector<std::filesystem::path> directories() const;
  bool log_changed();

  PluginHost &host_;
  const Place place_;
  std::string client_;
  std::shared_ptr<Session> session_;  // null: not ours
  std::optional<AgentTurn> turn_;     // none in a session: to be forgotten
  FileWatch watch_;
  std::optional<PlanReader> reader_;  // made when there is a log
  std::optional<Standing> seen_;      // when last looked; of a log that can't be read: why
  bool changed_ = false;              // the plan of a session in memory; of one on disk: by us, perhaps
  Subscription subscription_;         // last, so that it ends before what its listener writes to
};

}  // namespace dsh::loader
