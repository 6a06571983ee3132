// Sessions handed to those who keep something of each.
#pragma once

#include <memory>
#include <span>

namespace dsh::loader {

class Session;

/// The sessions that a change concerns, in order of creation; none comes or goes meanwhile.
using SessionSpan = std::span<const std::shared_ptr<Session>>;

}  // namespace dsh::loader
