// An event as one line of JSON: the envelope that logs and answers share.
#pragma once

#include <string>

#include "services/event.hpp"

namespace dsh::loader {

/// Appends `{"type":…,"seq":…,"time":…,"data":…,"sourceEventSeqs":…,"surfaceOp":…}`, the last two
/// where the event has them. `data` is copied as it is.
void append_event_json(std::string &out, const Event &event);

}  // namespace dsh::loader
