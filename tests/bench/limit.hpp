// What the same work costs at the least with a good library: the limits that ours is compared with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dsh::bench {

/// Parses the arguments with Boost.JSON, counts the statuses and serialises the list as the data of an
/// event. No rule is checked, nothing is kept. Memory for the tree comes from a buffer that stays.
class ParseAndSerialise {
 public:
  ParseAndSerialise();
  ~ParseAndSerialise();
  ParseAndSerialise(const ParseAndSerialise &) = delete;
  ParseAndSerialise &operator=(const ParseAndSerialise &) = delete;

  /// Returns the size of the serialised text and the counts in one number, so that nothing is
  /// optimised away.
  std::size_t run(std::string_view arguments);

 private:
  struct State;
  State *state_;
};

/// Reads a file in pieces of 1 MiB and counts its line ends with memchr.
std::uint64_t count_lines(const char *path);

}  // namespace dsh::bench
