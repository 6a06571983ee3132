#include "plugins/plugin_instance.hpp"

#include <algorithm>
#include <exception>

#include "services/abi_call.hpp"
#include "text/diagnostics.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

constexpr std::string_view host_name = "loader-sample";

Level level_of(std::int32_t level) noexcept {
  switch (level) {
    case DSH_DEBUG:
      return Level::debug;
    case DSH_INFO:
      return Level::info;
    case DSH_WARN:
      return Level::warn;
    default:
      return Level::error;
  }
}

/// What each service does with what is registered with it.
void add(Services &to, const ToolDescriptor &tool) { to.tools.add(tool); }
void add(Services &to, const ObserverDescriptor &observer) { to.sessions.add(observer); }
void add(Services &to, const InvariantDescriptor &rule) { to.invariants.add(rule, to.sessions.standing()); }
void add(Services &to, const UnitDescriptor &unit) { to.projections.add(unit, to.sessions.standing()); }

void remove(Services &from, const ToolDescriptor &tool) noexcept { from.tools.remove(tool); }
void remove(Services &from, const ObserverDescriptor &observer) noexcept { from.sessions.remove(observer); }
void remove(Services &from, const InvariantDescriptor &rule) noexcept {
  from.invariants.remove(rule, from.sessions.standing());
}
void remove(Services &from, const UnitDescriptor &unit) noexcept {
  from.projections.remove(unit, from.sessions.standing());
}

const std::string &name_of(const ToolDescriptor &tool) { return tool.name(); }
std::string name_of(const ObserverDescriptor & /*observer*/) { return {}; }
const std::string &name_of(const InvariantDescriptor &rule) { return rule.owner(); }
const std::string &name_of(const UnitDescriptor &unit) { return unit.key(); }

}  // namespace

PluginInstance::PluginInstance(std::string entry_id, Services &services, const Presence &presence)
    : entry_id_(std::move(entry_id)),
      services_(services),
      presence_(presence),
      abi_{sizeof(dsh_host),
           DSH_ABI_VERSION,
           to_abi(host_name),
           to_abi(DSH_VERSION),
           this,
           &PluginInstance::abi_service,
           &PluginInstance::abi_on_dispose,
           &PluginInstance::abi_log} {}

PluginInstance::~PluginInstance() { dispose(); }

void PluginInstance::apply(dsh_apply_fn function, std::string_view config_json) {
  ErrorSink error;
  applying_ = true;
  const std::int32_t status =
      guarded([&] { return function(&abi_, config_json.data(), config_json.size(), error.abi()); });
  applying_ = false;
  if (status != DSH_OK) {
    dispose();
    throw error.error("apply", status);
  }
}

void PluginInstance::dispose() noexcept {
  while (!registrations_.empty()) {
    stop(*registrations_.back());
    registrations_.pop_back();
  }
  while (!disposals_.empty()) {
    const Disposal disposal = disposals_.back();
    disposals_.pop_back();
    guarded([&] {
      disposal.function(disposal.user);
      return DSH_OK;
    });
  }
}

std::string PluginInstance::service_came(Service service) {
  std::string first;
  for (const auto &registration : registrations_) {
    if (registration->service() != service || registration->active) continue;
    try {
      start(*registration);
    } catch (const std::exception &error) {
      registration->failure = text_of(error);
      if (first.empty()) first = registration->failure;
    }
  }
  return first;
}

void PluginInstance::service_left(Service service) noexcept {
  for (auto registration = registrations_.rbegin(); registration != registrations_.rend(); ++registration) {
    if ((*registration)->service() == service) {
      stop(**registration);
      (*registration)->failure.clear();
    }
  }
}

bool PluginInstance::present(Service service) const noexcept {
  return presence_[static_cast<std::size_t>(service)];
}

void PluginInstance::start(Registration &registration) {
  registration.failure.clear();
  std::visit([this](const auto &descriptor) { add(services_, *descriptor); }, registration.descriptor);
  registration.active = true;
}

void PluginInstance::stop(Registration &registration) noexcept {
  if (std::exchange(registration.active, false))
    std::visit([this](const auto &descriptor) { remove(services_, *descriptor); }, registration.descriptor);
}

std::vector<RegistrationReport> PluginInstance::report() const {
  std::vector<RegistrationReport> report;
  for (const auto &registration : registrations_)
    report.push_back({registration->service(),
                      std::visit([](const auto &descriptor) { return std::string(name_of(*descriptor)); },
                                 registration->descriptor),
                      registration->active, registration->failure});
  return report;
}

/// The instance behind a host that a plugin hands back. Throws Error for none.
PluginInstance &PluginInstance::of(const dsh_host *host) {
  if (host == nullptr || host->impl == nullptr) throw Error("a null host");
  return *static_cast<PluginInstance *>(host->impl);
}

const void *DSH_CALL PluginInstance::abi_service(const dsh_host * /*host*/, const char *id) noexcept {
  static constexpr dsh_tools tools{sizeof(dsh_tools), 0, &abi_add<ToolDescriptor, dsh_tool>};
  static constexpr dsh_sessions sessions{sizeof(dsh_sessions), 0, &abi_add<ObserverDescriptor, dsh_observer>};
  static constexpr dsh_invariants invariants{sizeof(dsh_invariants), 0,
                                             &abi_add<InvariantDescriptor, dsh_invariant>};
  static constexpr dsh_projections projections{sizeof(dsh_projections), 0,
                                               &abi_add<UnitDescriptor, dsh_unit>};
  if (id == nullptr) return nullptr;
  const std::optional<Service> service = service_of(id);
  if (!service) return nullptr;
  switch (*service) {
    case Service::tools:
      return &tools;
    case Service::sessions:
      return &sessions;
    case Service::invariants:
      return &invariants;
    case Service::projections:
      return &projections;
  }
  return nullptr;
}

std::int32_t DSH_CALL PluginInstance::abi_on_dispose(const dsh_host *host, void(DSH_CALL *fn)(void *user),
                                                     void *user) noexcept {
  try {
    PluginInstance &self = of(host);
    if (fn == nullptr || !self.applying()) return DSH_ERROR;
    self.disposals_.push_back({fn, user});
    return DSH_OK;
  } catch (const std::bad_alloc &) {
    return DSH_NO_MEMORY;
  } catch (...) {
    return DSH_ERROR;
  }
}

void DSH_CALL PluginInstance::abi_log(const dsh_host *host, std::int32_t level, const char *text,
                                      std::size_t size) noexcept {
  if (host == nullptr || host->impl == nullptr) return;
  const PluginInstance &self = *static_cast<PluginInstance *>(host->impl);
  self.services_.diagnostics.write(level_of(level), self.entry_id_, from_abi({text, size}));
}

/// Inside `apply`, on the thread that runs it?
bool PluginInstance::applying() const noexcept { return services_.gate.changing() && applying_; }

template <typename Descriptor, typename Given>
std::int32_t DSH_CALL PluginInstance::abi_add(const dsh_host *host, const Given *given,
                                              const dsh_error *error) noexcept {
  try {
    PluginInstance &self = of(host);
    if (!self.applying()) throw Error("a registration is made inside apply alone");
    auto registration = std::make_unique<Registration>();
    registration->descriptor = std::make_unique<Descriptor>(given);
    // In the list before it starts: what it calls back may register more.
    Registration *const added = self.registrations_.emplace_back(std::move(registration)).get();
    try {
      if (self.present(added->service())) self.start(*added);
    } catch (...) {
      std::erase_if(self.registrations_, [&](const auto &one) { return one.get() == added; });
      throw;
    }
    return DSH_OK;
  } catch (...) {
    return fail_with_thrown(error, "the registration failed");
  }
}

}  // namespace dsh::loader
