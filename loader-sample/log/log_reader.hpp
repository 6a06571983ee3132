// Reading a log from its start: which of its lines count.
//
// The rules are the reference's. The last line counts only with its line end. A line that is no event,
// or whose seq is not the next, is bad: if no complete turn/end line follows it, the log ends before it
// (the tail of a crash); if one does, the log is corrupt and no part of it is taken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "log/byte_source.hpp"
#include "log/line_reader.hpp"
#include "log/log_header.hpp"
#include "log/log_line.hpp"
#include "text/error.hpp"

namespace dsh::loader {

/// What a reader leaves out at the end of a log.
struct DroppedTail {
  std::uint64_t line = 0;  ///< the first line left out
  std::string reason;
  bool torn = false;  ///< it is the last line, and was cut short: without its line end, or before blank lines
};

/// The first line of a log, which the header has to be. Throws Error where there is no whole one, and for
/// a compressed log under the name of a raw one.
void read_first_line(LineReader &lines, Line &line);

/// The lines of a log that count, in order. One thread at a time.
class LogReader {
 public:
  /// Reads the header. Throws Error where it is none. `source` must outlive the reader.
  explicit LogReader(ByteSource &source);
  /// Goes on in a log of this header, behind its first `events` events; `source` stands there. Lines and
  /// bytes are counted from there.
  LogReader(ByteSource &source, SessionHeader header, std::int64_t events, std::int64_t last_time);

  const SessionHeader &header() const { return header_; }

  /// Goes to the next line that counts; false behind the last. Throws Error for a corrupt log, and for a line
  /// deeper or longer than this program reads, naming the line, but only when it gets there: what was read
  /// before belongs to no log then.
  bool next();

  /// The line at hand, until the next call.
  const LogLine &stored() const { return stored_; }
  const Line &line() const { return line_; }

  /// Events so far: the seq of the next.
  std::int64_t events() const { return events_; }
  /// Of the last event so far; 0 before the first.
  std::int64_t last_time() const { return last_time_; }
  /// Bytes of the lines so far, the header included: where the next line would begin.
  std::uint64_t kept_bytes() const { return kept_bytes_; }
  /// Once next() has returned false: what was left out, if anything.
  const std::optional<DroppedTail> &dropped() const { return dropped_; }

 private:
  void drop(std::string reason, bool is_turn_end, bool is_cut);

  LineReader lines_;
  SessionHeader header_;
  Line line_;
  LogLine stored_;
  std::int64_t events_ = 0;
  std::int64_t last_time_ = 0;
  std::uint64_t kept_bytes_ = 0;
  std::optional<DroppedTail> dropped_;
  bool finished_ = false;
};

/// Throws Error where a line that could not be parsed is too deep for this program: to take it for damage
/// would leave out, or cut off, what others read.
void require_depth(const LogLine &line, std::uint64_t number);

// What is wrong with a line, in the words that all who read logs share.

/// "line 4 and what follows don't count: …"
std::string dropped_text(std::uint64_t line, const std::string &reason);

/// "seq gap (expected 5, got 9)"
std::string seq_gap_text(std::int64_t expected, std::int64_t got);

/// "unparsable event, …", of a line that could not be parsed.
std::string unparsable_text(const LogLine &line);

/// What is thrown where a finished turn lies behind a line that does not count.
Error corrupt_log(const std::string &problem, std::uint64_t line);

}  // namespace dsh::loader
