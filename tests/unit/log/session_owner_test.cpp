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

}  // namespace
}  // namespace dsh::loader
