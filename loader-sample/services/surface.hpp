// Surface events: those that enter the model's message history.
#pragma once

#include <cstdint>
#include <string_view>

namespace dsh::loader {

/// Is a surface event of this type?
bool is_surface_type(std::string_view type) noexcept;

/// What an event of `type` at `seq` may carry: `surface_op` and `source_event_seqs` are JSON, empty
/// where absent. Throws Error. Events of a seed may lack the surfaceOp that live ones need.
void check_surface(std::string_view type, std::int64_t seq, std::string_view source_event_seqs,
                   std::string_view surface_op, bool seed = false);

}  // namespace dsh::loader
