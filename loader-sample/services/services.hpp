// The four services of the host, each of which may be absent for a while.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "services/gate.hpp"
#include "services/invariants.hpp"
#include "services/projections.hpp"
#include "services/sessions.hpp"
#include "services/tools.hpp"

namespace dsh::loader {

enum class Service { tools, sessions, invariants, projections };

inline constexpr std::array<std::string_view, 4> service_ids = {DSH_TOOLS, DSH_SESSIONS, DSH_INVARIANTS,
                                                                DSH_PROJECTIONS};

inline std::string_view id_of(Service service) noexcept {
  return service_ids[static_cast<std::size_t>(service)];
}

/// None for an id that this host doesn't know.
std::optional<Service> service_of(std::string_view id) noexcept;

/// The services themselves. Who registers and who withdraws is the plugin host's business.
struct Services {
  /// Both outlive it. `storage` keeps durable sessions; null: all are in memory.
  Services(const Diagnostics &sink, SessionStorage *storage);

  Gate gate;
  const Diagnostics &diagnostics;
  Invariants invariants;
  Projections projections;
  Sessions sessions;
  Tools tools;
};

}  // namespace dsh::loader
