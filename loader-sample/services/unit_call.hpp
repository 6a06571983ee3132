// Calls of a projection unit's functions: what goes in, and what may come out.
#pragma once

#include <string>
#include <string_view>

#include "services/descriptors.hpp"
#include "services/event.hpp"
#include "services/projections.hpp"

namespace dsh::loader {

class Diagnostics;

/// `projection "key"`, for texts.
std::string projection_name(std::string_view key);

/// What an event did to a state.
enum class FoldStep { changed, same, failed };

/// Folds one event; a failure is logged and leaves the state as it was. Throws std::bad_alloc where memory
/// runs out, the unit's or ours: then `fold` stands before the event, which may be folded again.
FoldStep fold_event(const UnitDescriptor &unit, Fold &fold, const Event &event,
                    const Diagnostics &diagnostics);

/// The value of a state, JSON; empty: undefined. Throws Error with the unit's text, std::bad_alloc where
/// memory runs out, as the next does.
std::string view_of(const UnitDescriptor &unit, const std::string &state);

/// The state to go on with from a checkpoint's. Throws Error where it is no sound one.
std::string admit(const UnitDescriptor &unit, const std::string &stored);

}  // namespace dsh::loader
