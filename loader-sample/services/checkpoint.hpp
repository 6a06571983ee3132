// The states of units at a place in a log, and how they are written as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dsh::loader {

/// A unit's state in a checkpoint.
struct CheckpointRow {
  std::string key;
  std::uint32_t version = 0;
  std::int64_t seq = -1;  ///< of the last event folded
  std::string state;      ///< JSON; empty: undefined
};
using Checkpoint = std::vector<CheckpointRow>;

/// `{"todos":{"ver":2,"seq":4,"val":[…]}}`; an undefined state has no "val".
std::string checkpoint_json(const Checkpoint &checkpoint);
/// Rows that are no rows are left out: they count as missing. Throws Error if it is no object.
Checkpoint parse_checkpoint(std::string_view json);

}  // namespace dsh::loader
