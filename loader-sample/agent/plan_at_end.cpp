#include "agent/plan_at_end.hpp"

#include <new>

#include "text/error.hpp"

namespace dsh::loader {

PlanAtEnd::PlanAtEnd(PlanFold &fold, const LogFile &log)
    : fold_(fold), log_(log), last_decides_(!fold.decisive_types().empty()) {
  fold_.restart(log_.path);
}

void PlanAtEnd::take(const Event &event) {
  if (!takes(event.type)) return;
  if (!last_decides_) {
    fold_.take(event);
    return;
  }
  last_.seq = event.seq;
  last_.time = event.time;
  last_.type = event.type;
  last_.held = event.data.size() <= longest_usual_plan;
  if (last_.held) last_.data = event.data;
}

void PlanAtEnd::finish(const Progress &progress) {
  if (last_.seq < 0) return;
  const bool folded = last_.held ? fold_held() : fold_again(progress, last_.seq, last_.seq);
  // It is malformed: one before it may not be.
  if (!folded && last_.seq > 0) fold_again(progress, 0, last_.seq - 1);
}

bool PlanAtEnd::fold_held() { return fold_.take({last_.seq, last_.time, last_.type, last_.data, {}, {}}); }

/// Folds the events from one seq to another; true where the last of them set the plan.
bool PlanAtEnd::fold_again(const Progress &progress, std::int64_t from, std::int64_t to) {
  bool folded = false;
  std::int64_t read = -1;  // the seq of the last event
  AuditOptions again;
  again.progress = progress;
  bool starved = false;  // which an audit takes for a finding of its own
  again.fold = [&](const Event &event) {
    read = event.seq;
    if (!takes(event.type) || event.seq < from || event.seq > to) return;
    starved = true;
    folded = fold_.take(event);
    starved = false;
  };
  audit_log(log_, again);
  if (starved) throw std::bad_alloc();
  if (read >= last_.seq) return folded;
  fold_.restart(log_.path);
  throw Error("the log was changed while it was read: its last list could not be read again");
}

}  // namespace dsh::loader
