// One applied plugin: the dsh_host it was given, what it registered, and undoing that.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dsh/dsh.h"
#include "services/services.hpp"

namespace dsh::loader {

/// Which services are there.
using Presence = std::array<bool, service_ids.size()>;

/// Something that an instance registered, for people.
struct RegistrationReport {
  Service service = Service::tools;
  std::string name;     ///< the tool's, the rule's owner, the projection's key; empty for an observer
  bool active = false;  ///< false: waits for its service, or failed
  std::string failure;  ///< why it could not start when its service came; empty: it didn't fail
};

/// The context of one entry's plugin. Everything but report() runs inside a change of the gate. Its
/// address is known to the plugin: it does not move.
class PluginInstance {
 public:
  /// `entry_id` names the plugin in log lines and messages. `presence` is the host's, and outlives this.
  PluginInstance(std::string entry_id, Services &services, const Presence &presence);
  /// Disposes.
  ~PluginInstance();
  PluginInstance(const PluginInstance &) = delete;
  PluginInstance &operator=(const PluginInstance &) = delete;

  /// Calls the plugin. Throws Error with the plugin's own text; then everything is undone.
  void apply(dsh_apply_fn function, std::string_view config_json);

  /// Undoes the registrations newest first, then calls the dispose functions newest first.
  void dispose() noexcept;

  /// Starts the registrations that waited for `service`, in order. A failure is kept in the report and
  /// doesn't stop the others; the first one's is returned, empty: none.
  std::string service_came(Service service);
  /// Stops the registrations with `service`, newest first; they wait again.
  void service_left(Service service) noexcept;

  std::vector<RegistrationReport> report() const;

 private:
  struct Registration {
    std::variant<std::unique_ptr<ToolDescriptor>, std::unique_ptr<ObserverDescriptor>,
                 std::unique_ptr<InvariantDescriptor>, std::unique_ptr<UnitDescriptor>>
        descriptor;  // in the order of Service
    bool active = false;
    std::string failure;

    Service service() const noexcept { return static_cast<Service>(descriptor.index()); }
  };
  struct Disposal {
    void(DSH_CALL *function)(void *user);
    void *user;
  };

  static PluginInstance &of(const dsh_host *host);
  static const void *DSH_CALL abi_service(const dsh_host *host, const char *id) noexcept;
  static std::int32_t DSH_CALL abi_on_dispose(const dsh_host *host, void(DSH_CALL *fn)(void *user),
                                              void *user) noexcept;
  static void DSH_CALL abi_log(const dsh_host *host, std::int32_t level, const char *text,
                               std::size_t size) noexcept;
  template <typename Descriptor, typename Given>
  static std::int32_t DSH_CALL abi_add(const dsh_host *host, const Given *given,
                                       const dsh_error *error) noexcept;

  bool applying() const noexcept;
  bool present(Service service) const noexcept;
  void start(Registration &registration);
  void stop(Registration &registration) noexcept;

  const std::string entry_id_;
  Services &services_;
  const Presence &presence_;
  dsh_host abi_;
  bool applying_ = false;
  std::vector<std::unique_ptr<Registration>> registrations_;
  std::vector<Disposal> disposals_;
};

}  // namespace dsh::loader
