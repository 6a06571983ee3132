#include "todo_host.hpp"

#include <stdexcept>

namespace dsh::bench {

TodoHost::TodoHost(loader::SessionStorage *storage)
    : host_({loader::PluginPaths({DSH_BENCH_PLUGINS}), storage, {}}, diagnostics_) {
  host_.load(loader::load_composition(DSH_BENCH_COMPOSITION));
}

std::shared_ptr<loader::Session> TodoHost::open_turn(std::string id) {
  auto session = host_.sessions().create(std::move(id));
  session->append({.type = "turn/start", .data = R"({"turn":1})", .source_event_seqs = {}, .surface_op = {}});
  return session;
}

void TodoHost::call(loader::Session &session, std::string_view arguments) {
  const loader::ToolResult result = host_.tools().call("todo_write", arguments, &session);
  if (result.is_error) throw std::runtime_error(result.text);
}

}  // namespace dsh::bench
