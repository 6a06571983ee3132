// The sample host: the services, and the plugins of a composition that live on them.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "composition/composition.hpp"
#include "plugins/plugin_instance.hpp"
#include "plugins/plugin_library.hpp"
#include "plugins/plugin_paths.hpp"
#include "services/services.hpp"
#include "text/diagnostics.hpp"

namespace dsh::loader {

enum class EntryState {
  active,    ///< applied
  pending,   ///< waits for services
  failed,    ///< could not be applied
  disabled,  ///< by the composition: never opened
  provided,  ///< a service of the host's own: nothing to load
  unloaded   ///< taken out by unload_plugin()
};

/// The word for it: "active".
std::string_view to_string(EntryState state) noexcept;

/// What became of an entry, for people.
struct EntryReport {
  std::string id;
  std::string name;
  EntryState state = EntryState::unloaded;
  std::vector<std::string> missing;  ///< where pending: the services it waits for
  std::string failure;               ///< where failed: the cause
  std::string file;                  ///< of the library, where it was opened
  std::string label;                 ///< the plugin's own name for itself
  std::uint32_t abi_version = 0;     ///< 0: not opened
  std::vector<RegistrationReport> registered;
};

/// A host. Its destructor unloads what is loaded, newest first, then ends the sessions.
///
/// Any thread. What changes it waits for the calls that run; from inside one it is put off until that
/// call has returned, and the function returns false.
class PluginHost {
 public:
  struct Options {
    PluginPaths paths;
    SessionStorage *storage = nullptr;  ///< durable sessions; null: in memory. Outlives the host
    std::vector<std::string> without;   ///< services that are absent at first
  };

  /// Throws Error for an unknown service. `diagnostics` outlives the host.
  PluginHost(Options options, const Diagnostics &diagnostics);
  ~PluginHost();
  PluginHost(const PluginHost &) = delete;
  PluginHost &operator=(const PluginHost &) = delete;

  /// Opens and applies the entries in order; those that lack a service wait. Throws Error
  /// `failed to apply loader entry <id> (<name>): <cause>` for the first that fails; then everything
  /// is undone, newest first, and nothing of the composition remains. Once for a host.
  void load(const Composition &composition);

  /// A plugin by its entry's id, or else its name. Throws Error: unknown, loaded already or not
  /// loaded, disabled; and the failure of load(), which leaves the entry failed.
  bool load_plugin(std::string_view id);
  bool unload_plugin(std::string_view id);

  /// A service that comes: what waited for it starts, in the order of the entries. Throws Error:
  /// unknown, there already; and with the refusal when something that waited fails, though the service
  /// stays. One that goes: what needs it stops, newest first. Throws Error: unknown, absent already.
  bool add_service(std::string_view id);
  bool remove_service(std::string_view id);

  /// The services. Throw Error where the service is absent: `service "tools" is absent`.
  Tools &tools();
  Sessions &sessions();
  Invariants &invariants();
  Projections &projections();

  /// The services whether present or not: the gate, and tests.
  Services &services() noexcept { return services_; }

  /// Every entry, in the composition's order. After a load that failed: how far it came, the entries
  /// before the failed one unloaded again.
  std::vector<EntryReport> report();

 private:
  struct Loaded;

  bool change(const std::function<void()> &work);
  Loaded &find(std::string_view id);
  void open(Loaded &loaded);
  void apply(Loaded &loaded);
  void unapply(Loaded &loaded) noexcept;
  void close(Loaded &loaded) noexcept;
  void set_failed(Loaded &loaded, const std::exception &error);
  void unload_all() noexcept;
  std::vector<EntryReport> reports() const;
  std::vector<std::string> missing(const Loaded &loaded) const;
  /// Throws Error where the service is absent.
  void require(Service service);

  Services services_;
  const Diagnostics &diagnostics_;
  PluginPaths paths_;
  PluginLibraries libraries_;
  Presence presence_{};
  std::filesystem::path directory_;  // of the composition
  std::vector<std::unique_ptr<Loaded>> entries_;
  std::vector<Loaded *> applied_;     // oldest first
  std::vector<EntryReport> attempt_;  // of a load that failed
};

}  // namespace dsh::loader
