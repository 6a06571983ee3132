#include "log/session_owner.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "unit/log/stored_session.hpp"

namespace dsh::loader {
namespace {

using SessionOwnerTest = StoredSessionTest;

TEST_F(SessionOwnerTest, another_directory_is_told_from_the_session_s_own) {
  root_.write("--a-b--/s/session.jsonl",
              R"({"type":"session","version":0,"id":"s","createdAt":5,"cwd":"/a/b","delegationDepth":0})"
              "\n");
  const LogFile log = storage_.find("s");
  EXPECT_NO_THROW(require_cwd(log, "s", "/a/b", system_file_ops()));
  EXPECT_EQ(error_of([&] { require_cwd(log, "s", "/a:b", system_file_ops()); }),
            R"(session "s" belongs to "/a/b", not to "/a:b")");
}

/// The log's first line, of session `s` in a directory.
std::string header_of(const std::string &cwd) {
  return R"({"type":"session","version":0,"id":"s","createdAt":5,"cwd":")" + cwd +
         R"(","delegationDepth":0})"
         "\n";
}

TEST_F(SessionOwnerTest, an_id_is_free_where_no_project_has_it) {
  const auto refusal = [this](const std::optional<std::string> &cwd) {
    return error_of([&] { require_new(system_file_ops(), root_.path(), "s", cwd); });
  };
  EXPECT_EQ(refusal("/a"), "");
  root_.write("--a--/other/session.jsonl", header_of("/a"));
  EXPECT_EQ(refusal("/a"), "");
  root_.write("--a--/s/session.jsonl", header_of("/a"));
  EXPECT_EQ(refusal("/a"), R"(session "s" already exists)");
  EXPECT_EQ(refusal("/b"), R"(session "s" belongs to "/a", not to "/b")");
  EXPECT_EQ(refusal(std::nullopt), R"(session "s" belongs to "/a", not to no cwd)");
}

TEST_F(SessionOwnerTest, the_id_of_a_damaged_log_is_taken) {
  root_.write("--a--/s/session.jsonl", "damage");
  EXPECT_EQ(error_of([&] { require_new(system_file_ops(), root_.path(), "s", "/b"); }),
            R"(session "s" already exists)");
}

}  // namespace
}  // namespace dsh::loader
