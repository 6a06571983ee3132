#include "services/checkpoint.hpp"

#include <boost/json.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

// A whole number that a double holds exactly, however it is spelt; none for anything else.
std::optional<std::int64_t> whole(const boost::json::value *value) {
  if (value == nullptr) return std::nullopt;
  if (const std::int64_t *const number = value->if_int64())
    return *number >= -max_safe_integer && *number <= max_safe_integer ? std::optional(*number)
                                                                       : std::nullopt;
  const double *const number = value->if_double();
  if (number != nullptr && std::fabs(*number) <= static_cast<double>(max_safe_integer) &&
      std::trunc(*number) == *number)
    return static_cast<std::int64_t>(*number);
  return std::nullopt;
}

}  // namespace

std::string checkpoint_json(const Checkpoint &checkpoint) {
  std::string out = "{";
  for (const CheckpointRow &row : checkpoint) {
    if (out.size() > 1) out += ',';
    append_json_string(out, row.key);
    out += ":{\"ver\":" + std::to_string(row.version) + ",\"seq\":" + std::to_string(row.seq);
    if (!row.state.empty()) out += ",\"val\":" + row.state;
    out += '}';
  }
  return out + '}';
}

Checkpoint parse_checkpoint(std::string_view json) {
  const boost::json::value parsed = parse_json(json);
  const boost::json::object *const rows = parsed.if_object();
  if (rows == nullptr) throw Error("a checkpoint is an object: {\"<key>\":{\"ver\":…,\"seq\":…,\"val\":…}}");
  Checkpoint checkpoint;
  for (const boost::json::key_value_pair &member : *rows) {
    const boost::json::object *const row = member.value().if_object();
    if (row == nullptr) continue;
    const std::optional<std::int64_t> version = whole(row->if_contains("ver"));
    const std::optional<std::int64_t> seq = whole(row->if_contains("seq"));
    if (!version || !seq || *seq < -1 || *version < 0 || *version > std::numeric_limits<std::uint32_t>::max())
      continue;
    const boost::json::value *const state = row->if_contains("val");
    checkpoint.push_back({std::string(member.key()), static_cast<std::uint32_t>(*version), *seq,
                          state == nullptr ? std::string() : to_json(*state)});
  }
  return checkpoint;
}

}  // namespace dsh::loader
