#include "plugins/plugin_host.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "text/attempt.hpp"
#include "text/error.hpp"
#include "text/listed.hpp"

namespace dsh::loader {
namespace {

std::string entry_text(const Entry &entry) { return entry.id + " (" + entry.name + ")"; }

/// The failure of an entry as the person who wrote the composition reads it.
Error apply_failure(const Entry &entry, const std::exception &cause) {
  const auto *const error = dynamic_cast<const Error *>(&cause);
  return Error("failed to apply loader entry " + entry_text(entry) + ": " + text_of(cause),
               error == nullptr ? std::string() : error->name(),
               error == nullptr ? std::string() : error->code());
}

Service known_service(std::string_view id) {
  if (const std::optional<Service> service = service_of(id)) return *service;
  throw Error("unknown service \"" + std::string(id) + "\": this host has " + listed(service_ids));
}

}  // namespace

std::string_view to_string(EntryState state) noexcept {
  switch (state) {
    case EntryState::active:
      return "active";
    case EntryState::pending:
      return "pending";
    case EntryState::failed:
      return "failed";
    case EntryState::disabled:
      return "disabled";
    case EntryState::provided:
      return "provided";
    case EntryState::unloaded:
      return "unloaded";
  }
  return "unknown";
}

/// An entry and what became of it.
struct PluginHost::Loaded {
  Entry entry;
  EntryState state = EntryState::unloaded;
  std::string failure;
  std::shared_ptr<const PluginLibrary> library;  // while active or pending
  std::unique_ptr<PluginInstance> instance;      // while active
};

PluginHost::PluginHost(Options options, const Diagnostics &diagnostics)
    : services_(diagnostics, options.storage), diagnostics_(diagnostics), paths_(std::move(options.paths)) {
  presence_.fill(true);
  for (const std::string &id : options.without)
    presence_[static_cast<std::size_t>(known_service(id))] = false;
}

PluginHost::~PluginHost() {
  try {
    services_.gate.change([this] { unload_all(); });
  } catch (const std::exception &error) {
    attempt([&] { diagnostics_.write(Level::error, "host", text_of(error)); });
  }
}

bool PluginHost::change(const std::function<void()> &work) {
  if (!services_.gate.inside()) {
    services_.gate.change(work);
    return true;
  }
  services_.gate.change([this, work] {
    try {
      work();
    } catch (const std::exception &error) {
      attempt([&] { diagnostics_.write(Level::error, "host", text_of(error)); });
    }
  });
  return false;
}

void PluginHost::load(const Composition &composition) {
  if (services_.gate.inside()) throw Error("a composition can't be loaded from inside a call");
  services_.gate.change([&] {
    if (!entries_.empty()) throw Error("a composition is loaded already");
    directory_ = composition.file.parent_path();
    for (const Entry &entry : composition.entries) {
      Loaded &loaded = *entries_.emplace_back(std::make_unique<Loaded>());
      loaded.entry = entry;
      if (entry.disabled || entry.host_provided) {
        loaded.state = entry.disabled ? EntryState::disabled : EntryState::provided;
        continue;
      }
      try {
        open(loaded);
      } catch (const std::exception &error) {
        const Error failure = apply_failure(entry, error);
        set_failed(loaded, error);
        unload_all();
        attempt_ = reports();
        entries_.clear();
        throw failure;
      }
    }
  });
}

bool PluginHost::load_plugin(std::string_view id) {
  return change([this, name = std::string(id)] {
    Loaded &loaded = find(name);
    const Entry &entry = loaded.entry;
    switch (loaded.state) {
      case EntryState::disabled:
        throw Error("loader entry " + entry_text(entry) + " is disabled by the composition");
      case EntryState::provided:
        throw Error("loader entry " + entry_text(entry) + " is the host's own");
      case EntryState::active:
      case EntryState::pending:
        throw Error("loader entry " + entry_text(entry) + " is already loaded");
      case EntryState::failed:
      case EntryState::unloaded:
        break;
    }
    try {
      open(loaded);
    } catch (const std::exception &error) {
      set_failed(loaded, error);
      throw apply_failure(entry, error);
    }
  });
}

bool PluginHost::unload_plugin(std::string_view id) {
  return change([this, name = std::string(id)] {
    Loaded &loaded = find(name);
    if (loaded.state != EntryState::active && loaded.state != EntryState::pending)
      throw Error("loader entry " + entry_text(loaded.entry) + " is not loaded");
    close(loaded);
    loaded.state = EntryState::unloaded;
  });
}

bool PluginHost::add_service(std::string_view id) {
  return change([this, name = std::string(id)] {
    const Service service = known_service(name);
    if (std::exchange(presence_[static_cast<std::size_t>(service)], true))
      throw Error("service \"" + name + "\" is already there");
    std::optional<Error> first;
    const auto keep = [&](const Error &failure) {
      diagnostics_.write(Level::error, "host", failure.text());
      first = first ? first : failure;
    };
    for (const auto &loaded : entries_) {
      if (loaded->state == EntryState::active) {
        if (const std::string refusal = loaded->instance->service_came(service); !refusal.empty())
          keep(Error(refusal));
      } else if (loaded->state == EntryState::pending && missing(*loaded).empty()) {
        try {
          apply(*loaded);
        } catch (const std::exception &error) {
          set_failed(*loaded, error);
          keep(apply_failure(loaded->entry, error));
        }
      }
    }
    if (first) throw *first;
  });
}

bool PluginHost::remove_service(std::string_view id) {
  return change([this, name = std::string(id)] {
    const Service service = known_service(name);
    if (!std::exchange(presence_[static_cast<std::size_t>(service)], false))
      throw Error("service \"" + name + "\" is already absent");
    const std::vector<Loaded *> applied = applied_;
    for (auto loaded = applied.rbegin(); loaded != applied.rend(); ++loaded) {
      if (missing(**loaded).empty()) {
        (*loaded)->instance->service_left(service);
      } else {
        unapply(**loaded);
        (*loaded)->state = EntryState::pending;
      }
    }
  });
}

void PluginHost::require(Service service) {
  const Gate::Call running(services_.gate);
  if (!presence_[static_cast<std::size_t>(service)])
    throw Error("service \"" + std::string(id_of(service)) + "\" is absent");
}

Tools &PluginHost::tools() {
  require(Service::tools);
  return services_.tools;
}

Sessions &PluginHost::sessions() {
  require(Service::sessions);
  return services_.sessions;
}

Invariants &PluginHost::invariants() {
  require(Service::invariants);
  return services_.invariants;
}

Projections &PluginHost::projections() {
  require(Service::projections);
  return services_.projections;
}

std::vector<EntryReport> PluginHost::report() {
  const Gate::Call running(services_.gate);
  return entries_.empty() ? attempt_ : reports();
}

std::vector<EntryReport> PluginHost::reports() const {
  std::vector<EntryReport> reports;
  for (const auto &loaded : entries_) {
    EntryReport report;
    report.id = loaded->entry.id;
    report.name = loaded->entry.name;
    report.state = loaded->state;
    report.failure = loaded->failure;
    if (loaded->state == EntryState::pending) report.missing = missing(*loaded);
    if (loaded->library != nullptr) {
      report.file = loaded->library->path().string();
      report.label = loaded->library->name();
      report.abi_version = loaded->library->abi_version();
    }
    if (loaded->instance != nullptr) report.registered = loaded->instance->report();
    reports.push_back(std::move(report));
  }
  return reports;
}

PluginHost::Loaded &PluginHost::find(std::string_view id) {
  const auto by = [&](std::string Entry::*member) -> Loaded * {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const auto &loaded) { return loaded->entry.*member == id; });
    return found == entries_.end() ? nullptr : found->get();
  };
  Loaded *found = by(&Entry::id);
  if (found == nullptr) found = by(&Entry::name);
  if (found == nullptr) throw Error("unknown loader entry \"" + std::string(id) + "\"");
  return *found;
}

/// Maps the library, then applies it or leaves it waiting. Throws; the library is then let go.
void PluginHost::open(Loaded &loaded) {
  loaded.failure.clear();
  loaded.library = libraries_.open(paths_.find(loaded.entry.name, directory_));
  try {
    if (missing(loaded).empty())
      apply(loaded);
    else
      loaded.state = EntryState::pending;
  } catch (...) {
    close(loaded);
    throw;
  }
}

void PluginHost::apply(Loaded &loaded) {
  auto instance = std::make_unique<PluginInstance>(loaded.entry.id, services_, presence_);
  instance->apply(loaded.library->apply(), loaded.entry.config_json);
  loaded.instance = std::move(instance);
  loaded.state = EntryState::active;
  applied_.push_back(&loaded);
}

void PluginHost::unapply(Loaded &loaded) noexcept {
  loaded.instance.reset();
  std::erase(applied_, &loaded);
}

void PluginHost::close(Loaded &loaded) noexcept {
  unapply(loaded);
  if (loaded.library == nullptr) return;
  try {
    const std::string path = loaded.library->path().string();
    if (libraries_.close(std::exchange(loaded.library, nullptr)) == Unmapped::no)
      diagnostics_.write(Level::warn, loaded.entry.id, path + " stays mapped after its unload");
  } catch (const std::exception &error) {
    attempt([&] { diagnostics_.write(Level::error, loaded.entry.id, text_of(error)); });
  }
}

void PluginHost::set_failed(Loaded &loaded, const std::exception &error) {
  loaded.state = EntryState::failed;
  loaded.failure = text_of(error);
  close(loaded);
}

void PluginHost::unload_all() noexcept {
  while (!applied_.empty()) close(*applied_.back());
  for (auto loaded = entries_.rbegin(); loaded != entries_.rend(); ++loaded) {
    close(**loaded);
    EntryState &state = (*loaded)->state;
    if (state == EntryState::active || state == EntryState::pending) state = EntryState::unloaded;
  }
}

std::vector<std::string> PluginHost::missing(const Loaded &loaded) const {
  std::vector<std::string> absent;
  const auto look = [&](const std::string &id) {
    const std::optional<Service> service = service_of(id);
    const bool there = service && presence_[static_cast<std::size_t>(*service)];
    if (!there && std::find(absent.begin(), absent.end(), id) == absent.end()) absent.push_back(id);
  };
  std::for_each(loaded.library->inject().begin(), loaded.library->inject().end(), look);
  std::for_each(loaded.entry.inject.begin(), loaded.entry.inject.end(), look);
  return absent;
}

}  // namespace dsh::loader
