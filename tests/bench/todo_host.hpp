// The whole host in this process with the todo plugin in it, as the commands set it up.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "log/durable_storage.hpp"
#include "plugins/plugin_host.hpp"

namespace dsh::bench {

class TodoHost {
 public:
  /// `storage` null: sessions in memory. Throws loader::Error.
  explicit TodoHost(loader::SessionStorage *storage = nullptr);

  /// A new session with an open turn.
  std::shared_ptr<loader::Session> open_turn(std::string id = {});

  /// One call of todo_write; throws std::runtime_error where the tool refuses.
  void call(loader::Session &session, std::string_view arguments);

  loader::PluginHost &host() { return host_; }

 private:
  loader::Diagnostics diagnostics_;
  loader::PluginHost host_;
};

}  // namespace dsh::bench
