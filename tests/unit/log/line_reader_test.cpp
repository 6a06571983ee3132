#include "log/line_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/log/shown_lines.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;

TEST(LineReader, tells_lines_with_their_place) {
  EXPECT_THAT(forwards("", 4), ElementsAre());
  EXPECT_THAT(forwards("\n", 4), ElementsAre("0 $"));
  EXPECT_THAT(forwards("a\n\nlonger than a chunk\r\nrest", 4),
              ElementsAre("0 a$", "2 $", "3 longer than a chunk\r$", "24 rest"));
}

}  // namespace
}  // namespace dsh::loader
