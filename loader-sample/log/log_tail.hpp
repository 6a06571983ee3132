// Finding the last event of some types from the end of a log, without reading the whole log.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_header.hpp"
#include "log/log_paths.hpp"
#include "services/event.hpp"

namespace dsh::loader {

/// A line of a log, to be known again.
struct LineMark {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< without its line end
  std::size_t hash = 0;    ///< of its text
};

/// A log that is not compressed, as it was when it was read.
struct LogPlace {
  std::string path;
  LineMark header;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t changed = 0;        ///< when, in nanoseconds: data, name or rights
  LineMark last;                   ///< the last line that counted: the reading came to its end behind it
  std::vector<LineMark> decisive;  ///< the lines of the event taken last, and of those refused behind it
};

/// Lines at the end of a log that don't count, a torn last line aside.
struct DroppedLines {
  std::uint64_t offset = 0;  ///< where the first of them begins, among the log's bytes
  std::string reason;
};

struct TailResult {
  SessionHeader header;
  std::int64_t events = 0;     ///< how many the log holds: the seq of the last one, plus one
  std::int64_t last_time = 0;  ///< of the last event; 0 without events
  bool found = false;          ///< did `accept` take an event?
  std::uint64_t bytes_read = 0;
  std::optional<DroppedLines> dropped;
  std::optional<LogPlace> place;  ///< none: it was read from its start on
};

/// Searches the events of `types` backwards and hands each to `accept` until it takes one (returns
/// true): that event decides. The views live during the call. Which of the last lines count are the
/// reader's rules (log_reader.hpp): the event found is the last that a reader of the whole log would
/// have accepted. A compressed log can't be read backwards, and without `types` every event counts: then
/// each event in question is handed over from the first on, and the last one taken decides.
///
/// Vouches for what it read alone: the header, and the lines from the event found (from the last
/// turn/end, where that lies before it) to the end. Throws Error for damage met there, and for a file
/// whose name or directory its header doesn't fit.
TailResult read_tail(const LogFile &file, const std::vector<std::string> &types,
                     const std::function<bool(const Event &)> &accept, FileOps &ops = system_file_ops());

/// The number, from 1, of the line that begins at `offset`. Reads all before it.
std::uint64_t line_number_at(const LogFile &file, std::uint64_t offset, FileOps &ops = system_file_ops());

/// Reads what came into the log since `former` was read, and hands each event of `types` to `accept`, from
/// the first on. None where that can't be told from the new part alone, and everything has to be read again,
/// whatever `accept` was handed: the file is another, or was rewritten; its name or its header is another;
/// the log has been compressed; damage was met; every event counts, so that each would have to be as it was.
/// Throws Error where the file can't be read.
///
/// Of a rewritten log that has grown, the last line that counted and those of `types` tell, from the one that
/// decided on: a line of another type that has become one of these between two readings, with all of them in
/// their places, is not seen. In a log that has not grown, every change is, but for one in the very
/// tick of the file system's clock (some milliseconds) in which it was read.
std::optional<TailResult> read_since(const LogFile &file, const TailResult &former,
                                     const std::vector<std::string> &types,
                                     const std::function<bool(const Event &)> &accept,
                                     FileOps &ops = system_file_ops());

}  // namespace dsh::loader
