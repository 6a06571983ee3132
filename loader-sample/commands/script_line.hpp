// One line of a script: an object whose fields are kept as they were written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_slices.hpp"

namespace dsh::loader {

/// The fields of a JSON object; of duplicate keys the last counts. Views into the text, which outlives
/// it. The readers throw Error, naming the field, where it is missing or of another type.
class ScriptLine {
 public:
  /// Throws Error where `text` is no JSON object.
  explicit ScriptLine(std::string_view text);

  /// A field's JSON as it was written; none where it is missing.
  std::optional<std::string_view> find(std::string_view key) const;

  std::string_view json(std::string_view key) const;
  std::string text(std::string_view key) const;  ///< WTF-8
  std::optional<std::string> optional_text(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  std::optional<std::int64_t> optional_integer(std::string_view key) const;
  /// The elements of an array of objects; none where the field is missing.
  std::vector<ScriptLine> objects(std::string_view key) const;

 private:
  std::vector<JsonMember> members_;
};

}  // namespace dsh::loader
