// The durable log as the services' storage of sessions, for the project that a program works in.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "log/durable_storage.hpp"
#include "log/log_paths.hpp"
#include "log/session_list.hpp"
#include "services/storage.hpp"

namespace dsh::loader {

/// Sessions under a root; new ones belong to `cwd`, and opening one of another directory is refused.
class StoredSessions final : public SessionStorage {
 public:
  /// `ops` outlives it and its stores. `remark` is told what opening a session repaired.
  StoredSessions(std::string root, std::optional<std::string> cwd, FileOps &ops,
                 DurableStorage::Remark remark = {})
      : storage_(std::move(root), ops), cwd_(std::move(cwd)), ops_(ops), remark_(std::move(remark)) {}

  bool exists(std::string_view id) const override { return storage_.exists(std::string(id)); }
  std::unique_ptr<EventStore> create(std::string_view id, std::int64_t seed_length) override {
    return storage_.create(std::string(id), cwd_, seed_length);
  }
  std::unique_ptr<EventStore> open(std::string_view id, const Admit &admit) override {
    return storage_.open(std::string(id), cwd_, admit, remark_);
  }

  /// The log of a session of `cwd`; without one, of any directory. Throws Error where it belongs to another.
  std::optional<LogFile> log(const std::string &id) const { return storage_.stored(id, cwd_); }
  /// The directories to watch for whatever may change what log() finds, or that log: those where the log
  /// lies, and those where another may come to lie.
  std::vector<std::filesystem::path> directories(const std::string &id) const;
  /// Does the session belong to `cwd`? Directories that share a slug share a project directory; a damaged
  /// header tells no more than that one.
  bool includes(const SessionEntry &session) const;

 private:
  DurableStorage storage_;
  std::optional<std::string> cwd_;
  FileOps &ops_;
  DurableStorage::Remark remark_;
};

}  // namespace dsh::loader
