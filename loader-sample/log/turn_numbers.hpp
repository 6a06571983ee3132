// How turns and steps are numbered, by what their events say.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dsh::loader {

/// The number that an event's data gives its turn or its step. Nothing where that can't be counted on from:
/// it isn't there, is no whole number, or is so large that those which follow it would be no safe integers.
std::optional<std::int64_t> counted_number(std::string_view data, std::string_view key);

/// The number of the last of some turns that follow each other. One that has no number is the one behind the
/// one before it.
class LastTurn {
 public:
  /// `data`: of the `turn/start`.
  void follow(std::string_view data);

  /// Did one of them have a number, so that those before them don't matter?
  bool is_numbered() const { return is_numbered_; }
  /// Without one: how many they were. 0 before the first.
  std::int64_t number() const { return number_; }

 private:
  std::int64_t number_ = 0;
  bool is_numbered_ = false;
};

}  // namespace dsh::loader
