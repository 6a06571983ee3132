#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/advice.hpp"
#include "commands/commands.hpp"
#include "commands/help.hpp"
#include "commands/usage_errors.hpp"
#include "log/durable_storage.hpp"
#include "services/services.hpp"
#include "text/advised_error.hpp"
#include "text/attempt.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"
#include "text/listed.hpp"
#include "text/shell_word.hpp"
#include "text/visible.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

/// The whole grammar of the command line: every command with its options, and what it runs.
class CommandLine {
 public:
  explicit CommandLine(const Output &output) : output_(output) {
    app_.name("loader-sample");
    app_.option_defaults()->disable_flag_override();
    app_.set_help_flag("-h,--help", "Print this help");
    // One command only: a later word that is also a command's name is an argument of the first.
    app_.require_subcommand(1);
    app_.fallthrough();
    add_common_options();
    app_.set_version_flag("--version", "loader-sample " DSH_VERSION, "Print the version");
    add_loading_commands();
    add_script_command();
    add_plan_command();
    add_session_commands();
    add_check_command();
  }

  int run(int argc, const char *const *argv) {
    const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
    std::vector<std::string> words = given;
    if (!words.empty() && words.front() == "help") {  // [COMMAND]
      words.erase(words.begin());
      words.emplace_back("--help");
    }
    try {
      split_empty_values(words);
      move_command_to_front(words);
      std::reverse(words.begin(), words.end());  // as parse() takes them
      app_.parse(words);
    } catch (const CLI::CallForHelp &) {
      output_.write(help());
      return exit_done;
    } catch (const CLI::CallForVersion &version) {
      output_.write(version.what() + std::string("\n"));
      return exit_done;
    } catch (const CLI::ParseError &error) {
      complain(what_is_wrong(given, error) + "; see loader-sample" + chosen_name() + " --help");
      return exit_cannot;
    }
    try {
      return commands_.at(app_.get_subcommands().front()).action();
    } catch (const DamagedLog &error) {
      throw AdvisedError(error.text(),
                         with_our_plugins("audit " + shell_word(visible(error.path())), common_) +
                             " tells all that is wrong with it; other sessions are not concerned");
    }
  }

 private:
  using Action = std::function<int()>;

  struct Command {
    Guide guide;
    Action action;
  };

  static CLI::Option *add_text(CLI::App &app, const char *names, std::string &value, const char *type,
                               const char *meaning) {
    return app.add_option(names, value, meaning)->type_name(type)->check(filled());
  }

  /// One that may be given several times, each with one value.
  static CLI::Option *add_texts(CLI::App &app, const char *names, std::vector<std::string> &values,
                                const char *type, const std::string &meaning) {
    return app.add_option(names, values, meaning)
        ->type_name(type)
        ->take_all()
        ->allow_extra_args(false)
        ->check(filled());
  }

  void add_common_options() {
    add_text(app_, "--composition", common_.composition, "FILE",
             "Which plugins to load, a YAML file (default: the installed todo.yaml)");
    add_texts(app_, "--plugins", common_.plugins, "DIR",
              "Where plugins lie; repeatable (default: $DSH_PLUGIN_PATH, then the installed ones)");
    CLI::Option *sessions = add_text(app_, "--sessions", common_.sessions, "DIR",
                                     "Where sessions are kept (default: $XDG_STATE_HOME/dsh/sessions, else "
                                     "~/.local/state/dsh/sessions)");
    app_.add_flag("--memory", common_.memory, "Keep sessions in memory: nothing on disk")->excludes(sessions);
    add_text(app_, "--cwd", common_.cwd, "DIR",
             "The project, a directory: new sessions on disk belong to it, and only its own are looked for "
             "(default: none, and all are)");
    app_.add_option("--log-level", common_.log_level,
                    "How much to say on stderr: " + listed(level_words, " or ") + " (default: warn)")
        ->type_name("LEVEL")
        ->check(one_of(level_words));
    json_ = app_.add_flag("--json", common_.json,
                          "Print one JSON value instead of text (run and mcp speak JSON as it is)");
  }

  CLI::App *add(const char *name, const char *purpose, Guide guide, Action action) {
    CLI::App *command = app_.add_subcommand(name, purpose);
    commands_.emplace(command, Command{std::move(guide), std::move(action)});
    return command;
  }

  CLI::Option *add_without(CLI::App *command) {
    return add_texts(*command, "--without", common_.without, "SERVICE",
                     "Start with this service absent: " + listed(service_ids, " or ") + "; repeatable")
        ->check(one_of(service_ids));
  }

  void add_loading_commands() {
    add_without(add("tools", "Show the tools that the plugins bring, with their schemas",
                    {"", {}, {"loader-sample tools", "loader-sample tools --json"}},
                    [this] { return tools_command(common_, output_); }));
    add_without(add("plugins", "Show every entry of the composition: its file, its state, what it registered",
                    {"", {}, {"loader-sample plugins", "loader-sample plugins --composition ./todo.yaml"}},
                    [this] { return plugins_command(common_, output_); }));

    CLI::App *call =
        add("call", "Call a tool in a turn of its own, and print what the model would see",
            {"TOOL [ARGUMENTS] --session ID",
             {"The call is logged as an agent's would be, and on disk when its result is printed. The "
              "former plan ends with it, also when the tool refuses."},
             {"loader-sample call todo_write --session demo '{\"todos\":[{\"content\":\"Ship "
              "it\",\"status\":\"pending\"}]}'",
              "loader-sample call todo_write --session demo - < list.json"}},
            [this] { return call_command(common_, call_, output_); });
    call->add_option("TOOL", call_.tool, "The tool's name; loader-sample tools lists them")->required();
    call->add_option("ARGUMENTS", call_.arguments,
                     "A JSON object, as a model writes it; - reads it from standard input (default: {})");
    CLI::Option *session =
        add_text(*call, "--session", call_.session, "ID",
                 "The session, opened or created; required, unless --no-agent or --memory is given");
    call->add_flag("--no-agent", call_.no_agent, "Call without an owning agent session: nothing is logged")
        ->excludes(session);
  }

  void add_script_command() {
    CLI::App *run =
        add("run", "Run a script: one JSON object a line in, one JSON answer a line out",
            {"[SCRIPT]",
             {"Sessions are in memory, unless --sessions says where to keep them. A line that fails is an "
              "answer, and the script goes on."},
             {"echo '{\"op\":\"tools\"}' | loader-sample run",
              "loader-sample run ./script.jsonl --sessions ./sessions"}},
            [this] { return run_command(common_, run_, output_); });
    add_text(*run, "SCRIPT", run_.script, "FILE", "The script's file, or - for standard input (default: -)");
    add_without(run);
  }

  void add_plan_command() {
    CLI::App *plan = add("plan", "Show the standing plan of a session",
                         {"--session ID",
                          {},
                          {"loader-sample plan --session demo", "loader-sample plan --session demo --watch",
                           "loader-sample plan --session demo --history"}},
                         [this] { return plan_command(common_, plan_, output_); });
    add_text(*plan, "--session", plan_.session, "ID",
             "The session; required; loader-sample sessions lists them");
    CLI::Option *watch = plan->add_flag(
        "--watch", plan_.watch,
        "Follow the session until Ctrl-C; on a terminal the plan is redrawn in place, and q ends "
        "it too (under TERM=dumb and in a pipe, each new plan follows the former)");
    CLI::Option *history = plan->add_flag("--history", plan_.history,
                                          "What each write added, started, finished, reopened and dropped");
    CLI::Option *markdown = plan->add_flag("--markdown", plan_.markdown, "A checklist to paste");
    CLI::Option *wrap =
        plan->add_flag("--wrap", plan_.wrap, "Let long items go on in the next line instead of cutting them");
    watch->excludes(history)->excludes(markdown)->excludes(json_);
    markdown->excludes(history)->excludes(json_);
    wrap->excludes(history)->excludes(markdown)->excludes(json_);
  }

  void add_session_commands() {
    CLI::App *mcp =
        add("mcp", "Serve the tools and the plan of one session to an MCP client, on stdin and stdout",
            {"[--session ID]",
             {"An MCP client starts it: {\"command\": \"loader-sample\", \"args\": [\"mcp\"]}"},
             {"loader-sample mcp --session demo"}},
            [this] { return mcp_command(common_, mcp_, output_); });
    add_text(*mcp, "--session", mcp_.session, "ID",
             "The session, opened or created (default: mcp- and a hash of the working directory)");

    add("sessions", "List the sessions on disk",
        {"", {}, {"loader-sample sessions", "loader-sample sessions --sessions ~/.dsh/sessions"}},
        [this] { return sessions_command(common_, output_); });

    CLI::App *audit = add(
        "audit", "Verify session logs: their format, and what the lists have to keep",
        {"PATH...",
         {},
         {"loader-sample audit ~/.local/state/dsh/sessions", "loader-sample audit ./session.jsonl --all"}},
        [this] { return audit_command(common_, audit_, output_); });
    audit->add_option("PATH", audit_.paths, "A log, a session's directory, or a whole root; repeatable")
        ->required()
        ->check(filled());
    audit->add_flag("--all", audit_.all,
                    "List every finding (default: of those that are alike the first few, and how many more)");
  }

  /// `--session=` is a session without a name: the parser would take the next word for it.
  void split_empty_values(std::vector<std::string> &words) const {
    for (std::size_t at = 0; at < words.size() && words[at] != "--"; ++at) {
      std::string &word = words[at];
      if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
      if (!takes_value(word.substr(0, word.size() - 1))) continue;
      word.pop_back();
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(++at), std::string());
    }
  }

  /// Options may stand before the command, its own too: they are read as if they stood after it.
  void move_command_to_front(std::vector<std::string> &words) const {
    auto word = words.begin();
    while (word != words.end() && word->starts_with('-'))
      word += takes_value(*word) && words.end() - word > 1 ? 2 : 1;
    if (word == words.end()) return;
    const auto commands = app_.get_subcommands({});
    if (std::none_of(commands.begin(), commands.end(),
                     [&](const CLI::App *app) { return app->check_name(*word); }))
      throw CLI::ExtrasError("there is no command \"" + *word + '"', CLI::ExitCodes::ExtrasError);
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
    const std::vector<std::string> rest = app_.remaining(true);
    if (rest.empty()) return in_our_words(error);
    return "unexpected argument: " + rest.front() +
           (names_a_session() ? "; a session is named with --session " + shell_word(visible(rest.front()))
                              : "");
  }

  /// Is the chosen command one of a session, and of nothing else?
  bool names_a_session() const {
    const auto chosen = app_.get_subcommands();
    return !chosen.empty() && chosen.front()->get_option_no_throw("--session") != nullptr &&
           chosen.front()->get_option_no_throw("TOOL") == nullptr;
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
    CLI::App *check =
        add("check", "Does a plugin keep the contract? Each test runs in a process of its own",
            {"LIBRARY...",
             {},
             {"loader-sample check ./my-plugin.so",
              "loader-sample check ./my-plugin.so --only 'tools.*' --seed 42", "loader-sample check --list"}},
            [this] { return check_command(common_, check_, output_); });
    check->add_option("LIBRARY", check_.libraries, "A plugin's file; repeatable")->check(filled());
    add_texts(*check, "--only", check_.only, "PATTERN",
              "Run only tests with such names, tools.*; repeatable");
    add_texts(*check, "--skip", check_.skip, "PATTERN", "Leave out tests with such names; repeatable");
    add_texts(*check, "--config", check_.configs, "JSON",
              "A config to apply the plugin with; repeatable (default: made from its config_schema)");
    check
        ->add_option("--seed", check_.seed,
                     "What the random inputs come from, from 1 on (default: another each time, printed)")
        ->type_name("NUMBER")
        ->check(number_between(1, std::numeric_limits<std::uint64_t>::max()));
    CLI::Option *limit = check
                             ->add_option("--limit", check_.limit_seconds,
                                          "How long a test may take, 1 to 3600 seconds (default: 30)")
                             ->type_name("SECONDS")
                             ->check(number_between(1, 3600));
    CLI::Option *jobs =
        check
            ->add_option("--jobs", check_.jobs,
                         "Tests that run at the same time, 1 to 256 (default: one a processor)")
            ->type_name("NUMBER")
            ->check(number_between(1, 256));
    check->add_flag("--quiet", check_.quiet, "Show only what did not pass")->excludes(json_);
    check
        ->add_flag("--in-process", check_.in_process,
                   "Run the tests in this process, one by one and without a limit, for a debugger")
        ->excludes(limit)
        ->excludes(jobs);
    add_without(check);
    const std::vector<CLI::Option *> others =
        check->get_options([check](const CLI::Option *option) { return option != check->get_help_ptr(); });
    CLI::Option *list =
        check->add_flag("--list", check_.list, "Name the tests and run none; with no other option");
    for (CLI::Option *other : others) list->excludes(other);
  }

  std::string help() const {
    Style style = detect_style(output_.descriptor());
    // Prose, which is read best in lines of a moderate length, in a file too.
    style.width = style.width == 0 ? 80 : std::min<std::size_t>(style.width, 100);
    const auto chosen = app_.get_subcommands();
    if (!chosen.empty())
      return command_help(*chosen.front(), app_, commands_.at(chosen.front()).guide, style);
    return program_help(app_,
                        {"COMMAND",
                         {},
                         {"loader-sample call todo_write --session demo '{\"todos\":[{\"content\":\"Ship "
                          "it\",\"status\":\"in_progress\"}]}'",
                          "loader-sample plan --session demo"}},
                        style);
  }

  std::string chosen_name() const {
    const auto chosen = app_.get_subcommands();
    return chosen.empty() ? "" : ' ' + chosen.front()->get_name();
  }

  const Output &output_;
  CLI::App app_{
      "A sample host for agent plugins: loads them as a composition says, calls their tools, keeps "
      "sessions"};
  std::map<const CLI::App *, Command> commands_;
  CLI::Option *json_ = nullptr;
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
  } catch (const ReaderGone &) {
    return end_as_reader_gone();
  } catch (const std::bad_alloc &) {
    complain("out of memory");
  } catch (const std::exception &error) {
    attempt([&] {
      const std::string advice = advice_of(error);
      complain(text_of(error) + (advice.empty() ? "" : "; " + advice));
    });
  }
  return exit_cannot;
}

}  // namespace dsh::loader
