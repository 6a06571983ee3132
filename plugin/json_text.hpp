// JSON as JavaScript writes it: the spelling of strings and numbers, to the byte.
#pragma once

#include <string>
#include <string_view>

namespace dsh::todo {

/// Appends `wtf8` as JSON.stringify writes it, quotes included: `\" \\ \b \f \n \r \t`, other controls
/// and lone surrogates as lowercase \u escapes, everything else as it is.
void append_quoted(std::string &out, std::string_view wtf8);

/// Appends `value` as Number.prototype.toString writes it: the shortest digits that read back as the
/// same double, 1e21 and more with an exponent. -0 is 0; NaN and the infinities are spelt out.
void append_number(std::string &out, double value);

/// The double that JavaScript reads from `text`, which must be a JSON number: correctly rounded,
/// infinite beyond the range, -0 for the likes of -1e-400.
double read_number(std::string_view text) noexcept;

}  // namespace dsh::todo
