#include "text/fnv1a.hpp"

#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

TEST(Fnv1a, gives_the_values_that_its_authors_publish) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8U);
}

TEST(Fnv1a, takes_bytes_above_127_as_such_and_gives_others_with_salt) {
  EXPECT_EQ(fnv1a("\xFF"), (0xcbf29ce484222325U ^ 0xFFU) * 0x100000001b3U);
  EXPECT_NE(fnv1a("a", 1), fnv1a("a"));
}

}  // namespace
}  // namespace dsh::loader
