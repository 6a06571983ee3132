#include "composition/composition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "composition/yaml_reader.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "unit/plugins/scratch.hpp"

namespace dsh::loader {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Entry> entries(std::string_view text) { return parse_composition(text, "/x/todo.yaml").entries; }

std::string refusal(std::string_view text) {
  try {
    return "read " + std::to_string(entries(text).size()) + " entries";
  } catch (const Error &error) {
    return error.what();
  }
}

std::vector<std::string> ids(std::string_view text) {
  std::vector<std::string> result;
  for (const auto &entry : entries(text)) result.push_back(entry.id);
  return result;
}

/// The names of the entries that would be loaded.
std::vector<std::string> loaded(std::string_view text) {
  std::vector<std::string> result;
  for (const auto &entry : entries(text))
    if (!entry.disabled) result.push_back(entry.name);
  return result;
}

TEST(Composition, an_entry_with_everything) {
  const auto list = entries(
      "- id: todo\n  name: '@a/b'\n  inject: [tools, 'x/2']\n  label: ignored\n"
      "  config:\n    flag: true\n    list: [1.0, .inf, -.inf, .nan, '.inf', \"\\ud800\"]\n");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].id, "todo");
  EXPECT_EQ(list[0].name, "@a/b");
  EXPECT_EQ(list[0].config_json, R"({"flag":true,"list":[1,".inf","-.inf",".nan",".inf","\ud800"]})");
  EXPECT_THAT(list[0].inject, ElementsAre("tools", "x/2"));
  EXPECT_FALSE(list[0].disabled);
  EXPECT_FALSE(list[0].host_provided);
}

TEST(Composition, an_entry_with_a_name_alone) {
  const auto list = entries("- name: x\n- {name: y, config: ~, inject: ~, id: ~, disabled: ~, group: ~}\n");
  ASSERT_EQ(list.size(), 2U);
  for (const auto &entry : list) {
    EXPECT_EQ(entry.config_json, "null");
    EXPECT_THAT(entry.inject, IsEmpty());
    EXPECT_FALSE(entry.disabled);
  }
}

TEST(Composition, is_a_list) {
  for (const std::string_view text : {"", "# nothing\n", "name: x\n", "hello\n", "~", "1"})
    EXPECT_EQ(refusal(text), "/x/todo.yaml: config file must be a top-level array") << text;
  EXPECT_EQ(refusal("[]"), "read 0 entries");
}

TEST(Composition, what_is_no_entry_is_named_by_its_position) {
  EXPECT_THAT(refusal("- name: x\n- ~\n"),
              AllOf(HasSubstr("/x/todo.yaml, entry 2: "), HasSubstr("found nothing")));
  EXPECT_THAT(refusal("- text\n"), AllOf(HasSubstr("entry 1: "), HasSubstr("a plain value")));
  EXPECT_THAT(refusal("- []\n"), AllOf(HasSubstr("entry 1: "), HasSubstr("a list")));
  EXPECT_THAT(refusal("- name: x\n- name: cordis:group\n  config: [{name: y}, z]\n"),
              HasSubstr("entry 2.2: "));
  EXPECT_THAT(refusal("- {}\n"), HasSubstr("entry 1: the name is missing"));
  EXPECT_THAT(refusal("- name: ~\n"), HasSubstr("entry 1: the name is missing"));
  EXPECT_THAT(refusal("- name: ''\n"), HasSubstr("entry 1: the name is empty"));
  EXPECT_THAT(refusal("- name: 5\n"), HasSubstr("entry 1: the name must be a text"));
  EXPECT_THAT(refusal("- name: x\n  inject: tools\n"), HasSubstr("entry 1: inject must be a list"));
  EXPECT_THAT(refusal("- name: x\n  inject: [1]\n"), HasSubstr("entry 1: inject must be a list"));
  EXPECT_THAT(refusal("- name: x\n  inject: ['']\n"), HasSubstr("entry 1: inject must be a list"));
  EXPECT_THAT(refusal("- name: x\n  id: [1]\n"), HasSubstr("entry 1: the id must be a text"));
}

TEST(Composition, disabled_goes_by_truthiness) {
  for (const std::string_view value : {"true", "1", "'false'", "yes", "no", "[]", "{}", ".inf", "-1"})
    EXPECT_THAT(loaded("- name: x\n  disabled: " + std::string(value)), IsEmpty()) << value;
  for (const std::string_view value : {"false", "0", "-0", "''", "~", "", ".nan", "0.0"})
    EXPECT_THAT(loaded("- name: x\n  disabled: " + std::string(value)), ElementsAre("x")) << value;
}

TEST(Composition, nobody_looks_at_the_rest_of_a_disabled_entry) {
  EXPECT_THAT(loaded("- name: cordis:nothing\n  disabled: true\n- disabled: true\n- name: x\n"),
              ElementsAre("x"));
}

TEST(Composition, group_beats_disabled) {
  EXPECT_THAT(loaded("- {name: x, disabled: true, group: true}\n"), ElementsAre("x"));
  EXPECT_THAT(loaded("- {name: x, disabled: true, group: 0}\n"), IsEmpty());
}

TEST(Composition, a_group_holds_entries) {
  const auto list = entries(
      "- name: a\n- name: cordis:group\n  group: true\n  config:\n    - name: b\n"
      "    - name: cordis:group\n      config: [{name: c}]\n- name: d\n");
  std::vector<std::string> seen;
  for (const auto &entry : list) seen.push_back(entry.name + " " + entry.id);
  EXPECT_THAT(seen, ElementsAre("a entry-1", "b entry-2-1", "c entry-2-2-1", "d entry-3"));
  EXPECT_EQ(
      refusal(
          "- name: cordis:group\n- {name: cordis:group, config: ~}\n- {name: cordis:group, config: []}\n"),
      "read 0 entries");
  EXPECT_THAT(refusal("- name: cordis:group\n  config: {name: x}\n"), HasSubstr("must be a list of entries"));
  EXPECT_THAT(refusal("- name: cordis:group\n  config: [{name: x}, 5]\n"),
              HasSubstr("/x/todo.yaml, entry 1.2: "));
}

TEST(Composition, a_disabled_group_holds_nothing) {
  EXPECT_THAT(loaded("- name: cordis:group\n  disabled: true\n  config: [{name: x}]\n- name: y\n"),
              ElementsAre("y"));
  // The group itself is loaded; what it holds inherits `disabled` unless it says `group` too.
  EXPECT_THAT(loaded("- {name: cordis:group, group: true, disabled: true, config: [{name: x}, {name: z, "
                     "group: true}]}\n"),
              ElementsAre("z"));
}

TEST(Composition, other_builtins_are_unknown) {
  EXPECT_THAT(refusal("- name: cordis:nothing\n"),
              AllOf(HasSubstr("entry 1: "), HasSubstr("cordis:nothing")));
}

TEST(Composition, ids_are_unique) {
  EXPECT_EQ(refusal("- {name: x, id: plan}\n- {name: y, id: plan}\n"), "duplicate loader entry id: plan");
  EXPECT_EQ(refusal("- {name: x, id: 7}\n- {name: y, id: '7'}\n"), "duplicate loader entry id: 7");
  EXPECT_EQ(refusal("- {name: x, id: a}\n- name: cordis:group\n  config: [{name: y, id: a}]\n"),
            "duplicate loader entry id: a");
  EXPECT_EQ(refusal("- {name: x, id: a}\n- {name: y, id: a, disabled: true}\n"),
            "duplicate loader entry id: a");
}

TEST(Composition, an_id_that_is_not_given_is_made_from_the_position) {
  EXPECT_THAT(ids("- name: x\n- {name: y, id: ''}\n- {name: z, id: 0}\n- {name: u, id: 1.50}\n- {name: v, "
                  "id: 'a:b'}\n"),
              ElementsAre("entry-1", "entry-2", "entry-3", "1.5", "a:b"));
  // Given ids come first, wherever they stand.
  EXPECT_THAT(ids("- name: x\n- {name: y, id: entry-1}\n"), ElementsAre("entry-1'", "entry-1"));
}

TEST(Composition, knows_what_the_host_brings_along) {
  for (const std::string name :
       {"agent", "system-prompt", "tools", "session", "session-projection", "invariants"})
    EXPECT_TRUE(entries("- name: '@deepseek-ai/dsh-" + name + "'\n")[0].host_provided) << name;
  EXPECT_FALSE(entries("- name: '@deepseek-ai/dsh-tool-todo'\n")[0].host_provided);
}

TEST(CompositionFile, is_read_from_disk) {
  const Scratch scratch;
  const auto path = scratch.write("c.yaml", "- name: ./mine\n");
  const auto composition = load_composition(path);
  EXPECT_EQ(composition.file, path);
  ASSERT_EQ(composition.entries.size(), 1U);
  EXPECT_EQ(composition.entries[0].name, "./mine");
}

TEST(CompositionFile, those_that_are_installed_are_sound) {
  for (const auto &[name, config] : {std::pair("todo.yaml", R"({"allowParallelInProgress":true})"),
                                     std::pair("todo-single.yaml", R"({"allowParallelInProgress":false})")}) {
    const auto composition = load_composition(std::filesystem::path(TEST_CONFIG) / name);
    ASSERT_FALSE(composition.entries.empty()) << name;
    for (const auto &entry : composition.entries)
      EXPECT_EQ(entry.host_provided, entry.name != "@deepseek-ai/dsh-tool-todo") << entry.id;
    EXPECT_EQ(composition.entries.back().config_json, config) << name;
  }
}

TEST(CompositionFile, the_schema_knows_what_the_installed_ones_use) {
  const auto read = [](const char *name) {
    std::ifstream stream(std::filesystem::path(TEST_CONFIG) / name);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const auto schema = parse_json(read("composition.schema.json"));
  const auto &entry = schema.at_pointer("/definitions/entry/properties").as_object();
  EXPECT_EQ(entry.size(), 6U);
  for (const char *name : {"todo.yaml", "todo-single.yaml"}) {
    const auto text = read(name);
    EXPECT_TRUE(text.starts_with("# yaml-language-server: $schema=composition.schema.json\n")) << name;
    const auto composition = read_yaml(text, name);
    for (const auto &item : composition.as_array())
      for (const auto &field : item.as_object()) EXPECT_TRUE(entry.contains(field.key())) << field.key();
  }
}

std::string load_refusal(const std::filesystem::path &path) {
  try {
    load_composition(path);
  } catch (const Error &error) {
    return error.what();
  }
  return "loaded";
}

TEST(CompositionFile, errors_name_the_file) {
  const Scratch scratch;
  EXPECT_THAT(load_refusal(scratch.path() / "none.yaml"),
              AllOf(HasSubstr("none.yaml"), HasSubstr("No such file")));
  EXPECT_THAT(load_refusal(scratch.path()), HasSubstr("it is a directory"));
  const auto bad = scratch.write("bad.yaml", "- name: x\n- [\n");
  EXPECT_THAT(load_refusal(bad), HasSubstr(bad.string() + ":3:1: "));
  EXPECT_THAT(load_refusal(scratch.write("large.yaml", std::string(3 << 20, '#'))),
              HasSubstr("more than 1048576 bytes"));
  const auto empty = scratch.write("empty.yaml", "");
  EXPECT_EQ(load_refusal(empty), empty.string() + ": config file must be a top-level array");
}

}  // namespace
}  // namespace dsh::loader
