#include "composition/yaml_scalar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dsh::loader {
namespace {

TEST(YamlScalar, six_spellings_are_booleans) {
  for (const char *text : {"true", "True", "TRUE"}) EXPECT_EQ(yaml_bool(text), true) << text;
  for (const char *text : {"false", "False", "FALSE"}) EXPECT_EQ(yaml_bool(text), false) << text;
  for (const char *text : {"tRue", "yes", "no", "on", "off", "y", "n", "1", "0", "t", "", "true "})
    EXPECT_EQ(yaml_bool(text), std::nullopt) << text;
}

TEST(YamlScalar, four_spellings_are_null) {
  for (const char *text : {"~", "null", "Null", "NULL"}) EXPECT_TRUE(is_yaml_null(text)) << text;
  for (const char *text : {"nULL", "nil", "none", "~~", ""}) EXPECT_FALSE(is_yaml_null(text)) << text;
}

TEST(YamlScalar, whole_numbers_in_four_bases) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"0", 0},
      {"-0", 0},
      {"00", 0},
      {"7", 7},
      {"+7", 7},
      {"-12", -12},
      {"0123", 123},
      {"08", 8},
      {"0b1", 1},
      {"0b1011", 11},
      {"-0b11", -3},
      {"0o17", 15},
      {"0x1F", 31},
      {"0xff", 255},
      {"+0x10", 16},
      {"12345678901234567890", 12345678901234567000.0},
      {"9007199254740993", 9007199254740992.0},
      {"0x20000000000001", 9007199254740992.0},
      {"0x20000000000003", 9007199254740996.0},
      {"0o400000000000000001", 9007199254740992.0},
      {"0xFFFFFFFFFFFFFFFFFF", 4722366482869645213696.0}};
  for (const auto &[text, number] : cases) EXPECT_EQ(yaml_int(text), number) << text;
}

TEST(YamlScalar, what_only_looks_like_a_whole_number_is_none) {
  for (const std::string text : {"", "+", "-", "1_000", "0x", "0xG", "0o8", "0b2", "0X1", "0B1", "1.0", "1e3",
                                 "--1", "+-1", "1a", " 1", "0x-1", "1:30"})
    EXPECT_EQ(yaml_int(text), std::nullopt) << text;
  EXPECT_EQ(yaml_int(std::string(400, '9')), std::nullopt);
  EXPECT_EQ(yaml_int("0x" + std::string(300, 'f')), std::nullopt);
}

TEST(YamlScalar, fractions_and_exponents) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"1.5", 1.5},
      {"1.", 1},
      {".5", 0.5},
      {"-1.5", -1.5},
      {"+1.5", 1.5},
      {"1e3", 1000},
      {"1E+5", 100000},
      {"1.e2", 100},
      {"0.1e-7", 1e-8},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"5e-324", std::numeric_limits<double>::denorm_min()},
      {"1e-400", 0},
      {"0." + std::string(400, '0') + "1", 0},
      {"0e99999999999999999999", 0},
      {"1e-99999999999999999999", 0}};
  for (const auto &[text, number] : cases) EXPECT_EQ(yaml_float(text), number) << text;
  EXPECT_EQ(yaml_float(".inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(yaml_float("+.Inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(yaml_float("-.INF"), -std::numeric_limits<double>::infinity());
  for (const char *text : {".nan", ".NaN", ".NAN"}) EXPECT_TRUE(std::isnan(yaml_float(text).value())) << text;
}

TEST(YamlScalar, what_only_looks_like_a_fraction_is_none) {
  for (const std::string text : {"",
                                 ".",
                                 "-",
                                 "e3",
                                 ".e3",
                                 "1e",
                                 "1e+",
                                 "1_0.5",
                                 "1.5.2",
                                 "inf",
                                 "nan",
                                 "+.nan",
                                 "-.5",
                                 "+.5",
                                 ".iNF",
                                 "0x1.8",
                                 "1e400",
                                 "-1e400",
                                 "1e99999999999999999999",
                                 "2020-01-01",
                                 "1.5 "})
    EXPECT_EQ(yaml_float(text), std::nullopt) << text;
}

}  // namespace
}  // namespace dsh::loader
