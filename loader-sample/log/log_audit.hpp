// Going through a whole log, of any size, in constant memory, and telling what is wrong with it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "log/file_ops.hpp"
#include "log/finding_list.hpp"
#include "log/log_header.hpp"
#include "log/log_paths.hpp"
#include "services/event.hpp"

namespace dsh::loader {

/// Where a judge says what there is to say of the event at hand.
class Remarks {
 public:
  virtual ~Remarks() = default;
  virtual void add(Severity severity, std::string text) = 0;
  /// The same, for what logs may be full of: `text` words it if it is kept. Those with the same `kind` are
  /// alike.
  virtual void add(Severity severity, const std::string &kind, const std::function<std::string()> &text) = 0;
};

/// Rules that follow one log from its first event: those of the loaded plugins, and what else people want to
/// know. What events mean is theirs to know; the audit knows lines and turns.
class EventJudge {
 public:
  virtual ~EventJudge() = default;
  /// Called for every event that is wanted, in order. The event stays in the log, whatever is said of it.
  virtual void check(const Event &event, Remarks &remarks) = 0;
};

struct AuditReport {
  std::string file;
  bool ok = false;  ///< no finding is an error
  std::optional<SessionHeader> header;
  std::int64_t events = 0;  ///< in the sound prefix, packed rows expanded
  std::vector<Finding> findings;
  std::vector<MoreAlike> more_alike;  ///< beyond the limits, of kinds that are among the findings
  std::uint64_t others_left_out = 0;  ///< beyond the limits, of other kinds
  std::uint64_t bytes = 0;            ///< of the file
};

struct AuditOptions {
  std::vector<EventJudge *> judges;  ///< the caller's; they outlive the audit
  /// Called for every event of the sound prefix that is wanted, to fold what stands at its end.
  std::function<void(const Event &)> fold;
  /// Do `judges` and `fold` want the events of this type? The answer stays the same; without it they get all.
  std::function<bool(std::string_view type)> wanted;
  /// Called now and then with the bytes read so far and the file's size.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  FindingLimits limits;
  /// Must the directory be the one that the header's id and cwd give? Else it is not looked at.
  bool check_directory = false;
};

/// Audits one log. Never throws for what is in the file; an unreadable file is a finding too.
///
/// The judges and `fold` follow the events that a reader accepts: up to the first bad line.
/// Behind it lines are still checked for their form. A last line without its end is a warning, being
/// what a crash leaves; whole lines that readers drop or refuse are errors.
AuditReport audit_log(const LogFile &file, const AuditOptions &options, FileOps &ops = system_file_ops());

}  // namespace dsh::loader
