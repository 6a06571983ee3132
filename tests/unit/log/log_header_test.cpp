#include "log/log_header.hpp"

#include <gtest/gtest.h>

#include "text/error.hpp"

namespace dsh::loader {
namespace {

std::string refusal(const std::string &line) {
  try {
    parse_header_line(line);
  } catch (const Error &error) {
    return error.text();
  }
  return "none";
}

TEST(LogHeader, comes_back_as_it_was_written) {
  SessionHeader header;
  header.id = "a\"\xED\xA0\x80";  // a lone surrogate
  header.created_at = 1'750'000'000'000;
  EXPECT_EQ(header_line(header),
            R"({"type":"session","version":0,"id":"a\"\ud800","createdAt":1750000000000,"delegationDepth":0})"
            "\n");
  header.cwd = "/home/u";
  header.parent_session = "p";
  header.seed_length = 3;
  header.origin = "fork";
  header.delegation_depth = 2;
  header.agent_preset = "x";
  const std::string line = header_line(header);
  EXPECT_EQ(
      line.substr(line.find("\"cwd\"")),
      R"("cwd":"/home/u","parentSession":"p","seedLength":3,"origin":"fork","delegationDepth":2,"agentPreset":"x"})"
      "\n");
  EXPECT_EQ(header_line(parse_header_line(line.substr(0, line.size() - 1))), line);
}

TEST(LogHeader, an_old_one_lacks_the_depth) {
  const SessionHeader header =
      parse_header_line(R"({ "createdAt":5, "id":"s", "more":[], "version":0, "type":"session" })");
  EXPECT_FALSE(header.delegation_depth.has_value());
  EXPECT_FALSE(header.cwd.has_value());
}

TEST(LogHeader, what_is_none_is_refused_in_the_reference_s_words) {
  const std::string none = "corrupt session log: first line is not a session header";
  EXPECT_EQ(refusal("x"), "corrupt session log: header line is not valid JSON");
  EXPECT_EQ(
      refusal("{\"a\":" + std::string(20000, '[') + std::string(20000, ']') + "}"),
      "line 1 is nested deeper than 10000 levels, which this program doesn't read: the log is left as it is");
  EXPECT_EQ(refusal(""), "corrupt session log: header line is not valid JSON");
  for (const char *line :
       {"[]", "{}", R"({"type":"session"})", R"({"type":"turn/start","version":0,"id":"s","createdAt":5})",
        R"({"type":"session","version":"0","id":"s","createdAt":5})",
        R"({"type":"session","version":0.5,"id":"s","createdAt":5})",
        R"({"type":"session","version":0,"id":5,"createdAt":5})",
        R"({"type":"session","version":0,"id":"s","createdAt":-1})",
        R"({"type":"session","version":0,"id":"s","createdAt":5,"cwd":null})",
        R"({"type":"session","version":0,"id":"s","createdAt":5,"seedLength":"1"})"})
    EXPECT_EQ(refusal(line), none) << line;
}

TEST(LogHeader, formats_to_come_are_told_whatever_else_the_header_holds) {
  for (const std::string version : {"5", "-1", "2147483648", "9007199254740993", "99999999999999999999"}) {
    const std::string known = "session log format " + version + " is unknown: this program reads 0 to 4";
    EXPECT_EQ(refusal(R"({"type":"session","version":)" + version + "}"), known);
  }
  EXPECT_EQ(refusal(R"({"type":"session","version":1e999})"),
            "corrupt session log: first line is not a session header");
}

}  // namespace
}  // namespace dsh::loader
