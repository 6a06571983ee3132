// The library as a whole: what it exports and needs, how it meets a host, how it goes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "fake_host.hpp"
#include "support/failing_memory.hpp"

namespace dsh::todo::test {
namespace {

using dsh::test::FailingMemory;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::Not;

/// The lines that `command` prints.
std::vector<std::string> lines_of(const std::string &command) {
  std::vector<std::string> lines;
  FILE *pipe = popen(command.c_str(), "r");
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c == '\n') {
      lines.push_back(std::move(line));
      line.clear();
    } else {
      line.push_back(static_cast<char>(c));
    }
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return lines;
}

const std::string quoted_file = "'" DSH_PLUGIN_FILE "'";

TEST(Library, exports_exactly_the_contract) {
  EXPECT_THAT(lines_of("nm -D --defined-only --format=posix " + quoted_file + " | cut -d' ' -f1 | sort"),
              ElementsAre("abi_version", "apply", "config_schema", "inject", "name"));
}

TEST(Library, needs_the_run_time_of_the_language_and_nothing_else) {
  std::vector<std::string> needed =
      lines_of("readelf -d " + quoted_file + " | sed -n 's/.*(NEEDED).*\\[\\(.*\\)\\]/\\1/p'");
  std::erase_if(needed, [](const std::string &name) { return name.find("san.so") != std::string::npos; });
  EXPECT_THAT(needed, Not(IsEmpty()));
  EXPECT_THAT(needed, IsSubsetOf({"libstdc++.so.6", "libgcc_s.so.1", "libc.so.6", "libm.so.6"}));
  EXPECT_THAT(lines_of("readelf -d " + quoted_file + " | grep -c -E 'RPATH|RUNPATH|TEXTREL|SONAME' || true"),
              ElementsAre("0"));
}

TEST(Library, its_data_symbols_say_what_it_is) {
  const Library library;
  EXPECT_STREQ(*library.data<const char *>("name"), "tool-todo");
  EXPECT_STREQ(library.data<const char *>("inject")[0], "tools");
  EXPECT_EQ(library.data<const char *>("inject")[1], nullptr);
  EXPECT_EQ(*library.data<uint32_t>("abi_version"), 1U);
  EXPECT_THAT(*library.data<const char *>("config_schema"), HasSubstr("allowParallelInProgress"));
  EXPECT_EQ(library.data<void>("default"), nullptr);
}

TEST(Library, really_goes_when_it_is_closed) {
  ASSERT_FALSE(Library::is_mapped());
  for (int round = 0; round < 100; ++round) {
    Library library;
    FakeHost host;
    ASSERT_EQ(host.apply(library, parallel_config), DSH_OK);
    FakeSession session;
    ASSERT_EQ(
        execute(host.tool->tool, R"({"todos":[{"content":"a","status":"x"}]})", &session.session).status,
        DSH_ERROR);
    ASSERT_EQ(execute(host.tool->tool, R"({"todos":[]})", &session.session).status, DSH_OK);
    host.undo();
    ASSERT_EQ(library.close(), 0);
    ASSERT_FALSE(Library::is_mapped());
  }
}

TEST(Apply, registers_tool_projection_and_invariant) {
  const Library library;
  FakeHost host;
  ASSERT_EQ(host.apply(library, parallel_config), DSH_OK);
  ASSERT_TRUE(host.tool && host.unit && host.invariant);
  EXPECT_EQ(host.tool->name, "todo_write");
  EXPECT_EQ(host.tool->tool.mode, DSH_EXCLUSIVE);
  EXPECT_EQ(host.unit->key, "todos");
  EXPECT_EQ(host.unit->unit.state_version, 2U);
  EXPECT_EQ(host.unit->unit.flags, static_cast<uint32_t>(DSH_DECISIVE));
  EXPECT_EQ(host.unit->init, "null");
  EXPECT_THAT(host.unit->types, ElementsAre("todo/write", "turn/start"));
  EXPECT_EQ(host.invariant->owner, "@deepseek-ai/dsh-tool-todo");
  EXPECT_THAT(host.invariant->types, ElementsAre("todo/write", "turn/start", "turn/end"));
  EXPECT_EQ(host.tool->tool.struct_size, sizeof(dsh_tool));
  EXPECT_EQ(host.unit->unit.struct_size, sizeof(dsh_unit));
  EXPECT_EQ(host.invariant->invariant.struct_size, sizeof(dsh_invariant));
}

TEST(Apply, goes_without_services_it_does_not_need) {
  const Library library;
  FakeHost host;
  host.absent = {DSH_PROJECTIONS, DSH_INVARIANTS};
  ASSERT_EQ(host.apply(library, parallel_config), DSH_OK);
  EXPECT_TRUE(host.tool);
  EXPECT_THAT(host.added, ElementsAre(DSH_TOOLS));
}

TEST(Apply, fails_without_the_service_it_needs) {
  const Library library;
  FakeHost host;
  host.absent = {DSH_TOOLS};
  EXPECT_EQ(host.apply(library, parallel_config), DSH_ERROR);
  EXPECT_EQ(host.error.text, "the host has no service \"tools\", which this plugin cannot do without");
  EXPECT_THAT(host.added, IsEmpty());
}

TEST(Apply, a_host_struct_with_a_null_function_is_refused_and_never_called) {
  const Library library;
  FakeHost host;
  host.host.log = nullptr;
  EXPECT_EQ(host.apply(library, parallel_config), DSH_ERROR);
  EXPECT_EQ(host.error.text, "the host's dsh_host has a null where a function belongs");
}

TEST(Apply, a_service_table_with_a_null_function_is_refused_and_never_called) {
  const Library library;
  FakeHost host;
  host.tools.add = nullptr;
  EXPECT_EQ(host.apply(library, parallel_config), DSH_ERROR);
  EXPECT_EQ(host.error.text, "the host's dsh_tools has a null where a function belongs");
}

TEST(Apply, a_newer_host_is_fine) {
  const Library library;
  FakeHost host;
  host.host.revision = 7;
  host.host.struct_size = 4096;
  host.tools.struct_size = 4096;
  EXPECT_EQ(host.apply(library, parallel_config), DSH_OK) << host.error.text;
}

TEST(Apply, a_host_struct_that_ends_early_is_refused_with_both_sizes_and_never_read_beyond) {
  const Library library;
  for (uint32_t size = 0; size < sizeof(dsh_host); size += 4) {
    FakeHost host;
    // Only the bytes that the host claims to have exist: a sanitizer sees a read beyond them.
    std::unique_ptr<char[]> bytes(new char[std::max<std::size_t>(size, sizeof(uint32_t))]);
    host.host.struct_size = size;
    std::copy_n(reinterpret_cast<const char *>(&host.host), std::max<std::size_t>(size, sizeof(uint32_t)),
                bytes.get());
    const int32_t status = library.apply()(reinterpret_cast<const dsh_host *>(bytes.get()),
                                           parallel_config.data(), parallel_config.size(), &host.error.error);
    EXPECT_EQ(status, DSH_ERROR) << size;
    EXPECT_EQ(host.error.text, "the host's dsh_host has " + std::to_string(size) +
                                   " bytes, this plugin needs " + std::to_string(sizeof(dsh_host)) +
                                   ": it takes a newer host");
  }
}

TEST(Apply, a_service_table_that_ends_early_is_refused_with_both_sizes) {
  const Library library;
  for (const char *service : {DSH_TOOLS, DSH_PROJECTIONS, DSH_INVARIANTS}) {
    FakeHost host;
    uint32_t &size = std::string(service) == DSH_TOOLS         ? host.tools.struct_size
                     : std::string(service) == DSH_PROJECTIONS ? host.projections.struct_size
                                                               : host.invariants.struct_size;
    size = 8;
    EXPECT_EQ(host.apply(library, parallel_config), DSH_ERROR);
    EXPECT_THAT(host.error.text, AllOf(HasSubstr("has 8 bytes"), HasSubstr("needs 16")));
    EXPECT_FALSE(host.tool || host.unit || host.invariant);
  }
}

TEST(Apply, a_bad_config_is_named_as_such_and_registers_nothing) {
  const Library library;
  for (const std::string_view config :
       {"null", "{}", "[]", R"({"allowParallelInProgress":"yes"})", "", "\xFF"}) {
    FakeHost host;
    EXPECT_EQ(host.apply(library, config), DSH_ERROR);
    EXPECT_EQ(host.error.name, "ValidationError");
    EXPECT_EQ(host.error.code, "INVALID_CONFIG");
    EXPECT_FALSE(host.error.text.empty());
    EXPECT_THAT(host.added, IsEmpty());
    EXPECT_THAT(host.dispose_functions, IsEmpty());
  }
}

TEST(Apply, what_a_service_refuses_fails_it_in_the_services_words) {
  const Library library;
  for (const char *service : {DSH_TOOLS, DSH_PROJECTIONS, DSH_INVARIANTS}) {
    for (const int32_t status : {+DSH_ERROR, +DSH_NO_MEMORY, +DSH_NONE, 77}) {
      FakeHost host;
      host.add_status[service] = status;
      const int32_t result = host.apply(library, parallel_config);
      EXPECT_EQ(result, status == DSH_NONE ? DSH_ERROR : status);
      EXPECT_EQ(host.error.text, std::string(service) + " refuses");
      EXPECT_FALSE(host.tool || host.unit || host.invariant);
    }
  }
}

TEST(Apply, a_host_that_cannot_dispose_is_not_registered_with) {
  const Library library;
  for (const int32_t status : {DSH_ERROR, DSH_NO_MEMORY, DSH_NONE}) {
    FakeHost host;
    host.on_dispose_status = status;
    EXPECT_EQ(host.apply(library, parallel_config), status == DSH_NONE ? DSH_ERROR : status);
    EXPECT_THAT(host.added, IsEmpty());
  }
}

TEST(Apply, survives_a_host_that_only_tries_the_config) {
  const Library library;
  FakeHost host;
  host.accept_without_effect = true;
  EXPECT_EQ(host.apply(library, single_config), DSH_OK);
  EXPECT_THAT(host.added, ElementsAre(DSH_TOOLS, DSH_PROJECTIONS, DSH_INVARIANTS));
  host.undo();
}

TEST(Apply, two_instances_with_different_configs_live_side_by_side) {
  const Library library;
  FakeHost parallel;
  FakeHost single;
  ASSERT_EQ(parallel.apply(library, parallel_config), DSH_OK);
  ASSERT_EQ(single.apply(library, single_config), DSH_OK);
  const std::string two =
      R"({"todos":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]})";
  FakeSession session;
  EXPECT_EQ(execute(parallel.tool->tool, two, &session.session).status, DSH_OK);
  EXPECT_EQ(execute(single.tool->tool, two, &session.session).error,
            "invalid todos: at most one task may be in_progress (got 2)");
  EXPECT_NE(parallel.tool->description, single.tool->description);
  single.undo();
  EXPECT_EQ(execute(parallel.tool->tool, two, &session.session).status, DSH_OK);
}

TEST(Apply, its_texts_are_the_same_bytes_every_time) {
  std::vector<std::string> seen;
  for (int round = 0; round < 3; ++round) {
    const Library library;
    FakeHost host;
    ASSERT_EQ(host.apply(library, parallel_config), DSH_OK);
    seen.push_back(host.tool->name + host.tool->description + host.tool->parameters + host.tool->output);
    EXPECT_EQ(seen.back(), seen.front());
  }
}

TEST(Apply, out_of_memory_is_a_status_wherever_it_strikes) {
  const Library library;
  int failures = 0;
  for (int passing = 0;; ++passing) {
    FakeHost host;
    host.added.reserve(8);
    host.dispose_functions.reserve(8);
    host.accept_without_effect = true;
    int32_t status = DSH_OK;
    bool met = false;
    {
      const FailingMemory memory(passing);
      status = library.apply()(&host.host, parallel_config.data(), parallel_config.size(), &host.error.error);
      met = memory.met();
    }
    if (!met) {
      EXPECT_EQ(status, DSH_OK);
      break;
    }
    EXPECT_EQ(status, DSH_NO_MEMORY) << passing;
    ++failures;
  }
  EXPECT_GT(failures, 1);
}

}  // namespace
}  // namespace dsh::todo::test
