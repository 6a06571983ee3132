// The agent behind a server: the tools of a host, and one session of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/agent_turn.hpp"
#include "agent/plan_reader.hpp"
#include "log/file_watch.hpp"
#include "mcp/agent.hpp"
#include "plugins/plugin_host.hpp"

namespace dsh::loader {

/// Opens its session, or creates it, with the first call, which begins a turn; until then, and while another
/// process writes the session, it only reads the log.
class SessionAgent final : public Agent {
 public:
  struct Place {
    std::string session;              ///< id
    std::string directory;            ///< of the session's log; empty: sessions are in memory
    std::optional<std::string> cwd;   ///< the directory that the session has to belong to; none: any
    const SessionStorage *storage{};  ///< null: sessions are in memory
  };

  /// `host` and the storage outlive it.
  SessionAgent(PluginHost &host, Place place);
  ~SessionAgent() override = default;
  SessionAgent(const SessionAgent &) = delete;
  SessionAgent &operator=(const SessionAgent &) = delete;

  std::vector<ToolInfo> tools() override;
  ToolResult call(std::string_view name, std::string_view arguments) override;
  std::string plan() override;
  bool plan_changed() override;
  int watch_descriptor() const override;
  void greet(const std::string &client) override;
  void close() override;

 private:
  ToolResult call_once(std::string_view name, std::string_view arguments);
  bool is_stored() const;
  void open_session();
  void forget_session();
  /// What the log shows, and the seq of the event that set it; −1: there is no plan.
  struct Standing {
    std::string todos = "null";
    std::int64_t seq = -1;
    bool operator==(const Standing &) const = default;
  };
  Standing read_log();
  bool log_changed();

  PluginHost &host_;
  const Place place_;
  std::string client_;
  std::shared_ptr<Session> session_;  // null: not ours
  std::optional<AgentTurn> turn_;
  bool changed_ = false;  // by a call
  FileWatch watch_;
  std::optional<PlanReader> reader_;  // of a log that is not ours; made when there is one
  std::optional<Standing> seen_;      // when last looked; of a log that can't be read: why
  Subscription subscription_;         // last, so that it ends before what its listener writes to
};

}  // namespace dsh::loader
