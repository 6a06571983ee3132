#include "commands/script_expect.hpp"

#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

TEST(ScriptExpect, objects_are_subsets) {
  EXPECT_EQ(mismatch(R"({"a":{"b":1}})", R"({"a":{"b":1,"c":2},"d":3})"), std::nullopt);
  EXPECT_EQ(mismatch("{}", R"({"a":1})"), std::nullopt);
  EXPECT_EQ(mismatch(R"({"a":{"b":1}})", R"({"a":{"b":2}})"), "expected 1 got 2 at a.b");
  EXPECT_EQ(mismatch(R"({"a":null})", "{}"), "expected null got nothing at a");
}

TEST(ScriptExpect, arrays_are_whole_and_in_order) {
  EXPECT_EQ(mismatch(R"({"a":[1,{"b":2}]})", R"({"a":[1,{"b":2,"c":3}]})"), std::nullopt);
  EXPECT_EQ(mismatch(R"({"a":[1]})", R"({"a":[1,2]})"), "expected [1] got [1,2] at a");
  EXPECT_EQ(mismatch(R"({"a":[1,2]})", R"({"a":[2,1]})"), "expected 1 got 2 at a[0]");
  EXPECT_EQ(mismatch(R"({"a":[]})", R"({"a":{}})"), "expected [] got {} at a");
}

TEST(ScriptExpect, numbers_compare_by_value) {
  EXPECT_EQ(mismatch(R"({"a":1.0})", R"({"a":1})"), std::nullopt);
  EXPECT_EQ(mismatch(R"({"a":1e2})", R"({"a":100})"), std::nullopt);
  EXPECT_EQ(mismatch(R"({"a":9007199254740993})", R"({"a":9007199254740992})"),
            "expected 9007199254740993 got 9007199254740992 at a");
  EXPECT_EQ(mismatch(R"({"a":18446744073709551615})", R"({"a":-1})"),
            "expected 18446744073709551615 got -1 at a");
}

TEST(ScriptExpect, types_count) {
  EXPECT_EQ(mismatch(R"({"a":"1"})", R"({"a":1})"), R"(expected "1" got 1 at a)");
  EXPECT_EQ(mismatch(R"({"a":false})", R"({"a":null})"), "expected false got null at a");
  EXPECT_EQ(mismatch(R"({"a":0})", R"({"a":false})"), "expected 0 got false at a");
}

TEST(ScriptExpect, strings_compare_with_their_lone_surrogates) {
  EXPECT_EQ(mismatch(R"({"a":"\ud800"})", R"({"a":"\uD800"})"), std::nullopt);
  EXPECT_EQ(mismatch(R"({"a":"\ud800"})", R"({"a":"\ud801"})"), R"(expected "\ud800" got "\ud801" at a)");
}

TEST(ScriptExpect, an_expectation_that_is_no_object_is_compared_whole) {
  EXPECT_EQ(mismatch("5", R"({"ok":true})"), R"(expected 5 got {"ok":true})");
}

}  // namespace
}  // namespace dsh::loader
