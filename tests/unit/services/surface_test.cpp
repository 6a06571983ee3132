#include "services/surface.hpp"

#include <gtest/gtest.h>

#include "fixture.hpp"

namespace dsh::loader {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view type, std::string_view sources, std::string_view op, bool seed = false) {
  return error_of([&] { check_surface(type, 3, sources, op, seed); });
}

TEST(Surface, three_types_need_their_operation) {
  for (const char *type : {"user/message", "assistant/message", "tool/result"}) {
    EXPECT_TRUE(is_surface_type(type));
    EXPECT_EQ(refusal(type, "", "\"append\""), "");
    EXPECT_EQ(refusal(type, "", "{\"replace\":1}"), "");
    for (const char *none : {"", "null", "append", "{"})
      EXPECT_THAT(refusal(type, "", none), HasSubstr("is a surface event and needs a surfaceOp")) << none;
    EXPECT_EQ(refusal(type, "", "", true), "") << "older logs lack it";
  }
}

TEST(Surface, no_other_type_may_have_any) {
  for (const char *type : {"todo/write", "turn/start", "acme/note", "", "user/message "}) {
    EXPECT_FALSE(is_surface_type(type));
    EXPECT_EQ(refusal(type, "", ""), "");
    EXPECT_THAT(refusal(type, "", "\"append\""), HasSubstr("may not carry a surfaceOp"));
    EXPECT_THAT(refusal(type, "[]", ""), HasSubstr("may not carry sourceEventSeqs"));
    EXPECT_THAT(refusal(type, "", "\"append\"", true), HasSubstr("may not carry a surfaceOp"));
  }
}

TEST(Surface, sources_are_earlier_events_each_once) {
  const auto of = [](std::string_view sources) { return refusal("tool/result", sources, "\"append\""); };
  EXPECT_EQ(of("[0,1]"), "");
  EXPECT_EQ(of("[2, 0]"), "");
  EXPECT_EQ(of("[2.0, 1e0]"), "") << "as JavaScript reads numbers";
  EXPECT_THAT(of("[1.0, 1]"), HasSubstr("names event 1 twice"));
  EXPECT_THAT(of("[9223372036854775807]"), HasSubstr("no earlier event: 9223372036854775807"));
  EXPECT_THAT(of("[3]"), HasSubstr("no earlier event: 3"));
  EXPECT_THAT(of("[-1]"), HasSubstr("no earlier event: -1"));
  EXPECT_THAT(of("[0.5]"), HasSubstr("no earlier event: 0.5"));
  EXPECT_THAT(of("[\"0\"]"), HasSubstr("no earlier event: \"0\""));
  EXPECT_THAT(of("[1,0,1]"), HasSubstr("names event 1 twice"));
  EXPECT_THAT(of("{}"), HasSubstr("no array"));
  EXPECT_THAT(of("[0"), HasSubstr("no array"));
  EXPECT_THAT(of("[]"), HasSubstr("only assistant/message may"));
  EXPECT_EQ(refusal("assistant/message", "[]", "\"append\""), "");
}

}  // namespace
}  // namespace dsh::loader
