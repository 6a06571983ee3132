#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/plan_fold.hpp"
#include "commands/progress.hpp"
#include "commands/text_lines.hpp"
#include "log/log_audit.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "view/plan_view.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

/// The invariants of the loaded plugins, going along one log.
class Rules final : public EventJudge {
 public:
  explicit Rules(PluginHost &host)
      : running_(host.services().gate), invariants_(host.invariants()), traces_(invariants_.start()) {}

  std::optional<std::string> check(const Event &event) override {
    std::optional<std::string> broken;
    try {
      invariants_.check(traces_, event);
    } catch (const Error &error) {
      broken = error.what();
    }
    invariants_.committed(traces_, event);
    return broken;
  }

 private:
  Gate::Call running_;
  const Invariants &invariants_;
  Traces traces_;
};

std::string_view word_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

Paint paint_of(Severity severity) {
  return severity == Severity::error     ? Paint::red
         : severity == Severity::warning ? Paint::yellow
                                         : Paint::dim;
}

/// One log with what was found, and the plan that stands at its end.
struct Audited {
  AuditReport report;
  Plan plan;
  std::string plan_json = "null";
};

Audited audit(const AuditTarget &target, LoadedHost &host, PlanFold &fold, Progress &progress) {
  Audited audited;
  if (!target.problem.empty()) {
    audited.report.file = target.file.path;
    audited.report.findings.push_back({0, std::nullopt, Severity::error, target.problem});
    return audited;
  }
  Rules rules(*host);
  fold.restart();
  AuditOptions options;
  options.judge = &rules;
  options.fold = [&](const Event &event) { fold.take(event); };
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.show(target.file.path, done, total);
  };
  options.check_directory = target.check_directory;
  audited.report = audit_log(target.file, options);
  audited.plan = fold.plan();
  audited.plan_json = fold.json();
  return audited;
}

std::string audited_json(const Audited &audited) {
  const AuditReport &report = audited.report;
  std::string text = "{\"file\":" + json_string(report.file) + ",\"ok\":" + (report.ok ? "true" : "false") +
                     ",\"events\":" + std::to_string(report.events) + ",\"findings\":[";
  for (const Finding &finding : report.findings) {
    if (&finding != &report.findings.front()) text += ',';
    text += "{\"line\":" + std::to_string(finding.line) + ",\"severity\":\"" +
            std::string(word_of(finding.severity)) + "\",\"text\":" + json_string(finding.text) + '}';
  }
  return text + "],\"plan\":" + audited.plan_json + '}';
}

std::string finding_line(const Finding &finding, const Style &style) {
  StyledLine line(style);
  line.add("  ").add(word_of(finding.severity), paint_of(finding.severity));
  if (finding.line > 0) line.add(" line " + std::to_string(finding.line));
  if (finding.seq) line.add(" (seq " + std::to_string(*finding.seq) + ')');
  return line.add(": ").add(shown(finding.text, style)).text();
}

std::string audited_text(const Audited &audited, const Style &style, bool whole_plan) {
  const AuditReport &report = audited.report;
  Style whole = style;
  whole.width = 0;  // a finding that is cut off tells nothing; the terminal wraps it
  StyledLine heading(whole);
  heading.add(report.ok ? "ok" : "bad", report.ok ? Paint::green : Paint::red)
      .add("  ")
      .add(shown(report.file, whole), Paint::bold)
      .add("  " + std::to_string(report.events) + (report.events == 1 ? " event" : " events"));
  std::vector<std::string> lines = {heading.text()};
  for (const Finding &finding : report.findings) lines.push_back(finding_line(finding, whole));
  if (report.findings_left_out > 0) {
    lines.push_back("  … and " + std::to_string(report.findings_left_out) + " more findings");
  }
  if (whole_plan) {
    lines.emplace_back();
    const std::vector<std::string> plan = plan_lines(audited.plan, style);
    lines.insert(lines.end(), plan.begin(), plan.end());
  } else if (audited.plan.items && !audited.plan.items->empty()) {
    lines.push_back("  plan: " + plan_row(*audited.plan.items, whole));
  }
  return joined(lines);
}

}  // namespace

int audit_command(const CommonOptions &common, const AuditRequest &request, const Output &output) {
  std::vector<AuditTarget> targets;
  for (const std::string &path : request.paths) {
    const std::vector<AuditTarget> found = find_audit_targets(path);
    targets.insert(targets.end(), found.begin(), found.end());
  }
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  PlanFold fold(*host);
  Progress progress;
  const Style style = detect_style(output.descriptor());
  bool sound = true;
  if (common.json) output.write("{\"files\":[");
  for (const AuditTarget &target : targets) {
    const Audited audited = audit(target, host, fold, progress);
    sound = sound && audited.report.ok;
    progress.wipe();
    if (common.json) {
      output.write((&target == &targets.front() ? "" : ",") + audited_json(audited));
    } else {
      output.write(audited_text(audited, style, targets.size() == 1));
    }
  }
  if (common.json) output.write("]}\n");
  return sound ? kDone : kFound;
}

}  // namespace dsh::loader
