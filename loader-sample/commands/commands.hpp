// The commands, one function a command, and what each is told on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands/output.hpp"

namespace dsh::loader {

/// The status a command ends with. What can't be done is an Error, which ends with exit_cannot.
enum ExitStatus : int {
  exit_done = 0,    ///< done, and all is well
  exit_found = 1,   ///< done, and found something wrong: a tool error, a damaged log, a failed check
  exit_cannot = 2,  ///< couldn't be done: usage, a load failure, input or output
};

/// Options of every command. Empty: not given.
struct CommonOptions {
  std::string composition;
  std::vector<std::string> plugins;
  std::string sessions;
  std::string cwd;
  std::string log_level = "warn";
  bool memory = false;
  bool json = false;
  std::vector<std::string> without;  ///< services; of the commands that load plugins
};

struct CallRequest {
  std::string tool;
  std::string arguments = "{}";  ///< "-": standard input
  std::string session;
  bool no_agent = false;
};

struct PlanRequest {
  std::string session;
  bool watch = false;
  bool history = false;
  bool markdown = false;
  bool wrap = false;
};

struct AuditRequest {
  std::vector<std::string> paths;
  bool all = false;  ///< every finding, however many are alike
};

struct RunRequest {
  std::string script = "-";  ///< "-": standard input
};

struct McpRequest {
  std::string session;
};

struct CheckRequest {
  std::vector<std::string> libraries;
  std::vector<std::string> only;     ///< patterns of tests' names
  std::vector<std::string> skip;     ///< patterns of tests' names
  std::vector<std::string> configs;  ///< JSON; empty: made from the plugin's config_schema
  std::uint64_t seed = 0;            ///< 0: a random one, which is printed
  unsigned limit_seconds = 30;       ///< for each test
  unsigned jobs = 0;                 ///< tests at the same time; 0: as many as there are processors
  bool in_process = false;
  bool quiet = false;  ///< only what did not pass
  bool list = false;   ///< name the tests and run none
};

int tools_command(const CommonOptions &common, const Output &output);
int plugins_command(const CommonOptions &common, const Output &output);
int call_command(const CommonOptions &common, const CallRequest &request, const Output &output);
int plan_command(const CommonOptions &common, const PlanRequest &request, const Output &output);
int sessions_command(const CommonOptions &common, const Output &output);
int audit_command(const CommonOptions &common, const AuditRequest &request, const Output &output);
int check_command(const CommonOptions &common, const CheckRequest &request, const Output &output);
int run_command(const CommonOptions &common, const RunRequest &request, const Output &output);
int mcp_command(const CommonOptions &common, const McpRequest &request, const Output &output);

/// Reads the command line and runs the command it names; returns the exit status. Throws nothing:
/// whatever goes wrong is one line on stderr.
int run_command_line(int argc, const char *const *argv, const Output &output) noexcept;

}  // namespace dsh::loader
