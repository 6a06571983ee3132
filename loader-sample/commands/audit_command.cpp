#include <algorithm>
#include <boost/json/value.hpp>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/plan_at_end.hpp"
#include "agent/plan_fold.hpp"
#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/progress.hpp"
#include "log/audit_targets.hpp"
#include "log/log_audit.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "view/cell_width.hpp"
#include "view/paragraph.hpp"
#include "view/plan.hpp"
#include "view/plan_judge.hpp"
#include "view/plan_view.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

/// The invariants of the loaded plugins, going along one log.
class Rules final : public EventJudge {
 public:
  explicit Rules(PluginHost &host)
      : running_(host.services().gate), invariants_(host.invariants()), traces_(invariants_.start()) {}

  bool takes(std::string_view type) const { return invariants_.takes(type); }

  void check(const Event &event, Remarks &remarks) override {
    try {
      invariants_.check(traces_, event);
    } catch (const Error &error) {
      remarks.add(Severity::error, error.text());
    }
    invariants_.committed(traces_, event);
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
  std::string plan_json = "null";  ///< as the projection shows it
};

/// People want to see each kind of trouble, programs all of it; memory bounds both unless all was asked for.
FindingLimits limits_of(const CommonOptions &common, const AuditRequest &request) {
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  if (request.all) return {unlimited, unlimited};
  return common.json ? FindingLimits{1000, 1000} : FindingLimits{1000, 3};
}

/// The findings. Whatever the rules remember of the log is gone with them.
AuditReport find(const AuditTarget &target, LoadedHost &host, PlanAtEnd &plan, FindingLimits limits,
                 const PlanAtEnd::Progress &progress) {
  Rules rules(*host);
  PlanJudge changes;
  AuditOptions options;
  options.judges = {&rules, &changes};
  options.fold = [&](const Event &event) { plan.take(event); };
  options.wanted = [&](std::string_view type) {
    return rules.takes(type) || PlanJudge::takes(type) || plan.takes(type);
  };
  options.progress = progress;
  options.limits = limits;
  options.check_directory = target.check_directory;
  AuditReport report = audit_log(target.file, options);
  for (const std::string &name : target.other_names)
    report.findings.push_back({0, std::nullopt, Severity::note, "the same file lies at " + name + " too"});
  return report;
}

Audited audit(const AuditTarget &target, LoadedHost &host, PlanFold &fold, FindingLimits limits,
              Progress &shown) {
  Audited audited;
  if (!target.problem.empty()) {
    audited.report.file = target.file.path;
    audited.report.findings.push_back({0, std::nullopt, Severity::error, target.problem});
    return audited;
  }
  const auto progress = [&](std::uint64_t done, std::uint64_t total) {
    shown.show(target.file.path, done, total);
  };
  PlanAtEnd plan(fold, target.file);
  audited.report = find(target, host, plan, limits, progress);
  const auto find_no_plan = [&](const std::string &why) {
    audited.report.findings.push_back({0, std::nullopt, Severity::error, why});
    audited.report.ok = false;
  };
  try {
    plan.finish(progress);
    audited.plan_json = fold.json();
  } catch (const Error &error) {
    find_no_plan(error.text());
  } catch (const std::bad_alloc &) {  // other logs may need less
    find_no_plan("out of memory for the standing plan");
  }
  fold.restart();
  return audited;
}

std::string more_findings(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " more finding" : " more findings");
}

/// What was found beyond the limits.
std::vector<std::string> left_out(const AuditReport &report) {
  std::vector<std::string> texts;
  for (const MoreAlike &more : report.more_alike)
    texts.push_back("and " + more_findings(more.count) + " like that of line " +
                    std::to_string(report.findings[more.finding].line) + ", the last at line " +
                    std::to_string(more.last_line));
  if (report.others_left_out > 0)
    texts.push_back("and " + more_findings(report.others_left_out) + " of other kinds");
  return texts;
}

void write_json(const Output &output, Audited audited) {
  const AuditReport &report = audited.report;
  std::string text = "{\"file\":" + json_string(report.file) + ",\"ok\":" + (report.ok ? "true" : "false") +
                     ",\"events\":" + std::to_string(report.events) + ",\"findings\":[";
  auto add = [&text, first = true](const Finding &finding) mutable {
    text += std::string(first ? "" : ",") + "{\"line\":" + std::to_string(finding.line);
    if (finding.seq) text += ",\"seq\":" + std::to_string(*finding.seq);
    text += ",\"severity\":\"" + std::string(word_of(finding.severity)) +
            "\",\"text\":" + json_string(finding.text) + '}';
    first = false;
  };
  for (const Finding &finding : report.findings) add(finding);
  for (std::string &more : left_out(report)) add({0, std::nullopt, Severity::note, std::move(more)});
  output.write_json(text + "],\"plan\":");
  output.write_json(std::move(audited.plan_json));
  output.write_json("}");
}

std::vector<std::string> heading_lines(const AuditReport &report, const Style &style) {
  const std::string file = shown(report.file, style);
  const std::string events =
      "  " + std::to_string(report.events) + (report.events == 1 ? " event" : " events");
  StyledLine head(style);
  head.add(report.ok ? "ok" : "bad", report.ok ? Paint::green : Paint::red).add("  ");
  const bool fits = cell_width(file) + cell_width(events) <= head.room();
  std::vector<std::string> lines = hanging(head, file, 4, Paint::bold);
  if (fits)
    lines.back() += events;
  else
    lines.push_back("  " + events);
  return lines;
}

std::vector<std::string> finding_lines(const Finding &finding, const Style &style) {
  StyledLine line(style);
  line.add("  ").add(word_of(finding.severity), paint_of(finding.severity));
  if (finding.line > 0) line.add(" line " + std::to_string(finding.line));
  if (finding.seq) line.add(" (seq " + std::to_string(*finding.seq) + ')');
  return hanging(line.add(": "), shown(finding.text, style), 4);
}

/// The standing plan: drawn where it is all that there is to show, else in a row.
std::vector<std::string> standing_lines(const std::string &plan_json, const Style &style, bool whole) {
  if (plan_json.size() > longest_usual_plan)  // drawing it takes many times its memory
    return hanging(StyledLine(style).add("  "),
                   "plan: " + std::to_string(plan_json.size()) + " bytes, which `plan` shows", 4);
  const Plan plan = read_plan(parse_json(plan_json));
  std::vector<std::string> lines;
  if (whole) {
    lines.emplace_back();
    add_lines(lines, plan_lines(plan, style));
  } else if (plan.items && !plan.items->empty()) {
    constexpr std::string_view label = "  plan: ";
    Style rest = style;
    if (style.width != 0) rest.width = std::max(style.width, label.size() + 1) - label.size();
    lines.push_back(std::string(label) + plan_row(*plan.items, rest));
  }
  return lines;
}

std::string audited_text(const Audited &audited, const Style &style, bool whole_plan) {
  const AuditReport &report = audited.report;
  std::vector<std::string> lines = heading_lines(report, style);
  for (const Finding &finding : report.findings) add_lines(lines, finding_lines(finding, style));
  for (const std::string &text : left_out(report))
    add_lines(lines, hanging(StyledLine(style).add("  "), shown(text, style), 4));
  add_lines(lines, standing_lines(audited.plan_json, style, whole_plan));
  return joined(lines);
}

/// Another failure ends the command.
void complain_of(const std::exception_ptr &failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error &error) {
    complain(error.text());
  }
}

}  // namespace

int audit_command(const CommonOptions &common, const AuditRequest &request, const Output &output) {
  if (common.memory) throw Error("audit verifies what is on disk: leave out --memory");
  std::vector<AuditTarget> targets;
  std::vector<std::exception_ptr> failures;  // which hide nothing of what other paths lead to
  for (const std::string &path : request.paths) {
    try {
      const std::vector<AuditTarget> found = find_audit_targets(path);
      targets.insert(targets.end(), found.begin(), found.end());
    } catch (const Error &) {
      failures.push_back(std::current_exception());
    }
  }
  if (failures.size() == request.paths.size()) std::rethrow_exception(failures.front());
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  PlanFold fold(*host);
  Progress progress;
  const Style style = detect_style(output.descriptor());
  bool sound = true;
  if (common.json) output.write_json("{\"files\":[");
  for (const AuditTarget &target : targets) {
    Audited audited = audit(target, host, fold, limits_of(common, request), progress);
    sound = sound && audited.report.ok;
    progress.wipe();
    if (common.json) {
      if (&target != &targets.front()) output.write_json(",");
      write_json(output, std::move(audited));
    } else {
      output.write(audited_text(audited, style, targets.size() == 1));
    }
  }
  if (common.json) output.write("]}\n");
  for (const std::exception_ptr &failure : failures)
    if (failure != failures.back()) complain_of(failure);
  if (!failures.empty()) std::rethrow_exception(failures.back());
  return sound ? exit_done : exit_found;
}

}  // namespace dsh::loader
