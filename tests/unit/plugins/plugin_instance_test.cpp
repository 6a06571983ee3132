#include "plugins/plugin_instance.hpp"

#include "../services/fixture.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

std::int32_t idle(void *, const dsh_call *, const dsh_out *, const dsh_out *, const dsh_error *) {
  return DSH_OK;
}

const dsh_tools &tools_of(const dsh_host *host) {
  return *static_cast<const dsh_tools *>(host->service(host, DSH_TOOLS));
}

std::int32_t add_tool(const dsh_host *host, std::string_view name, const dsh_error *error) {
  const dsh_tool given = tool(idle, name);
  return tools_of(host).add(host, &given, error);
}

// Written by the dispose functions and observers of the plugins below, through their `user`.
using Story = std::vector<std::string>;

struct PluginInstanceTest : Fixture {
  PluginInstanceTest() { presence.fill(true); }

  PluginInstance &make() {
    return *instances.emplace_back(std::make_unique<PluginInstance>("probe", services, presence));
  }
  void apply(PluginInstance &instance, dsh_apply_fn function, std::string_view config = "null") {
    services.gate.change([&] { instance.apply(function, config); });
  }
  void dispose(PluginInstance &instance) {
    services.gate.change([&] { instance.dispose(); });
  }
  std::string came(PluginInstance &instance, Service service) {
    presence[static_cast<std::size_t>(service)] = true;
    std::string failure;
    services.gate.change([&] { failure = instance.service_came(service); });
    return failure;
  }
  void left(PluginInstance &instance, Service service) {
    presence[static_cast<std::size_t>(service)] = false;
    services.gate.change([&] { instance.service_left(service); });
  }

  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const ToolInfo &info : services.tools.list()) names.push_back(info.name);
    return names;
  }

  Presence presence{};
  std::vector<std::unique_ptr<PluginInstance>> instances;
};

TEST_F(PluginInstanceTest, introduces_itself_and_hands_out_the_tables_it_knows) {
  apply(
      make(),
      [](const dsh_host *host, const char *config, std::size_t size, const dsh_error *) -> std::int32_t {
        EXPECT_EQ(host->struct_size, sizeof(dsh_host));
        EXPECT_EQ(host->revision, std::uint32_t{DSH_ABI_VERSION});
        EXPECT_EQ(from_abi(host->name), "loader-sample");
        EXPECT_FALSE(from_abi(host->version).empty());
        EXPECT_EQ(std::string_view(config, size), R"({"a":1})");
        for (const char *id : {DSH_TOOLS, DSH_SESSIONS, DSH_INVARIANTS, DSH_PROJECTIONS}) {
          EXPECT_NE(host->service(host, id), nullptr) << id;
          EXPECT_EQ(host->service(host, id), host->service(host, id));
        }
        EXPECT_EQ(static_cast<const dsh_tools *>(host->service(host, DSH_TOOLS))->struct_size,
                  sizeof(dsh_tools));
        for (const char *id : {"", "tool", "tools/2", "tools ", "Tools", "toolsx"})
          EXPECT_EQ(host->service(host, id), nullptr) << id;
        EXPECT_EQ(host->service(host, nullptr), nullptr);
        return DSH_OK;
      },
      R"({"a":1})");
}

TEST_F(PluginInstanceTest, undoes_registrations_newest_first_then_disposes_newest_first) {
  static Story story;
  story.clear();
  create("s");
  PluginInstance &instance = make();
  apply(
      instance, [](const dsh_host *host, const char *, std::size_t, const dsh_error *error) -> std::int32_t {
        const auto disposed = [](const char *name) { return static_cast<void *>(const_cast<char *>(name)); };
        const auto note = [](void *user) { story.emplace_back(static_cast<const char *>(user)); };
        EXPECT_EQ(host->on_dispose(host, note, disposed("dispose 1")), DSH_OK);
        const auto *sessions = static_cast<const dsh_sessions *>(host->service(host, DSH_SESSIONS));
        for (const char *name : {"observer 1", "observer 2"}) {
          dsh_observer given = observer();
          given.user = disposed(name);
          given.disposed = [](void *user, const dsh_session *) {
            story.emplace_back(static_cast<const char *>(user));
          };
          EXPECT_EQ(sessions->add(host, &given, error), DSH_OK);
        }
        EXPECT_EQ(host->on_dispose(host, note, disposed("dispose 2")), DSH_OK);
        EXPECT_EQ(host->on_dispose(host, nullptr, nullptr), DSH_ERROR);
        return add_tool(host, "t", error);
      });
  EXPECT_THAT(names(), ElementsAre("t"));
  dispose(instance);
  EXPECT_THAT(story, ElementsAre("observer 2", "observer 1", "dispose 2", "dispose 1"));
  EXPECT_TRUE(names().empty());
  dispose(instance);
  EXPECT_EQ(story.size(), 4U);
}

TEST_F(PluginInstanceTest, an_apply_that_fails_half_way_leaves_nothing) {
  static Story story;
  story.clear();
  PluginInstance &instance = make();
  const auto function = [](const dsh_host *host, const char *, std::size_t,
                           const dsh_error *error) -> std::int32_t {
    host->on_dispose(
        host, [](void *) { story.emplace_back("disposed"); }, nullptr);
    EXPECT_EQ(add_tool(host, "t", error), DSH_OK);
    error->set(error->ctx, "no good", 7, "ConfigError", "INVALID_CONFIG");
    return DSH_ERROR;
  };
  try {
    apply(instance, function);
    FAIL();
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "no good");
    EXPECT_EQ(error.name(), "ConfigError");
    EXPECT_EQ(error.code(), "INVALID_CONFIG");
  }
  EXPECT_TRUE(names().empty());
  EXPECT_THAT(story, ElementsAre("disposed"));
}

TEST_F(PluginInstanceTest, an_apply_that_throws_or_returns_none_fails) {
  EXPECT_EQ(
      error_of([&] {
        apply(make(),
              [](const dsh_host *host, const char *, std::size_t, const dsh_error *error) -> std::int32_t {
                add_tool(host, "t", error);
                throw 1;
              });
      }),
      "apply broke the contract: an exception left it");
  EXPECT_EQ(error_of([&] {
              apply(make(),
                    [](const dsh_host *, const char *, std::size_t, const dsh_error *) -> std::int32_t {
                      return DSH_NONE;
                    });
            }),
            "apply failed with status 3");
  EXPECT_TRUE(names().empty());
}

TEST_F(PluginInstanceTest, refuses_to_register_outside_apply) {
  static const dsh_host *kept = nullptr;
  apply(make(), [](const dsh_host *host, const char *, std::size_t, const dsh_error *) -> std::int32_t {
    kept = host;
    return DSH_OK;
  });
  ErrorSink error;
  EXPECT_EQ(add_tool(kept, "late", error.abi()), DSH_ERROR);
  EXPECT_STREQ(error.error("", DSH_ERROR).what(), "a registration is made inside apply alone");
  EXPECT_EQ(kept->on_dispose(
                kept, [](void *) {}, nullptr),
            DSH_ERROR);
  const dsh_tool given = tool(idle, "late");
  EXPECT_EQ(tools_of(kept).add(nullptr, &given, error.abi()), DSH_ERROR);
  services.gate.change([&] { EXPECT_EQ(add_tool(kept, "late", error.abi()), DSH_ERROR); });
  EXPECT_TRUE(names().empty());
}

TEST_F(PluginInstanceTest, a_refused_registration_is_the_callers_to_report) {
  apply(make(), [](const dsh_host *host, const char *, std::size_t, const dsh_error *error) -> std::int32_t {
    return add_tool(host, "t", error);
  });
  EXPECT_EQ(error_of([&] {
              apply(make(),
                    [](const dsh_host *host, const char *, std::size_t,
                       const dsh_error *error) -> std::int32_t { return add_tool(host, "t", error); });
            }),
            "tool \"t\" is already registered");
  PluginInstance &tolerant = make();
  apply(tolerant,
        [](const dsh_host *host, const char *, std::size_t, const dsh_error *error) -> std::int32_t {
          EXPECT_EQ(add_tool(host, "t", error), DSH_ERROR);
          EXPECT_EQ(tools_of(host).add(host, nullptr, error), DSH_ERROR);
          return add_tool(host, "u", error);
        });
  EXPECT_THAT(names(), ElementsAre("t", "u"));
  ASSERT_EQ(tolerant.report().size(), 1U);
  EXPECT_EQ(tolerant.report()[0].name, "u");
}

TEST_F(PluginInstanceTest, a_registration_waits_for_its_service_and_returns_with_it) {
  presence.fill(false);
  PluginInstance &instance = make();
  apply(instance,
        [](const dsh_host *host, const char *, std::size_t, const dsh_error *error) -> std::int32_t {
          EXPECT_EQ(add_tool(host, "a", error), DSH_OK);
          return add_tool(host, "b", error);
        });
  EXPECT_TRUE(names().empty());
  EXPECT_FALSE(instance.report()[0].active);
  EXPECT_EQ(came(instance, Service::sessions), "");
  EXPECT_TRUE(names().empty());
  EXPECT_EQ(came(instance, Service::tools), "");
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  EXPECT_TRUE(instance.report()[0].active);
  left(instance, Service::tools);
  EXPECT_TRUE(names().empty());
  came(instance, Service::tools);
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  left(instance, Service::tools);
  dispose(instance);
  came(instance, Service::tools);
  EXPECT_TRUE(names().empty());
}

TEST_F(PluginInstanceTest, a_waiting_registration_that_fails_is_reported_and_the_others_start) {
  presence[static_cast<std::size_t>(Service::invariants)] = false;
  PluginInstance &instance = make();
  apply(
      instance, [](const dsh_host *host, const char *, std::size_t, const dsh_error *error) -> std::int32_t {
        const auto *invariants = static_cast<const dsh_invariants *>(host->service(host, DSH_INVARIANTS));
        const dsh_invariant strict =
            rule([](void *, const void *, const dsh_event *,
                    const dsh_error *sink) { return refuse(sink, "nothing is good enough", DSH_VIOLATED); },
                 "@test/strict");
        const dsh_invariant lenient = rule(
            [](void *, const void *, const dsh_event *, const dsh_error *) -> std::int32_t { return DSH_OK; },
            "@test/lenient");
        EXPECT_EQ(invariants->add(host, &strict, error), DSH_OK);
        return invariants->add(host, &lenient, error);
      });
  const auto session = create();
  append(*session, "a/b");
  const std::string refusal = "invariant violated by \"@test/strict\": nothing is good enough";
  EXPECT_EQ(came(instance, Service::invariants), refusal);
  ASSERT_EQ(instance.report().size(), 2U);
  EXPECT_EQ(instance.report()[0].failure, refusal);
  EXPECT_FALSE(instance.report()[0].active);
  EXPECT_TRUE(instance.report()[1].active);
  append(*session, "a/b");
  services.sessions.dispose("s1");
  left(instance, Service::invariants);
  EXPECT_EQ(instance.report()[0].failure, "");
  EXPECT_EQ(came(instance, Service::invariants), "") << "no session breaks it any more";
  EXPECT_TRUE(instance.report()[0].active);
}

TEST_F(PluginInstanceTest, logs_under_its_name_whatever_the_bytes) {
  apply(make(), [](const dsh_host *host, const char *, std::size_t, const dsh_error *) -> std::int32_t {
    const std::string_view text = "two\nlines \x1b[2J \xFF";
    host->log(host, DSH_WARN, text.data(), text.size());
    host->log(host, 99, nullptr, 0);
    host->log(nullptr, DSH_WARN, "x", 1);
    return DSH_OK;
  });
  EXPECT_THAT(lines, ElementsAre("probe: two\\nlines \\x1b[2J \xEF\xBF\xBD", "probe: "));
}

TEST_F(PluginInstanceTest, an_observer_may_be_called_back_before_add_returns) {
  static int created = 0;
  created = 0;
  create("a");
  create("b");
  apply(make(), [](const dsh_host *host, const char *, std::size_t, const dsh_error *error) -> std::int32_t {
    const auto *sessions = static_cast<const dsh_sessions *>(host->service(host, DSH_SESSIONS));
    dsh_observer given = observer();
    given.created = [](void *, const dsh_session *session) {
      ++created;
      ErrorSink sink;
      std::int64_t events = 0;
      EXPECT_EQ(session->read(
                    session, 0,
                    [](void *user, const dsh_event *) -> std::int32_t {
                      ++*static_cast<std::int64_t *>(user);
                      return DSH_OK;
                    },
                    &events, sink.abi()),
                DSH_OK);
    };
    const std::int32_t status = sessions->add(host, &given, error);
    EXPECT_EQ(created, 2);
    return status;
  });
}

}  // namespace
}  // namespace dsh::loader
