#include "commands/script_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace dsh::loader {
namespace {

TEST(ScriptLine, keeps_a_fields_json_as_it_was_written) {
  const ScriptLine line(R"( {"data" : { "a":1.50 , "a":-0 } ,"x":1e999} )");
  EXPECT_EQ(line.json("data"), R"({ "a":1.50 , "a":-0 })");
  EXPECT_EQ(line.json("x"), "1e999");
  EXPECT_EQ(line.find("absent"), std::nullopt);
}

TEST(ScriptLine, decodes_texts_with_their_lone_surrogates) {
  const ScriptLine line(R"({"a":"\ud800x\u0000\n\ud83d\ude00","b":"plain é"})");
  EXPECT_EQ(line.text("a"), std::string("\xED\xA0\x80x\0\n\xF0\x9F\x98\x80", 10));
  EXPECT_EQ(line.text("b"), "plain é");
}

TEST(ScriptLine, takes_the_last_of_duplicate_fields_under_every_spelling) {
  EXPECT_EQ(ScriptLine(R"({"op":"a","\u006fp":"b"})").text("op"), "b");
  EXPECT_EQ(ScriptLine(R"({"\u006fp":"b","op":"a"})").text("op"), "a");
}

TEST(ScriptLine, names_the_field_that_is_missing_or_of_another_type) {
  const ScriptLine line(R"({"n":1,"t":"1","a":[{"x":1},2],"f":1.5})");
  EXPECT_EQ(error_of([&] { line.json("x"); }), "\"x\" is missing");
  EXPECT_EQ(error_of([&] { line.text("n"); }), "\"n\" must be a string");
  EXPECT_EQ(error_of([&] { line.optional_text("n"); }), "\"n\" must be a string");
  EXPECT_EQ(error_of([&] { line.integer("t"); }), "\"t\" must be an integer");
  EXPECT_EQ(error_of([&] { line.integer("f"); }), "\"f\" must be an integer");
  EXPECT_EQ(error_of([&] { line.objects("t"); }), "\"t\" must be an array");
  EXPECT_EQ(error_of([&] { line.objects("a"); }), "\"a\" must be an array of objects");
}

TEST(ScriptLine, reads_integers_and_objects) {
  const ScriptLine line(R"({"n":-3,"a":[ {"x":1} , {"x":2} ]})");
  EXPECT_EQ(line.integer("n"), -3);
  EXPECT_EQ(ScriptLine(R"({"n":5.0})").integer("n"), 5) << "as JavaScript reads numbers";
  const ScriptLine unsafe(R"({"n":9223372036854775807})");
  EXPECT_EQ(error_of([&] { unsafe.integer("n"); }), "\"n\" must be an integer")
      << "none that can be added to";
  EXPECT_EQ(line.optional_integer("m"), std::nullopt);
  ASSERT_EQ(line.objects("a").size(), 2U);
  EXPECT_EQ(line.objects("a")[1].integer("x"), 2);
  EXPECT_TRUE(line.objects("b").empty());
}

TEST(ScriptLine, refuses_what_is_no_object) {
  EXPECT_EQ(error_of([] { ScriptLine("{"); }), "not JSON: expected a key in double quotes at byte 1");
  EXPECT_THAT(error_of([] { ScriptLine("[]"); }), ::testing::StartsWith("not a JSON object"));
  EXPECT_THAT(error_of([] { ScriptLine("\"{}\""); }), ::testing::StartsWith("not a JSON object"));
}

}  // namespace
}  // namespace dsh::loader
