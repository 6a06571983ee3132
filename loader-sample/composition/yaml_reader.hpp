// YAML 1.2 with the JSON schema, read as JSON.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <string_view>

namespace dsh::loader {

/// What a YAML text may cost at most. A text beyond a bound is refused with an error that names it.
struct YamlBounds {
  std::size_t bytes = std::size_t{16} << 20U;  ///< of the text
  std::size_t depth = 200;                     ///< of lists and mappings within each other
  std::size_t values = 1'000'000;              ///< after every alias has been replaced by its value
};

/// The value of the one document in `text`; null when it holds none.
///
/// Read as JavaScript would: mappings become objects (keys in order, `__proto__` and `<<` like any
/// other; keys that are no texts spelt as String() spells them), numbers are whole where a double
/// holds them exactly and doubles elsewhere, `.inf`, `-.inf` and `.nan` become the texts ".inf",
/// "-.inf" and ".nan". Only plain or tagged scalars are anything but strings. Strings are WTF-8: an
/// escape of a lone surrogate survives.
///
/// Throws Error "<file>:<line>:<column>: <what>" for whatever is not YAML, for a tag that is none of
/// the schema's, a duplicate key, a second document, and a bound exceeded. `file` is for messages only.
boost::json::value read_yaml(std::string_view text, std::string_view file, const YamlBounds &bounds = {});

}  // namespace dsh::loader
