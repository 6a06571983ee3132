// The symbols that the library exports: all of them, and nothing else.
#include <dsh/plugin.h>

#include <dsh/plugin.hpp>
#include <memory>

#include "config.hpp"
#include "invariant.hpp"
#include "projection.hpp"
#include "refusal.hpp"
#include "tool.hpp"

namespace dsh::todo {
namespace {

/// What one `apply` registers: it lives until the host has undone that.
struct Instance {
  explicit Instance(const Config &config) : tool(config.allow_parallel_in_progress) {}

  TodoTool tool;
  TodoProjection projection;
  TodoInvariant invariant;
};

Config read(std::string_view config) try { return read_config(config); } catch (const Refusal &refusal) {
  throw Failure(refusal.text(), "ValidationError", DSH_INVALID_CONFIG);
}

void register_all(const Host &host, std::string_view config) {
  const Instance &instance = host.keep(std::make_unique<Instance>(read(config)));
  host.add(dsh::tool(instance.tool));
  host.add(dsh::unit(instance.projection));
  host.add(dsh::invariant(instance.invariant));
}

}  // namespace
}  // namespace dsh::todo

const char *const name = "tool-todo";
const char *const inject[] = {DSH_TOOLS, nullptr};
const uint32_t abi_version = DSH_ABI_VERSION;
const char *const config_schema = dsh::todo::config_schema_text;

int32_t apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  return dsh::guarded(error, [&]() -> int32_t {
    dsh::todo::register_all(dsh::Host(host, error), std::string_view(config, size));
    return DSH_OK;
  });
}
