#include "agent/plan_reader.hpp"

#include <new>
#include <utility>

#include "text/error.hpp"

namespace dsh::loader {

PlanReader::PlanReader(PluginHost &host, FileOps &ops) : fold_(host), ops_(ops) { fold_.require_kept(); }

void PlanReader::read(const LogFile &log) {
  try {
    read_log(log);
  } catch (const std::bad_alloc &) {
    throw Error("out of memory while the session log " + log.path + " was read");
  }
}

void PlanReader::read_log(const LogFile &log) {
  const auto accept = [this](const Event &event) { return take(event); };
  // Whatever is thrown on the way, half of the news is folded: then all is read again.
  if (const auto former = std::exchange(former_, std::nullopt)) {
    former_ = read_since(log, *former, fold_.decisive_types(), accept, ops_);
    if (former_) return;
  }
  fold_.restart(log.path);
  set_by_ = -1;
  former_ = read_tail(log, fold_.decisive_types(), accept, ops_);
}

bool PlanReader::take(const Event &event) {
  if (!fold_.take(event)) return false;
  set_by_ = event.seq;
  return true;
}

}  // namespace dsh::loader
