// YAML 1.2 with the JSON schema, read as JavaScript values.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <string_view>

namespace dsh::loader {

/// What a YAML text may cost at most. A text beyond a bound is refused with an error that names it.
struct YamlBounds {
  std::size_t bytes = std::size_t{1} << 20U;      ///< of the text
  std::size_t depth = 200;                        ///< of lists and mappings within each other
  std::size_t expanded = std::size_t{64} << 20U;  ///< bytes in memory, every alias replaced by its value
};

/// The value of the one document in `text`; null when it holds none.
///
/// Mappings become objects: keys in order, `__proto__` and `<<` like any other, keys that are no texts
/// spelt as String() spells them. Every number is a double, `.inf` and `.nan` included. Only plain and
/// tagged scalars are anything but strings. Strings are WTF-8: an escape of a lone surrogate survives.
///
/// Throws Error "<file>:<line>:<column>: <what>" for whatever is not YAML, for a tag that is none of
/// the schema's, a duplicate key, a second document, and a bound exceeded. `file` is for messages only.
boost::json::value read_yaml(std::string_view text, std::string_view file, const YamlBounds &bounds = {});

}  // namespace dsh::loader
