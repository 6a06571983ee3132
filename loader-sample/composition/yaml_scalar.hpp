// What a scalar of YAML's JSON schema means. Pure functions.
#pragma once

#include <optional>
#include <string_view>

namespace dsh::loader {

bool is_yaml_null(std::string_view text);  ///< ~, null, Null, NULL

/// true, True, TRUE, false, False, FALSE; nothing else.
std::optional<bool> yaml_bool(std::string_view text);

/// 0, -12, +7, 0x1F, 0o17, 0b101: digits alone, no separators, finite as a double.
std::optional<double> yaml_int(std::string_view text);

/// 1.5, 1e3, .5, .inf, -.inf, .nan; finite unless spelt as one of the last three.
std::optional<double> yaml_float(std::string_view text);

}  // namespace dsh::loader
