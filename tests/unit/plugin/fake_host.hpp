// A host made of nothing but the contract's tables, for a plugin opened by path. What it does can be made
// to fail, one thing at a time.
#pragma once

#include <dlfcn.h>
#include <dsh/dsh.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dsh::todo::test {

inline std::string text_of(const dsh_str &s) {
  return s.size == 0 ? std::string() : std::string(s.data, s.size);
}
inline dsh_str str_of(std::string_view s) { return {s.data(), s.size()}; }

/// The plugin's library, opened as hosts open it.
class Library {
 public:
  Library() : handle_(dlopen(DSH_PLUGIN_FILE, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  /// The data symbol `symbol`, null where there is none.
  template <class T>
  const T *data(const char *symbol) const {
    return static_cast<const T *>(dlsym(handle_, symbol));
  }

  dsh_apply_fn apply() const { return reinterpret_cast<dsh_apply_fn>(dlsym(handle_, "apply")); }

  int close() {
    const int result = dlclose(handle_);
    handle_ = nullptr;
    return result;
  }

  static bool is_mapped() {
    void *handle = dlopen(DSH_PLUGIN_FILE, RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
  }

 private:
  void *handle_;
};

/// A sink that collects, and refuses from write number `refuse_at` on.
struct Sink {
  dsh_out out{this, [](void *ctx, const char *data, size_t size) -> int32_t {
                auto &sink = *static_cast<Sink *>(ctx);
                if (sink.writes++ >= sink.refuse_at) return sink.refusal;
                if (size > 0) sink.text.append(data, size);
                return DSH_OK;
              }};
  std::string text;
  int writes = 0;
  int refuse_at = 1 << 30;
  int32_t refusal = DSH_ERROR;
};

/// Keeps the last text, name and code.
struct ErrorText {
  dsh_error error{
      this, [](void *ctx, const char *data, size_t size, const char *error_name, const char *error_code) {
        auto &kept = *static_cast<ErrorText *>(ctx);
        kept.text.assign(size == 0 ? "" : data, size);
        kept.name = error_name == nullptr ? "" : error_name;
        kept.code = error_code == nullptr ? "" : error_code;
      }};
  std::string text, name, code;

  void set(std::string_view message) const {
    error.set(error.ctx, message.data(), message.size(), nullptr, nullptr);
  }
};

/// A descriptor with copies of its strings.
struct ToolCopy {
  explicit ToolCopy(const dsh_tool &given)
      : tool(given),
        name(text_of(given.name)),
        description(text_of(given.description)),
        parameters(text_of(given.parameters)),
        output(text_of(given.output)) {}
  dsh_tool tool;
  std::string name, description, parameters, output;
};

struct UnitCopy {
  explicit UnitCopy(const dsh_unit &given) : unit(given), key(text_of(given.key)), init(text_of(given.init)) {
    for (size_t i = 0; i < given.type_count; ++i) types.push_back(text_of(given.types[i]));
  }
  dsh_unit unit;
  std::string key, init;
  std::vector<std::string> types;
};

struct InvariantCopy {
  explicit InvariantCopy(const dsh_invariant &given) : invariant(given), owner(text_of(given.owner)) {
    for (size_t i = 0; i < given.type_count; ++i) types.push_back(text_of(given.types[i]));
  }
  dsh_invariant invariant;
  std::string owner;
  std::vector<std::string> types;
};

/// One context, for one instance of the plugin.
class FakeHost {
 public:
  FakeHost() {
    host.struct_size = sizeof(dsh_host);
    host.revision = DSH_ABI_VERSION;
    host.name = str_of("fake");
    host.version = str_of("1");
    host.impl = this;
    host.service = [](const dsh_host *h, const char *id) { return of(h).service(id); };
    host.on_dispose = [](const dsh_host *h, void (*fn)(void *), void *user) -> int32_t {
      if (of(h).on_dispose_status != DSH_OK) return of(h).on_dispose_status;
      of(h).dispose_functions.emplace_back(fn, user);
      return DSH_OK;
    };
    host.log = [](const dsh_host *, int32_t, const char *, size_t) {};
    tools = {sizeof tools, 0, [](const dsh_host *h, const dsh_tool *given, const dsh_error *why) {
               return of(h).add(DSH_TOOLS, why, [&] { of(h).tool.emplace(*given); });
             }};
    projections = {sizeof projections, 0, [](const dsh_host *h, const dsh_unit *given, const dsh_error *why) {
                     return of(h).add(DSH_PROJECTIONS, why, [&] { of(h).unit.emplace(*given); });
                   }};
    invariants = {sizeof invariants, 0,
                  [](const dsh_host *h, const dsh_invariant *given, const dsh_error *why) {
                    return of(h).add(DSH_INVARIANTS, why, [&] { of(h).invariant.emplace(*given); });
                  }};
  }
  FakeHost(const FakeHost &) = delete;
  FakeHost &operator=(const FakeHost &) = delete;
  ~FakeHost() { undo(); }

  int32_t apply(const Library &library, std::string_view config) {
    const int32_t status = library.apply()(&host, config.data(), config.size(), &error.error);
    if (status != DSH_OK) undo();
    return status;
  }

  /// Undoes the registrations, then disposes, newest first.
  void undo() {
    invariant.reset();
    unit.reset();
    tool.reset();
    while (!dispose_functions.empty()) {
      const auto [fn, user] = dispose_functions.back();
      dispose_functions.pop_back();
      fn(user);
    }
  }

  dsh_host host{};
  dsh_tools tools{};
  dsh_projections projections{};
  dsh_invariants invariants{};
  ErrorText error;

  // What may go wrong.
  std::set<std::string> absent;
  std::map<std::string, int32_t> add_status;
  int32_t on_dispose_status = DSH_OK;
  bool accept_without_effect = false;

  // What was registered.
  std::optional<ToolCopy> tool;
  std::optional<UnitCopy> unit;
  std::optional<InvariantCopy> invariant;
  std::vector<std::string> added;
  std::vector<std::pair<void (*)(void *), void *>> dispose_functions;

 private:
  static FakeHost &of(const dsh_host *host) { return *static_cast<FakeHost *>(host->impl); }

  const void *service(std::string_view id) {
    if (absent.count(std::string(id)) != 0) return nullptr;
    if (id == DSH_TOOLS) return &tools;
    if (id == DSH_PROJECTIONS) return &projections;
    if (id == DSH_INVARIANTS) return &invariants;
    return nullptr;
  }

  template <class Keep>
  int32_t add(const char *id, const dsh_error *add_error, Keep &&keep) {
    added.emplace_back(id);
    if (const auto status = add_status.find(id); status != add_status.end() && status->second != DSH_OK) {
      const std::string text = std::string(id) + " refuses";
      add_error->set(add_error->ctx, text.data(), text.size(), nullptr, nullptr);
      return status->second;
    }
    if (!accept_without_effect) keep();
    return DSH_OK;
  }
};

/// A session that keeps what is appended, or refuses it.
class FakeSession {
 public:
  FakeSession() {
    session.struct_size = sizeof(dsh_session);
    session.impl = this;
    session.id = str_of("s1");
    session.append = [](const dsh_session *s, const dsh_str *type, const char *data, size_t size,
                        int64_t *seq, const dsh_error *append_error) -> int32_t {
      auto &self = *static_cast<FakeSession *>(s->impl);
      if (self.status != DSH_OK) {
        append_error->set(append_error->ctx, self.refusal.data(), self.refusal.size(), "Refusal", "REFUSED");
        return self.status;
      }
      if (self.on_append) self.on_append();
      self.events.emplace_back(text_of(*type), std::string(data, size));
      if (seq != nullptr) *seq = static_cast<int64_t>(self.events.size()) - 1;
      return DSH_OK;
    };
    session.read = [](const dsh_session *, int64_t, int32_t (*)(void *, const dsh_event *), void *,
                      const dsh_error *) -> int32_t { return DSH_OK; };
  }
  FakeSession(const FakeSession &) = delete;
  FakeSession &operator=(const FakeSession &) = delete;

  dsh_session session{};
  std::vector<std::pair<std::string, std::string>> events;  ///< type, data
  int32_t status = DSH_OK;
  std::string refusal = "the disk is full";
  std::function<void()> on_append;
};

/// What a call came to.
struct Outcome {
  int32_t status = DSH_OK;
  std::string value, text;
  std::string error, error_name, error_code;
};

inline Outcome execute(const dsh_tool &tool, std::string_view arguments, const dsh_session *session) {
  dsh_call call{};
  call.struct_size = sizeof(dsh_call);
  call.arguments = str_of(arguments);
  call.session = session;
  Sink value;
  Sink text;
  ErrorText error;
  const int32_t status = tool.execute(tool.user, &call, &value.out, &text.out, &error.error);
  return {status, value.text, text.text, error.text, error.name, error.code};
}

inline dsh_event event_of(std::string_view type, std::string_view data) {
  dsh_event event{};
  event.struct_size = sizeof(dsh_event);
  event.type = str_of(type);
  event.data = str_of(data);
  return event;
}

inline constexpr std::string_view parallel_config = R"({"allowParallelInProgress":true})";
inline constexpr std::string_view single_config = R"({"allowParallelInProgress":false})";

}  // namespace dsh::todo::test
