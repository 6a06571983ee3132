#include "services/checkpoint.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace dsh::loader {
namespace {

TEST(Checkpoint, reads_what_it_writes) {
  const std::string json = R"({"a":{"ver":1,"seq":-1,"val":{"x":[1,"\ud800"]}},"b\n":{"ver":2,"seq":7}})";
  EXPECT_EQ(checkpoint_json(parse_checkpoint(json)), json);
}

TEST(Checkpoint, counts_rows_that_are_none_as_missing) {
  EXPECT_EQ(parse_checkpoint(R"({"a":1,"b":null,"c":{},"d":{"ver":"2","seq":1},"e":{"ver":2},)"
                             R"("f":{"ver":2,"seq":0.5},"g":{"ver":-1,"seq":1},"h":{"ver":5e9,"seq":1},)"
                             R"("i":{"ver":2,"seq":9223372036854775807},"j":{"ver":2,"seq":-2}})")
                .size(),
            0U);
  const Checkpoint spelt = parse_checkpoint(R"({"a":{"ver":2.0,"seq":4e0,"val":1}})");
  ASSERT_EQ(spelt.size(), 1U);
  EXPECT_EQ(spelt[0].seq, 4);
  EXPECT_NE(error_of([] { parse_checkpoint("[]"); }), "");
  EXPECT_NE(error_of([] { parse_checkpoint("{"); }), "");
}

}  // namespace
}  // namespace dsh::loader
