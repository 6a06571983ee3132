#include "log/log_reader.hpp"

#include <utility>

#include "log/zstd_source.hpp"
#include "services/event_names.hpp"
#include "text/error.hpp"

namespace dsh::loader {

void require_depth(const LogLine &line, std::uint64_t number) {
  if (line.fault() == LogLine::Fault::too_deep) throw too_deep_line(number);
}

std::string dropped_text(std::uint64_t line, const std::string &reason) {
  return "line " + std::to_string(line) + " and what follows don't count: " + reason;
}

std::string seq_gap_text(std::int64_t expected, std::int64_t got) {
  return "seq gap (expected " + std::to_string(expected) + ", got " + std::to_string(got) + ")";
}

std::string unparsable_text(const LogLine &line) { return "unparsable event, " + line.problem(); }

Error corrupt_log(const std::string &problem, std::uint64_t line) {
  return Error("corrupt session log: " + problem + " at line " + std::to_string(line) +
               ", with a finished turn behind it");
}

void read_first_line(LineReader &lines, Line &line) {
  const bool there = lines.next(line);
  if (there && line.text.starts_with(zstd_magic))
    throw Error("compressed log under a name without .zstd: rename it so that it ends in .jsonl.zstd");
  if (!there || !line.complete) throw Error("empty or header-less session log");
}

LogReader::LogReader(ByteSource &source) : lines_(source) {
  read_first_line(lines_, line_);
  header_ = parse_header_line(line_.text);
  kept_bytes_ = line_.end();
}

LogReader::LogReader(ByteSource &source, SessionHeader header, std::int64_t events, std::int64_t last_time)
    : lines_(source), header_(std::move(header)), events_(events), last_time_(last_time) {}

/// The line at hand is bad: looks whether a turn was ended behind it.
void LogReader::drop(std::string reason, bool is_turn_end, bool is_cut) {
  finished_ = true;
  dropped_ = DroppedTail{line_.number, std::move(reason), false};
  bool ended = is_turn_end;
  while (!ended && lines_.next(line_)) {
    dropped_->torn = false;
    if (!line_.complete) break;
    const bool parsed = stored_.parse(line_.text);
    if (!parsed) require_depth(stored_, line_.number);
    is_cut = is_cut && !parsed && stored_.fault() == LogLine::Fault::blank;
    dropped_->torn = is_cut;
    ended = parsed && stored_.event().type == event_type::turn_end;
  }
  if (ended) throw corrupt_log(dropped_->reason, dropped_->line);
}

bool LogReader::next() {
  if (finished_) return false;
  if (!lines_.next(line_)) {
    finished_ = true;
    return false;
  }
  if (!line_.complete) {
    finished_ = true;
    dropped_ = DroppedTail{line_.number, "incomplete last line", true};
    return false;
  }
  if (!stored_.parse(line_.text)) {
    require_depth(stored_, line_.number);
    drop(unparsable_text(stored_), false, stored_.fault() == LogLine::Fault::no_json);
    return false;
  }
  if (stored_.event().seq != events_) {
    drop(seq_gap_text(events_, stored_.event().seq), stored_.event().type == event_type::turn_end, false);
    return false;
  }
  events_ += stored_.count();
  last_time_ = stored_.last_time();
  kept_bytes_ = line_.end();
  return true;
}

}  // namespace dsh::loader
