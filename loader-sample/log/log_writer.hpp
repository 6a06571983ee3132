// Writing a log: one writer per session, whole lines, on disk before anyone is told.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "log/file_ops.hpp"
#include "log/log_header.hpp"

namespace dsh::loader {

/// The open log of the only process that may write it. The lock is a flock on the log's own descriptor
/// and dies with the process. One thread at a time; the FileOps outlive it.
class LogWriter {
 public:
  /// Publishes a new log that holds `bytes` (its header line and first events): whole, on disk and
  /// locked, or not at all. Makes the directories it needs (0700). Throws Error, `session "x" already
  /// exists` where someone was first. Where a log was published but didn't get to disk, and couldn't be
  /// taken back either, it is left in `leftover`, still locked; the next attempt takes it back first,
  /// if it still lies under its name.
  static LogWriter create(FileOps &ops, const std::string &root, const SessionHeader &header,
                          std::string_view bytes, std::optional<LogWriter> &leftover);

  /// Opens a log and locks it. Throws Error when another process holds it, naming that process.
  static LogWriter open(FileOps &ops, const std::string &path);

  /// Appends `bytes` and has them on disk before it returns; without `sync`, with the next append.
  ///
  /// Before a barrier, an ascending position in `bytes`, everything is on disk before anything behind it is
  /// written: what is written together may reach the disk in any order, a later page without an earlier one.
  ///
  /// Throws Error when that fails; then the file has its former length again, or gets it before the next
  /// append.
  void append(std::string_view bytes, std::span<const std::size_t> barriers = {}, bool sync = true);

  /// Cuts the file, on disk before it returns. Throws Error.
  void truncate(std::uint64_t length);

  /// Have others taken the file's name away, or cut or extended it? What can't be looked at is not lost.
  bool is_lost() const;

  const File &file() const { return file_; }
  const std::string &path() const { return path_; }
  std::uint64_t length() const { return length_; }

 private:
  LogWriter(FileOps &ops, File file, std::string path, std::uint64_t length)
      : ops_(&ops), file_(std::move(file)), path_(std::move(path)), length_(length) {}
  void take_back() const;
  void write_all(std::string_view bytes);
  void sync();
  void require_name(const struct ::stat &held) const;
  void roll_back();

  FileOps *ops_;
  File file_;
  std::string path_;
  std::uint64_t length_;
  bool rollback_due_ = false;  ///< the file may be longer than length_
  bool synced_ = false;        ///< what is written is on disk; what a killed process left may not be
};

}  // namespace dsh::loader
