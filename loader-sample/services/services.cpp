#include "services/services.hpp"

#include <algorithm>

namespace dsh::loader {

std::optional<Service> service_of(std::string_view id) noexcept {
  const auto found = std::find(service_ids.begin(), service_ids.end(), id);
  if (found == service_ids.end()) return std::nullopt;
  return static_cast<Service>(found - service_ids.begin());
}

Services::Services(const Diagnostics &sink, SessionStorage *storage)
    : diagnostics(sink),
      projections(gate, sink),
      sessions(gate, sink, invariants, projections, storage),
      tools(gate, sink) {}

}  // namespace dsh::loader
