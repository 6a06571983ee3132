#include "log/log_audit.hpp"

#include <new>

#include "log/byte_source.hpp"
#include "log/known_event_types.hpp"
#include "log/line_reader.hpp"
#include "log/log_line.hpp"
#include "log/log_reader.hpp"
#include "log/place_rules.hpp"
#include "services/event_names.hpp"
#include "services/surface.hpp"
#include "text/error.hpp"
#include "text/json_reader.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

/// What a first line is that is no session header.
std::string foreign_text(std::string_view line, const std::string &problem) {
  const auto has = [line](std::string_view key) { return !json_member(line, key).empty(); };
  if (!check_json(line)) return problem;
  if (has("message") && (has("uuid") || has("timestamp") || has("sessionId") || has("parentUuid")))
    return "not a session log: this is another agent's transcript (Claude Code writes such lines)";
  if (has("seq") && has("data")) return problem + ": the log's header line is missing";
  return problem;
}

class Audit final : Remarks {
 public:
  Audit(const LogFile &file, const AuditOptions &options, FileOps &ops)
      : file_(file), options_(options), ops_(ops), findings_(options.limits) {
    report_.file = file.path;
  }

  AuditReport run() {
    try {
      read();
    } catch (const Error &error) {
      find(line_.number, Severity::error, error.text());
      stop_readers();
    } catch (const std::bad_alloc &) {  // other logs may need less
      find(line_.number, Severity::error, "out of memory while this log was read: no more of it is checked");
      stop_readers();
    }
    explain_bad_line();
    report_.ok = !failed_;
    report_.more_alike = findings_.more_alike();
    report_.others_left_out = findings_.others();
    report_.findings = findings_.take_findings();
    return std::move(report_);
  }

 private:
  /// Where the finding is kept, if it is.
  std::optional<std::size_t> find(std::uint64_t line, Severity severity, std::string text,
                                  std::optional<std::int64_t> seq = std::nullopt) {
    failed_ = failed_ || severity == Severity::error;
    return findings_.add({line, seq, severity, std::move(text)});
  }

  void read() {
    LogSource source(file_, ops_);
    report_.bytes = source.file_size();
    LineReader lines(source.bytes());
    if (!read_header(lines)) return;
    std::uint64_t told = 0;
    for (;;) {
      // A line like the one before is checked while its end is looked for.
      const std::size_t size = stored_.parse_ahead(lines.ahead());
      if (size != 0) {
        lines.take(size, line_);
        read_event();
      } else if (!next_line(lines)) {
        break;
      } else if (line_.complete) {
        read_line();
      } else {
        find(line_.number, Severity::warning, torn_text(line_.text.size(), ""));
      }
      constexpr std::uint64_t stride = std::uint64_t{4} << 20;
      if (options_.progress && line_.offset - told >= stride) {
        told = line_.offset;
        options_.progress(source.bytes().position(), report_.bytes);
      }
    }
    if (source.torn())
      find(line_.number, Severity::warning,
           "the last Zstandard frame is cut off: what it still held is read");
    if (turn_open_) find(line_.number, Severity::note, "the last turn is still open");
    if (options_.progress) options_.progress(report_.bytes, report_.bytes);
  }

  /// Where none can be read on, the line at hand is the one that could not be read.
  bool next_line(LineReader &lines) {
    const std::uint64_t number = line_.number + 1;
    try {
      return lines.next(line_);
    } catch (...) {
      line_.number = number;
      throw;
    }
  }

  bool read_header(LineReader &lines) {
    try {
      read_first_line(lines, line_);
      report_.header = parse_header_line(line_.text);
    } catch (const Error &error) {
      find(line_.number, Severity::error, foreign_text(line_.text, error.text()));
      return false;
    }
    const SessionHeader &header = *report_.header;
    if (const auto problem = format_problem(file_, header)) find(1, Severity::error, *problem);
    foreign_ = !header.delegation_depth;
    if (foreign_)
      find(1, Severity::warning,
           "the header lacks delegationDepth, as old logs do: it can be read, not opened to write");
    if (options_.check_directory) {
      if (const auto problem = directory_problem(file_, header)) find(1, Severity::error, *problem);
    }
    return true;
  }

  void read_line() {
    if (stored_.parse(line_.text))
      read_event();
    else
      unparsable_line();
  }

  void read_event() {
    const Event &event = stored_.event();
    if (event.seq != next_seq_) bad_line(seq_gap_text(next_seq_, event.seq), event.seq);
    next_seq_ = event.seq + stored_.count();
    if (event.type != type_.name) look_at_type(event.type);
    if (bad_) {
      read_behind_bad_line();
      return;
    }
    report_.events = next_seq_;
    if (report_.header->version == 0) check_envelope(event);
    if (type_.starts_turn) turn_open_ = true;
    if (type_.ends_turn) turn_open_ = false;
    if (type_.wanted)
      stored_.each(0, [this](const Event &one) {
        judge(one);
        return true;
      });
  }

  /// An event that doesn't count. But where a turn was ended there, nobody cuts the log, and it is told as it
  /// is.
  void read_behind_bad_line() {
    if (type_.ends_turn && bad_->turn_end == 0) bad_->turn_end = line_.number;
    if (bad_->turn_end != 0) turn_open_ = type_.starts_turn || (turn_open_ && !type_.ends_turn);
  }

  /// Most events are of the type of the one before: what there is to know of it is found out once.
  void look_at_type(std::string_view name) {
    const bool followed = !options_.judges.empty() || options_.fold;
    type_ = {std::string(name.substr(0, longest_event_type)),
             is_known_event_type(name),
             is_surface_type(name),
             followed && (!options_.wanted || options_.wanted(name)),
             name == event_type::turn_start,
             name == event_type::turn_end};
  }

  void add(Severity severity, std::string text) override {
    find(line_.number, severity, std::move(text), judged_);
  }

  void add(Severity severity, const std::string &kind, const std::function<std::string()> &text) override {
    failed_ = failed_ || severity == Severity::error;
    findings_.add({line_.number, judged_, severity, {}}, kind, text);
  }

  void judge(const Event &event) {
    judged_ = event.seq;
    for (EventJudge *const judge : options_.judges) judge->check(event, *this);
    if (options_.fold) options_.fold(event);
  }

  /// A line that is no event. Of several in a row for the like reason the first is told, and how many they
  /// are.
  void unparsable_line() {
    const LogLine::Fault fault = stored_.fault();
    if (run_ && run_->last + 1 == line_.number) {
      // What lies blank behind a line that was cut short may be of the same tail.
      const bool tail = run_->is_cut && fault == LogLine::Fault::blank;
      if (tail || kind_of(stored_.problem()) == run_->kind) {
        run_->last = line_.number;
        run_->is_cut = tail;
        return;
      }
    }
    end_run();
    const bool is_cut = !bad_ && fault == LogLine::Fault::no_json;
    const auto finding = bad_line(unparsable_text(stored_), std::nullopt);
    run_ = BadRun{finding, line_.number, line_.number, kind_of(stored_.problem()), is_cut, line_.text.size()};
    if (fault == LogLine::Fault::too_deep) stop_readers();
  }

  void end_run() {
    if (run_ && run_->last != run_->first && run_->finding)
      findings_.append_text(*run_->finding, "; unparsable up to line " + std::to_string(run_->last));
    run_.reset();
  }

  std::optional<std::size_t> bad_line(std::string text, std::optional<std::int64_t> seq) {
    const bool failed = failed_;
    const auto finding = find(line_.number, Severity::error, std::move(text), seq);
    if (!bad_) bad_ = BadLine{finding, line_.number, failed};
    return finding;
  }

  /// This program doesn't read the line at hand: the log is refused for that, where nothing was decided
  /// before.
  void stop_readers() {
    if (bad_ && bad_->turn_end == 0 && bad_->unread == 0) bad_->unread = line_.number;
  }

  /// Of an end that doesn't count, in a log that may be opened to write.
  std::string_view cut_remark() const {
    const bool written = !file_.compressed && report_.header->version == written_log_format && !foreign_;
    const bool refused = bad_ ? bad_->failed || bad_->turn_end != 0 || bad_->unread != 0 : failed_;
    return written && !refused ? ", opening to write cuts it off" : "";
  }

  /// The first bad line was cut short, and nothing but blank lines lies behind it.
  bool is_torn_tail() const {
    return run_ && run_->is_cut && run_->last > run_->first && run_->last == line_.number;
  }

  /// Says at the first bad line what became of the log.
  void explain_bad_line() {
    if (!bad_) return;
    if (is_torn_tail()) {
      failed_ = bad_->failed;
      if (run_->finding)
        findings_.replace(*run_->finding, Severity::warning, torn_text(run_->bytes, " before blank lines"));
      run_.reset();
      return;
    }
    end_run();
    if (bad_->finding) findings_.append_text(*bad_->finding, "; " + outcome());
  }

  std::string outcome() const {
    if (bad_->unread == bad_->line)
      return "this program reads no deeper ones: readers and writers refuse the log";
    if (bad_->unread != 0)
      return "readers and writers refuse the log: line " + std::to_string(bad_->unread) + " can't be read";
    if (bad_->turn_end != 0)
      return "corrupt session log: readers refuse it, a finished turn lies behind (line " +
             std::to_string(bad_->turn_end) + ")";
    return "readers drop it and all that follows" + std::string(cut_remark());
  }

  std::string torn_text(std::size_t bytes, std::string_view where) const {
    return "incomplete last line" + std::string(where) + " (" + std::to_string(bytes) +
           " bytes): readers leave it out" + std::string(cut_remark());
  }

  void check_envelope(const Event &event) {
    if (!type_.known && !stored_.ignorable()) {
      foreign_ = true;  // no damage: all of it is read, as by `plan` and `sessions`
      find(line_.number, Severity::warning,
           "event type " + json_string(excerpt(event.type, longest_event_type)) +
               " is unknown to log format 0 and may not be ignored: it can be read, not opened to write",
           event.seq);
      return;
    }
    const bool plain =
        event.source_event_seqs.empty() && event.surface_op == (type_.surface ? R"("append")" : "");
    if (!plain) find_surface_fault(event);
  }

  void find_surface_fault(const Event &event) {
    try {
      check_surface(event.type, event.seq, event.source_event_seqs, event.surface_op);
    } catch (const Error &error) {
      find(line_.number, Severity::warning, text_of(error), event.seq);
    }
  }

  /// A type of events: what it is, and who wants it.
  struct EventType {
    std::string name;
    bool known = false;
    bool surface = false;
    bool wanted = false;
    bool starts_turn = false;
    bool ends_turn = false;
  };

  struct BadLine {
    std::optional<std::size_t> finding;
    std::uint64_t line;
    bool failed;                 ///< the audit had failed before
    std::uint64_t turn_end = 0;  ///< the line of a turn/end behind it; 0: none
    std::uint64_t unread = 0;    ///< the line that stops all readers before they come to such an end; 0: none
  };

  struct BadRun {
    std::optional<std::size_t> finding;
    std::uint64_t first;
    std::uint64_t last;
    std::string kind;   ///< of the reason
    bool is_cut;        ///< the first bad line of the log, no whole JSON, and perhaps blank ones behind it
    std::size_t bytes;  ///< of the first
  };

  const LogFile &file_;
  const AuditOptions &options_;
  FileOps &ops_;
  AuditReport report_;
  FindingList findings_;
  bool failed_ = false;
  bool foreign_ = false;  ///< it holds what is read, and keeps it from being opened to write
  Line line_;
  LogLine stored_;
  std::int64_t next_seq_ = 0;
  EventType type_;              ///< of the event at hand
  std::optional<BadLine> bad_;  ///< the first one
  std::optional<BadRun> run_;
  std::int64_t judged_ = 0;  ///< the seq of the event that the judges look at
  bool turn_open_ = false;
};

}  // namespace

AuditReport audit_log(const LogFile &file, const AuditOptions &options, FileOps &ops) {
  return Audit(file, options, ops).run();
}

}  // namespace dsh::loader
