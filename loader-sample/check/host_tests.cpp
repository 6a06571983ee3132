#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "check/tests.hpp"
#include "check/verdict.hpp"
#include "composition/composition.hpp"
#include "plugins/plugin_host.hpp"
#include "services/session.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

// The plugin in the sample host itself, whose services come and go.
namespace dsh::loader::check {
namespace {

const Diagnostics &silent() {
  static const Diagnostics diagnostics([](Level, std::string_view, std::string_view) {});
  return diagnostics;
}

/// A host that has the plugin as its one entry. Throws Finding where the host will not have it.
class Loaded {
 public:
  Loaded(Subject &subject, const std::string &config) : host_(options(subject), silent()) {
    try {
      LibraryFile::open_trusted(subject.path());
    } catch (const Error &error) {
      skip(std::string("a host opens trusted files alone: ") + error.what());
    }
    require_readable(subject, config);
    subject.unmap();
    Composition composition;
    composition.file = subject.path().parent_path() / "composition.yaml";
    Entry entry;
    entry.id = "checked";
    entry.name = "./" + subject.path().filename().string();
    entry.config_json = config;
    composition.entries.push_back(entry);
    subject.step("loading it in the sample host");
    host_.load(composition);
  }
  PluginHost *operator->() { return &host_; }

 private:
  /// A host in production reads what it is given: where that cannot be read it would crash, and tell less.
  static void require_readable(Subject &subject, const std::string &config) {
    const auto rig = subject.applied(config, subject.options());
    Generator random(1);
    use(subject, *rig, random);
    const std::string misdeed = rig->misdeed(Misdeed::bad_gift);
    if (!misdeed.empty()) skip("no host should be given this: " + misdeed);
  }
  static PluginHost::Options options(Subject &subject) {
    return {PluginPaths({subject.path().parent_path()}),
            nullptr,
            {subject.target().without.begin(), subject.target().without.end()}};
  }
  PluginHost host_;
};

/// One call of every tool, which may fail as it likes.
void call_all(Subject &subject, Loaded &host, Session &session, Generator &random) {
  std::vector<ToolInfo> tools;
  try {
    tools = host->tools().list();
  } catch (const Error &) {
    return;  // the service is absent
  }
  for (const ToolInfo &tool : tools) {
    const std::string arguments = random.instance(Schema(tool.parameters));
    subject.step("call of " + excerpt(tool.name) + " with " + excerpt(arguments));
    host->tools().call(tool.name, arguments, &session);
    host->tools().present(tool.name, arguments);
  }
}

void start_turn(Session &session, int turn) {
  session.append({"turn/start", R"({"turn":)" + std::to_string(turn) + "}", {}, {}});
}

void loads(Subject &subject) {
  for (const std::string &config : subject.timely(subject.configs())) {
    Loaded host(subject, config);
    const auto report = host->report();
    if (report.front().state == EntryState::pending)
      skip("it waits for a service: " + report.front().missing.front());
    require(report.front().state == EntryState::active,
            "it did not become active: " + report.front().failure);
    const auto session = host->sessions().create("checked");
    start_turn(*session, 1);
    call_all(subject, host, *session, subject.random());
  }
}

void services_come_and_go(Subject &subject) {
  Loaded host(subject, subject.configs().front());
  if (host->report().front().state != EntryState::active) skip("it waits for a service");
  std::vector<std::shared_ptr<Session>> sessions = {host->sessions().create("before")};
  start_turn(*sessions.front(), 1);
  for (int round = 0; round < 40 && subject.has_time(); ++round) {
    call_all(subject, host, *sessions[subject.random().below(sessions.size())], subject.random());
    const std::string_view id = service_ids[subject.random().below(service_ids.size())];
    if (id == DSH_SESSIONS) continue;  // the sessions that the test holds would end
    subject.step("the service " + std::string(id) + " goes");
    host->remove_service(id);
    call_all(subject, host, *sessions.front(), subject.random());
    if (round % 10 == 0) {
      sessions.push_back(host->sessions().create("round-" + std::to_string(round)));
      start_turn(*sessions.back(), 1);
    }
    subject.step("the service " + std::string(id) + " returns");
    host->add_service(id);
    const auto report = host->report().front();
    require(report.state == EntryState::active,
            "it is not active after \"" + std::string(id) + "\" went and returned: " + report.failure);
    for (const RegistrationReport &registration : report.registered)
      require(registration.active, "its registration " + excerpt(registration.name) +
                                       " did not return with \"" + std::string(id) +
                                       "\": " + registration.failure);
  }
}

void reloads_during_calls(Subject &subject) {
  Loaded host(subject, subject.configs().front());
  if (host->report().front().state != EntryState::active) skip("it waits for a service");
  constexpr int threads = 3;
  std::vector<std::shared_ptr<Session>> sessions;
  for (int i = 0; i < threads; ++i) {
    sessions.push_back(host->sessions().create("thread-" + std::to_string(i)));
    start_turn(*sessions.back(), 1);
  }
  std::vector<std::pair<std::string, std::string>> calls;
  for (const ToolInfo &tool : host->tools().list())
    for (int i = 0; i < 4; ++i)
      calls.emplace_back(tool.name, subject.random().instance(Schema(tool.parameters)));
  subject.step("unloading and loading it while sessions call its tools");
  std::atomic<bool> over = false;
  std::vector<std::thread> callers;
  callers.reserve(threads);
  for (int i = 0; i < threads; ++i) {
    callers.emplace_back([&, i] {
      Session &session = *sessions[static_cast<std::size_t>(i)];
      while (!over) {
        for (const auto &[tool, arguments] : calls) host->tools().call(tool, arguments, &session);
        std::this_thread::yield();
      }
    });
  }
  std::string failure;
  try {
    for (int i = 0; i < 25 && subject.has_time(); ++i) {
      host->unload_plugin("checked");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      host->load_plugin("checked");
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  } catch (const std::exception &error) {
    failure = error.what();
  }
  over = true;
  for (std::thread &caller : callers) caller.join();
  require(failure.empty(), "it can't be loaded again while sessions work: " + failure);
}

}  // namespace

std::vector<Test> host_tests() {
  return {
      {"host.loads", "the sample host loads it, and its tools can be called there", &loads},
      {"host.services", "its registrations go and return with their services", &services_come_and_go},
      {"host.reload", "it is unloaded and loaded again while sessions work", &reloads_during_calls},
  };
}

}  // namespace dsh::loader::check
