#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "text/attempt.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

std::string with_line_end(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

/// The whole grammar of the command line: every command with its options, and what it runs.
class CommandLine {
 public:
  explicit CommandLine(const Output &output) : output_(output) {
    app_.name("loader-sample");
    app_.set_version_flag("--version", "loader-sample " DSH_VERSION);
    app_.footer(
        "Example:\n"
        "  loader-sample call todo_write '{\"todos\":[{\"content\":\"Ship "
        "it\",\"status\":\"in_progress\"}]}' "
        "--session demo\n"
        "  loader-sample plan --session demo\n"
        "Each command has a --help of its own.\n"
        "Exit status: 0 done; 1 done, and found something wrong; 2 it couldn't be done.");
    // One command only: a later word that is also a command's name is an argument of the first.
    app_.require_subcommand(1);
    app_.fallthrough();
    add_common_options();
    add_loading_commands();
    add_session_commands();
    add_check_command();
  }

  int run(int argc, const char *const *argv) {
    const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
    std::vector<std::string> words = given;
    try {
      move_command_to_front(words);
      std::reverse(words.begin(), words.end());  // as parse() takes them
      app_.parse(words);
    } catch (const CLI::Success &success) {  // --help, --version
      std::ostringstream text;
      app_.exit(success, text, text);
      output_.write(with_line_end(text.str()));
      return kDone;
    } catch (const CLI::ParseError &error) {
      complain(what_is_wrong(given, error) + "; see loader-sample" + chosen_name() + " --help");
      return kCannot;
    }
    return actions_.at(app_.get_subcommands().front())();
  }

 private:
  using Action = std::function<int()>;

  void add_common_options() {
    app_.add_option("--composition", common_.composition,
                    "Which plugins to load, a YAML file (default: the installed one)")
        ->type_name("FILE");
    app_.add_option("--plugins", common_.plugins,
                    "Where plugins lie; repeatable (default: $DSH_PLUGIN_PATH, then the installed ones)")
        ->type_name("DIR")
        ->take_all()
        ->allow_extra_args(false);
    CLI::Option *sessions =
        app_.add_option("--sessions", common_.sessions,
                        "Where sessions are kept (default: $XDG_STATE_HOME/dsh/sessions, by "
                        "default ~/.local/state/dsh/sessions)")
            ->type_name("DIR");
    app_.add_flag("--memory", common_.memory, "Keep sessions in memory: nothing on disk")->excludes(sessions);
    app_.add_option(
            "--cwd", common_.cwd,
            "The project, a directory: new sessions belong to it, and only its own are looked for (default: "
            "none, and all are)")
        ->type_name("DIR");
    app_.add_option("--log-level", common_.log_level,
                    "How much to say on stderr: debug, info, warn, error or off")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
        ->capture_default_str();
    app_.add_flag("--json", common_.json, "Print one JSON value instead of text");
  }

  CLI::App *add(const char *name, const char *description, const char *example, Action action) {
    CLI::App *command = app_.add_subcommand(name, description);
    command->footer(std::string("Example:\n  ") + example +
                    "\nThe options of `loader-sample --help` may stand here too.");
    actions_.emplace(command, std::move(action));
    return command;
  }

  void add_without(CLI::App *command) {
    command->add_option("--without", common_.without, "Start with this service absent; repeatable")
        ->type_name("SERVICE")
        ->take_all()
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"tools", "sessions", "invariants", "sessionProjections"}));
  }

  void add_loading_commands() {
    add_without(add("tools", "Show the tools that the plugins bring, with their schemas",
                    "loader-sample tools --json", [this] { return tools_command(common_, output_); }));
    add_without(add("plugins", "Show every entry of the composition: its file, its state, what it registered",
                    "loader-sample plugins --composition todo.yaml",
                    [this] { return plugins_command(common_, output_); }));

    CLI::App *call = add("call", "Call a tool in a turn of its own, and print what the model would see",
                         "loader-sample call todo_write '{\"todos\":[{\"content\":\"Ship "
                         "it\",\"status\":\"pending\"}]}' --session demo",
                         [this] { return call_command(common_, call_, output_); });
    call->add_option("TOOL", call_.tool, "The tool's name")->required();
    call->add_option("ARGUMENTS", call_.arguments,
                     "The arguments, JSON text as a model writes it; - reads it from standard input");
    call->add_option("--session", call_.session, "The session, opened or created")->type_name("ID");
    call->add_flag("--no-agent", call_.no_agent, "Call without an owning agent session: nothing is logged");

    CLI::App *run = add("run", "Run a script: one JSON object a line, one JSON answer a line",
                        "echo '{\"op\":\"tools\"}' | loader-sample run",
                        [this] { return run_command(common_, run_, output_); });
    run->add_option("SCRIPT", run_.script, "The script's file, or - for standard input")
        ->capture_default_str();
    add_without(run);
  }

  void add_session_commands() {
    CLI::App *plan =
        add("plan", "Show the standing plan of a session", "loader-sample plan --session demo --watch",
            [this] { return plan_command(common_, plan_, output_); });
    plan->add_option("--session", plan_.session, "The session")->type_name("ID");
    CLI::Option *watch =
        plan->add_flag("--watch", plan_.watch, "Follow the session, redrawing in place, until q or Ctrl-C");
    CLI::Option *history = plan->add_flag("--history", plan_.history,
                                          "What each write started, finished, added, reopened and dropped");
    plan->add_flag("--markdown", plan_.markdown, "A checklist to paste")->excludes(history)->excludes(watch);
    history->excludes(watch);
    plan->add_flag("--wrap", plan_.wrap, "Let long items go on in the next line instead of cutting them")
        ->excludes(history);

    CLI::App *mcp =
        add("mcp", "Serve the tools and the plan of one session to an MCP client, on stdin and stdout",
            "loader-sample mcp --session demo", [this] { return mcp_command(common_, mcp_, output_); });
    mcp->add_option("--session", mcp_.session,
                    "The session, opened or created (default: mcp- and a hash of the working directory)")
        ->type_name("ID");

    add("sessions", "List the sessions on disk", "loader-sample sessions --sessions ~/.dsh/sessions",
        [this] { return sessions_command(common_, output_); });

    CLI::App *audit = add("audit", "Verify session logs: their format, and what the lists have to keep",
                          "loader-sample audit ~/.dsh/sessions",
                          [this] { return audit_command(common_, audit_, output_); });
    audit->add_option("PATH", audit_.paths, "A log, a session's directory, or a whole root")->required();
    audit->add_flag("--all", audit_.all,
                    "List every finding (default: of those that are alike the first few, and how many more)");
  }

  /// Options may stand before the command, its own too: they are read as if they stood after it.
  void move_command_to_front(std::vector<std::string> &words) const {
    auto word = words.begin();
    while (word != words.end() && word->starts_with('-'))
      word += takes_value(*word) && words.end() - word > 1 ? 2 : 1;
    if (word == words.end()) return;
    const auto commands = app_.get_subcommands({});
    if (std::none_of(commands.begin(), commands.end(),
                     [&](const CLI::App *app) { return app->check_name(*word); })) {
      throw CLI::ExtrasError("there is no command \"" + *word + '"', CLI::ExitCodes::ExtrasError);
    }
    std::rotate(words.begin(), word, word + 1);
  }

  /// A mistyped option makes words around it look wrong: it comes first.
  std::string what_is_wrong(const std::vector<std::string> &given, const CLI::ParseError &error) const {
    const auto unknown = std::find_if(given.begin(), given.end(), [this](const std::string &word) {
      return word.size() > 1 && word[0] == '-' &&
             !any_command([name = word.substr(0, word.find('='))](const CLI::App *app) {
               return app->get_option_no_throw(name) != nullptr;
             });
    });
    const bool misread = dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr ||
                         dynamic_cast<const CLI::RequiredError *>(&error) != nullptr;
    if (misread && unknown != given.end()) return "there is no option " + *unknown;
    const bool no_command =
        dynamic_cast<const CLI::RequiredError *>(&error) != nullptr && app_.get_subcommands().empty();
    return no_command ? "a command is missing" : error.what();
  }

  bool takes_value(const std::string &word) const {
    return word.find('=') == std::string::npos && any_command([&](const CLI::App *app) {
             const CLI::Option *option = app->get_option_no_throw(word);
             return option != nullptr && option->get_items_expected_max() > 0;
           });
  }

  /// Is it so of the program or of one of its commands?
  template <typename Predicate>
  bool any_command(const Predicate &so) const {
    const auto commands = app_.get_subcommands({});
    return so(&app_) || std::any_of(commands.begin(), commands.end(), so);
  }

  void add_check_command() {
    CLI::App *check = add("check", "Does a plugin keep the contract? Each test runs in a process of its own",
                          "loader-sample check ./my-plugin.so --only 'tools.*' --seed 42",
                          [this] { return check_command(common_, check_, output_); });
    check->add_option("LIBRARY", check_.libraries, "The plugins' files");
    const auto add_words = [check](const char *option, std::vector<std::string> &words, const char *what,
                                   const char *type) {
      check->add_option(option, words, what)->type_name(type)->take_all()->allow_extra_args(false);
    };
    add_words("--only", check_.only, "Run only tests with such names; repeatable", "PATTERN");
    add_words("--skip", check_.skip, "Leave out tests with such names; repeatable", "PATTERN");
    add_words("--config", check_.configs,
              "A config to apply the plugin with; repeatable (default: made from its config_schema)", "JSON");
    check->add_option("--seed", check_.seed,
                      "What the random inputs come from (default: another each time, printed)");
    check->add_option("--limit", check_.limit_seconds, "Seconds that a test may take")
        ->capture_default_str()
        ->check(CLI::Range(1, 3600));
    check->add_option("--jobs", check_.jobs, "Tests that run at the same time (default: one a processor)")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    check->add_flag("--quiet", check_.quiet, "Show only what did not pass");
    check->add_flag("--in-process", check_.in_process, "Run the tests in this process, for a debugger");
    check->add_flag("--list", check_.list, "Name the tests and run none");
    add_without(check);
  }

  std::string chosen_name() const {
    const auto chosen = app_.get_subcommands();
    return chosen.empty() ? "" : ' ' + chosen.front()->get_name();
  }

  const Output &output_;
  CLI::App app_{
      "A sample host for agent plugins: loads them as a composition says, calls their tools, keeps "
      "sessions."};
  std::map<const CLI::App *, Action> actions_;
  CommonOptions common_;
  CallRequest call_;
  PlanRequest plan_;
  AuditRequest audit_;
  RunRequest run_;
  McpRequest mcp_;
  CheckRequest check_;
};

}  // namespace

int run_command_line(int argc, const char *const *argv, const Output &output) noexcept {
  try {
    return CommandLine(output).run(argc, argv);
  } catch (const std::bad_alloc &) {
    complain("out of memory");
  } catch (const std::exception &error) {
    attempt([&] { complain(text_of(error)); });
  }
  return kCannot;
}

}  // namespace dsh::loader
