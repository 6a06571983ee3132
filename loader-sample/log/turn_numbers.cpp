#include "log/turn_numbers.hpp"

#include "text/json_reader.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {

std::optional<std::int64_t> counted_number(std::string_view data, std::string_view key) {
  constexpr std::int64_t last = max_safe_integer / 2;  // no log has as many events as are left behind it
  const auto number = integer_value(json_member(data, key));
  return number && *number >= 0 && *number <= last ? number : std::nullopt;
}

void LastTurn::follow(std::string_view data) {
  const auto number = counted_number(data, "turn");
  number_ = number.value_or(number_ + 1);
  is_numbered_ = is_numbered_ || number.has_value();
}

}  // namespace dsh::loader
