// For as long as the log's readers are on their way.
#include "commands/commands.hpp"
#include "text/error.hpp"

namespace dsh::loader {

int plan_command(const CommonOptions &, const PlanRequest &, const Output &) {
  throw Error("plan is not there yet");
}
int sessions_command(const CommonOptions &, const Output &) { throw Error("sessions is not there yet"); }
int audit_command(const CommonOptions &, const AuditRequest &, const Output &) {
  throw Error("audit is not there yet");
}

}  // namespace dsh::loader
