#include "text/shell_word.hpp"

#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

TEST(ShellWord, leaves_alone_what_needs_no_quotes) {
  for (const char *word : {"plan", "/a/b-c_d.so", "a:b", "--session=x@y"}) EXPECT_EQ(shell_word(word), word);
}

TEST(ShellWord, quotes_what_a_shell_would_read_otherwise) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("~"), "'~'");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("$(x)"), "'$(x)'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace dsh::loader
