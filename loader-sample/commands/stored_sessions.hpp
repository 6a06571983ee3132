// The durable log as the services' storage of sessions, for the directory that a command works in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "log/durable_storage.hpp"
#include "log/log_paths.hpp"
#include "log/session_list.hpp"
#include "services/storage.hpp"

namespace dsh::loader {

/// Sessions under a root; new ones belong to `cwd`, and opening one of another directory is refused.
class StoredSessions final : public SessionStorage {
 public:
  /// `ops` outlives it and its stores.
  StoredSessions(std::string root, std::optional<std::string> cwd, FileOps &ops)
      : storage_(std::move(root), ops), cwd_(std::move(cwd)), ops_(ops) {}

  bool exists(std::string_view id) const override { return storage_.exists(std::string(id)); }
  std::unique_ptr<EventStore> create(std::string_view id, std::int64_t seed_length) override {
    return storage_.create(std::string(id), cwd_, seed_length);
  }
  std::unique_ptr<EventStore> open(std::string_view id, const Admit &admit) override {
    return storage_.open(std::string(id), cwd_, admit);
  }

  /// The log of a session of `cwd`; without one, of any directory. Throws Error where it belongs to another.
  std::optional<LogFile> log(const std::string &id) const;
  /// Where that log lies; where it would come to lie, if it is still to come.
  std::string directory(const std::string &id) const;
  /// Does the session belong to `cwd`? Directories that share a slug share a project directory; a damaged
  /// header tells no more than that one.
  bool includes(const SessionEntry &session) const;

 private:
  DurableStorage storage_;
  std::optional<std::string> cwd_;
  FileOps &ops_;
};

}  // namespace dsh::loader
