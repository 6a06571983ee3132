// The durable log as the services' storage of sessions, for the directory that a command works in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "log/durable_storage.hpp"
#include "services/storage.hpp"

namespace dsh::loader {

/// Sessions under a root; new ones belong to `cwd`, and opening one of another directory is refused.
class StoredSessions final : public SessionStorage {
 public:
  /// `ops` outlives it and its stores.
  StoredSessions(std::string root, std::optional<std::string> cwd, FileOps &ops)
      : storage_(std::move(root), ops), cwd_(std::move(cwd)) {}

  bool exists(std::string_view id) const override { return storage_.exists(std::string(id)); }
  std::unique_ptr<EventStore> create(std::string_view id, std::int64_t seed_length) override {
    return storage_.create(std::string(id), cwd_, seed_length);
  }
  std::unique_ptr<EventStore> open(std::string_view id, const Admit &admit) override {
    return storage_.open(std::string(id), cwd_, admit);
  }

 private:
  DurableStorage storage_;
  std::optional<std::string> cwd_;
};

}  // namespace dsh::loader
