// What a JSON string spells, piece by piece: for texts that may be too long to be copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dsh::loader {

/// The text of a string of a checked JSON text, in WTF-8: of what stands between its quotes, each run without
/// an escape as it is, and each escape as the character it stands for. Where the text is cut into runs says
/// nothing: equal strings may be spelt in several ways. One thread at a time.
class JsonRuns {
 public:
  explicit JsonRuns(std::string_view raw) noexcept : rest_(raw) {}

  /// The next run, which is not empty; it points into the text, or into this object until the next call.
  /// False at the end.
  bool next(std::string_view &run);

 private:
  void take_escape();

  std::string_view rest_;
  std::string character_;
};

/// Do two strings spell the same text?
bool spell_the_same(std::string_view raw, std::string_view other_raw);

/// A hash of the text that a string spells, however it spells it. With another `seed` other texts collide, of
/// which nobody who doesn't know it can write many.
std::uint64_t hash_of_json_string(std::string_view raw, std::uint64_t seed);

/// Puts the text that a string spells into `out`.
void unescape_json(std::string &out, std::string_view raw);

/// The text that a string spells; of a longer one than `bytes` its start, in which no character is cut, and
/// an ellipsis.
std::string excerpt_of_json_string(std::string_view raw, std::size_t bytes);

}  // namespace dsh::loader
