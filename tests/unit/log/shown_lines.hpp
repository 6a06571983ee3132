// The lines of a text with their places, as a reader tells them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "log/line_reader.hpp"
#include "unit/log/text_source.hpp"

namespace dsh::loader {

/// "3 text$", without the $ where the line lacks its end.
inline std::string shown(const Line &line) {
  return std::to_string(line.offset) + " " + std::string(line.text) + (line.complete ? "$" : "");
}

inline std::vector<std::string> forwards(const std::string &text, std::size_t chunk) {
  TextSource source(text);
  LineReader lines(source, chunk);
  std::vector<std::string> all;
  Line line;
  while (lines.next(line)) {
    all.push_back(shown(line));
    EXPECT_EQ(line.number, all.size());
  }
  return all;
}

}  // namespace dsh::loader
