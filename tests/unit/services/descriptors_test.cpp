#include "services/descriptors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "fixture.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::int32_t nothing(void *, const dsh_call *, const dsh_out *, const dsh_out *, const dsh_error *) {
  return DSH_OK;
}
std::int32_t pass(void *, const void *, const dsh_event *, const dsh_error *) { return DSH_OK; }
std::int32_t same(void *, const dsh_str *, const dsh_event *, const dsh_out *, const dsh_error *) {
  return DSH_NONE;
}

template <typename Descriptor, typename Given>
std::string refusal(const Given *given) {
  return error_of([&] { Descriptor descriptor(given); });
}

TEST(Descriptors, copy_the_strings_of_who_registers) {
  std::string name = "tool";
  std::string schema = R"({ "type" : "object" })";
  dsh_tool given = tool(nothing);
  given.name = to_abi(name);
  given.parameters = to_abi(schema);
  const ToolDescriptor descriptor(&given);
  name = "gone";
  schema.clear();
  given = {};
  EXPECT_EQ(descriptor.name(), "tool");
  EXPECT_EQ(descriptor.parameters(), R"({"type":"object"})") << "on one line";
  EXPECT_EQ(from_abi(descriptor.abi().name), "tool");
}

TEST(Descriptors, read_nothing_beyond_a_short_struct) {
  // The struct of an older plugin, at the very end of its memory: nothing behind it may be read.
  const std::size_t size = offsetof(dsh_tool, execute) + sizeof(dsh_tool::execute);
  const auto memory = std::make_unique<std::byte[]>(size);
  dsh_tool whole = tool(nothing);
  whole.struct_size = static_cast<std::uint32_t>(size);
  std::memcpy(memory.get(), &whole, size);
  const ToolDescriptor descriptor(reinterpret_cast<const dsh_tool *>(memory.get()));
  EXPECT_EQ(descriptor.abi().present, nullptr);
  EXPECT_EQ(descriptor.abi().struct_size, sizeof(dsh_tool));
}

// The descriptor as one finds it that says it ends after `size` bytes.
template <class Descriptor, class Given>
auto cut(Given given, std::size_t size) {
  given.struct_size = static_cast<std::uint32_t>(size);
  return Descriptor(&given).abi();
}

TEST(Descriptors, take_half_a_member_for_none) {
  dsh_tool given = tool(nothing);
  given.render = [](void *, const dsh_str *, const dsh_str *, const dsh_out *, const dsh_error *) {
    return std::int32_t{DSH_OK};
  };
  given.present = [](void *, const dsh_str *, const dsh_out *, const dsh_error *) {
    return std::int32_t{DSH_NONE};
  };
  EXPECT_NE(cut<ToolDescriptor>(given, sizeof given).present, nullptr);
  dsh_invariant given_rule = rule(pass);
  given_rule.committed = [](void *, void *, const dsh_event *) {};
  dsh_unit given_unit = unit(same);
  given_unit.view = given_unit.restore = [](void *, const dsh_str *, const dsh_out *, const dsh_error *) {
    return std::int32_t{DSH_OK};
  };
  dsh_observer given_observer = observer();
  given_observer.disposed = [](void *, const dsh_session *) {};
  for (std::size_t missing = 1; missing <= sizeof(void *); ++missing) {
    EXPECT_EQ(cut<ToolDescriptor>(given, sizeof given - missing).present, nullptr);
    EXPECT_EQ(cut<ToolDescriptor>(given, sizeof given - missing).render, given.render);
    EXPECT_EQ(cut<ToolDescriptor>(given, offsetof(dsh_tool, present) - missing).render, nullptr);
    EXPECT_EQ(cut<InvariantDescriptor>(given_rule, sizeof given_rule - missing).committed, nullptr);
    EXPECT_EQ(cut<UnitDescriptor>(given_unit, sizeof given_unit - missing).restore, nullptr);
    EXPECT_EQ(cut<UnitDescriptor>(given_unit, sizeof given_unit - missing).view, given_unit.view);
    EXPECT_EQ(cut<ObserverDescriptor>(given_observer, sizeof given_observer - missing).disposed, nullptr);
  }
}

TEST(Descriptors, ignore_the_tail_of_a_longer_struct) {
  struct Newer {
    dsh_tool known;
    void *unknown[4];
  } newer{tool(nothing), {}};
  newer.known.struct_size = sizeof newer;
  EXPECT_EQ(ToolDescriptor(&newer.known).name(), "tool");
}

TEST(Descriptors, refuse_null_and_short_ones_saying_the_numbers) {
  EXPECT_THAT(refusal<ToolDescriptor>(static_cast<const dsh_tool *>(nullptr)), HasSubstr("null"));
  dsh_tool shorter = tool(nothing);
  shorter.struct_size = 4;
  EXPECT_THAT(refusal<ToolDescriptor>(&shorter), HasSubstr("struct_size is 4"));
  dsh_invariant short_rule = rule(pass);
  short_rule.struct_size = 8;
  EXPECT_THAT(refusal<InvariantDescriptor>(&short_rule), HasSubstr("struct_size is 8"));
  dsh_unit short_unit = unit(same);
  short_unit.struct_size = 0;
  EXPECT_THAT(refusal<UnitDescriptor>(&short_unit), HasSubstr("struct_size is 0"));
  dsh_observer short_observer = observer();
  short_observer.struct_size = 16;
  EXPECT_THAT(refusal<ObserverDescriptor>(&short_observer), HasSubstr("struct_size is 16"));
}

TEST(Descriptors, refuse_what_a_topology_of_nulls_can_hold) {
  dsh_tool given = tool(nullptr);
  EXPECT_THAT(refusal<ToolDescriptor>(&given), HasSubstr("execute is null"));
  given = tool(nothing);
  given.description = {nullptr, 7};
  EXPECT_THAT(refusal<ToolDescriptor>(&given), HasSubstr("description is null, but has a size"));
  dsh_invariant given_rule = rule(nullptr);
  EXPECT_THAT(refusal<InvariantDescriptor>(&given_rule), HasSubstr("check is null"));
  given_rule = rule(pass);
  given_rule.type_count = 1;
  EXPECT_THAT(refusal<InvariantDescriptor>(&given_rule), HasSubstr("event types is null"));
  dsh_unit given_unit = unit(nullptr);
  EXPECT_THAT(refusal<UnitDescriptor>(&given_unit), HasSubstr("apply is null"));
}

TEST(Descriptors, refuse_names_and_schemas_that_are_none) {
  dsh_tool given = tool(nothing, "");
  EXPECT_THAT(refusal<ToolDescriptor>(&given), HasSubstr("name is empty"));
  given = tool(nothing, "\xFF");
  EXPECT_THAT(refusal<ToolDescriptor>(&given), HasSubstr("name is not UTF-8"));
  for (const char *schema : {"", "nul", "[]", "{}", R"({"type":"array"})", R"({"type":["object"]})"}) {
    given = tool(nothing);
    given.parameters = to_abi(schema);
    EXPECT_THAT(refusal<ToolDescriptor>(&given), HasSubstr("schema of the parameters")) << schema;
  }
  given = tool(nothing);
  given.output = to_abi("{");
  EXPECT_THAT(refusal<ToolDescriptor>(&given), HasSubstr("schema of the output is not JSON"));
  dsh_unit given_unit = unit(same);
  given_unit.init = to_abi("nul");
  EXPECT_THAT(refusal<UnitDescriptor>(&given_unit), HasSubstr("first state is not JSON"));
  given_unit.init = {};
  EXPECT_EQ(UnitDescriptor(&given_unit).init(), "");
}

TEST(Descriptors, bound_the_trace_and_name_the_bound) {
  dsh_invariant given = rule(pass);
  given.trace_size = 4096;
  EXPECT_EQ(InvariantDescriptor(&given).abi().trace_size, 4096U);
  given.trace_size = 4097;
  EXPECT_THAT(refusal<InvariantDescriptor>(&given), HasSubstr("trace_size is 4097, at most 4096"));
}

TEST(Descriptors, filter_types_by_exact_spelling) {
  dsh_observer given = observer();
  EXPECT_TRUE(ObserverDescriptor(&given).takes("anything"));
  const dsh_str types[] = {DSH_STR("a"), DSH_STR("b/c")};
  given.types = types;
  given.type_count = 2;
  const ObserverDescriptor descriptor(&given);
  EXPECT_TRUE(descriptor.takes("b/c"));
  EXPECT_FALSE(descriptor.takes("B/c"));
  EXPECT_FALSE(descriptor.takes(""));
}

}  // namespace
}  // namespace dsh::loader
