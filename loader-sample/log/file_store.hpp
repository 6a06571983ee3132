// A session's events in its log on disk.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_header.hpp"
#include "log/log_reader.hpp"
#include "log/log_writer.hpp"
#include "services/event_store.hpp"

namespace dsh::loader {

/// Keeps 8 bytes an event in memory (where its line begins), and the lines of deferred events. The
/// FileOps that it is given outlive it.
class FileStore : public EventStore {
 public:
  /// A session that is not on disk yet: its first synced append publishes it under `root`.
  FileStore(FileOps &ops, std::string root, SessionHeader header);

  /// A session that is: reads the log of which `writer` is the writer. What the log should hold but
  /// doesn't (a closed turn, the end of the seed, marked with time `now`) is there as deferred events;
  /// settle() brings it to disk. Throws Error where the log can't be written on.
  FileStore(FileOps &ops, LogWriter writer, std::int64_t now);

  const SessionHeader &header() const { return header_; }

  std::int64_t size() const override { return std::ssize(index_); }
  void append(const Event &event, Sync sync) override;
  void read(std::int64_t from, const std::function<bool(const Event &)> &each) const override;
  std::int64_t drop_deferred() override;
  bool is_lost() const override { return writer_ && writer_->is_lost(); }

  /// What settle() mends in a log that was opened, in words: whole lines that don't count, a turn that was
  /// interrupted; empty where there is nothing of the kind.
  const std::string &repairs() const { return repairs_; }

  /// Cuts what doesn't count off the log and brings the deferred events to disk. Throws Error.
  void settle() { write(Sync::now); }

 private:
  void write(Sync sync);
  void load(std::int64_t now);
  void keep(const Event &event);

  FileOps &ops_;
  std::string root_;
  SessionHeader header_;
  std::string header_line_;             ///< as long as it is not on disk
  std::optional<LogWriter> leftover_;   ///< see LogWriter::create
  std::optional<LogWriter> writer_;     ///< none: not on disk yet
  std::uint64_t length_ = 0;            ///< of the log up to the last event on disk
  std::int64_t on_disk_ = 0;            ///< events
  std::string deferred_;                ///< the lines behind length_
  std::vector<std::size_t> turn_ends_;  ///< where in them a turn/end begins
  std::string repairs_;
  std::deque<std::uint64_t> index_;  ///< where each event's line begins; a deque never moves them
};

}  // namespace dsh::loader
