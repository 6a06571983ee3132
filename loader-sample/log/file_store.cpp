#include "log/file_store.hpp"

#include <algorithm>
#include <array>

#include "log/known_event_types.hpp"
#include "log/turn_tracker.hpp"
#include "services/event_names.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

/// The part of a log between two offsets.
class RangeSource : public ByteSource {
 public:
  RangeSource(FileOps &ops, const LogWriter &writer, std::uint64_t begin, std::uint64_t end)
      : raw_(ops, writer.file(), writer.path(), begin), writer_(writer), size_(end - begin) {}

  std::size_t read(char *to, std::size_t size) override {
    const std::uint64_t left = size_ - raw_.position();
    if (left == 0) return 0;
    const std::size_t got = raw_.read(to, std::min<std::uint64_t>(size, left));
    if (got == 0) throw Error("the session log " + writer_.path() + " was cut by another program");
    return got;
  }
  std::uint64_t position() const override { return raw_.position(); }

 private:
  RawSource raw_;
  const LogWriter &writer_;
  std::uint64_t size_;
};

/// Bytes in memory.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  std::size_t read(char *to, std::size_t size) override {
    const std::size_t got = text_.substr(at_).copy(to, size);
    at_ += got;
    return got;
  }
  std::uint64_t position() const override { return at_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Takes white space from between the values of `json`, which then lies in `room`. False where it is no
/// JSON; empty is sound: the event has no such part.
bool make_compact(std::string_view &json, std::string &room) {
  if (json.empty()) return true;
  const JsonCheck check = check_json(json);
  if (check.spaced) json = room = compact_json(json);
  return static_cast<bool>(check);
}

/// Hands out the events of the lines in `source`, until `each` returns false (then false).
bool read_events(ByteSource &source, std::int64_t from, const std::function<bool(const Event &)> &each) {
  LineReader lines(source);
  Line line;
  LogLine stored;
  while (lines.next(line)) {
    if (!line.complete || !stored.parse(line.text))
      throw Error("the session log was changed by a program that ignores its lock: " +
                  (line.complete ? stored.problem() : "incomplete last line"));
    if (!stored.each(from, each)) return false;
  }
  return true;
}

}  // namespace

FileStore::FileStore(FileOps &ops, std::string root, SessionHeader header)
    : ops_(ops),
      root_(std::move(root)),
      header_(std::move(header)),
      header_line_(dsh::loader::header_line(header_)),
      length_(header_line_.size()) {}

FileStore::FileStore(FileOps &ops, LogWriter writer, std::int64_t now)
    : ops_(ops), writer_(std::move(writer)) {
  load(now);
}

void FileStore::load(std::int64_t now) {
  RangeSource source(ops_, *writer_, 0, writer_->length());
  LogReader reader(source);
  header_ = reader.header();
  if (header_.version != written_log_format)
    throw Error("session log format " + std::to_string(header_.version) + " is read, not written: this " +
                "program writes format " + std::to_string(written_log_format));
  if (!header_.delegation_depth) throw no_header();
  TurnTracker turns;
  while (reader.next()) {
    const LogLine &stored = reader.stored();
    const Event &event = stored.event();
    if (!is_known_event_type(event.type) && !stored.ignorable())
      throw Error("session log holds an event of unknown type \"" + visible(event.type) + "\" (seq " +
                  std::to_string(event.seq) + ", line " + std::to_string(reader.line().number) +
                  ") that may not be ignored: another release wrote it, older or newer. It can be read, not "
                  "written on");
    index_.insert(index_.end(), static_cast<std::size_t>(stored.count()), reader.line().offset);
    // Rows of chunks tell the tracker nothing but the end of the log.
    stored.each(reader.events() - 1, [&turns](const Event &last) {
      turns.follow(last);
      return true;
    });
  }
  length_ = reader.kept_bytes();
  on_disk_ = size();
  const auto &dropped = reader.dropped();
  if (dropped && !dropped->torn)
    repairs_ = "line " + std::to_string(dropped->line) + " and what followed did not count (" +
               dropped->reason + ") and were cut off";
  const std::vector<OwnedEvent> closers = turns.closers();
  if (!closers.empty())
    repairs_ +=
        std::string(repairs_.empty() ? "" : "; ") + "the last turn had been interrupted and was closed";
  for (const OwnedEvent &closer : closers) {
    keep(closer.view());
    turns.follow(closer.view());
  }
  if (size() > 0 && turns.last_type() != event_type::end_seed)
    keep({size(), now, event_type::end_seed, "{}", {}, {}});
}

void FileStore::keep(const Event &event) {
  index_.push_back(length_ + deferred_.size());
  if (event.type == event_type::turn_end) turn_ends_.push_back(deferred_.size());
  append_event_line(deferred_, event);
}

void FileStore::append(const Event &event, Sync sync) {
  const std::string type(event.type);
  if (event.seq != size())
    throw Error("event " + std::to_string(event.seq) + " can't follow event " + std::to_string(size() - 1));
  if (!is_known_event_type(event.type))
    throw UnfitEvent("session event \"" + visible(type) +
                     "\" is unknown to log format 0: it can't be stored durably");
  std::array<std::string, 3> room;
  Event stored = event;
  const bool sound = event.compact || (!event.data.empty() && make_compact(stored.data, room[0]));
  if (!sound || !make_compact(stored.source_event_seqs, room[1]) || !make_compact(stored.surface_op, room[2]))
    throw UnfitEvent("session event \"" + type + "\" carries non-JSON-serializable data");
  const std::size_t before = deferred_.size();
  const std::size_t events = index_.size();
  const std::size_t turn_ends = turn_ends_.size();
  try {
    keep(stored);
    if (deferred_.size() - before > longest_line + 1)
      throw UnfitEvent("session event \"" + type + "\" would take a line of more than " +
                       std::to_string(longest_line >> 20U) + " MiB, which no reader takes");
    if (sync != Sync::deferred) write(sync);
  } catch (...) {
    deferred_.resize(before);
    index_.resize(events);
    turn_ends_.resize(turn_ends);
    throw;
  }
}

/// A turn/end vouches for the lines before it: a reader refuses a log where one of them is bad. So none is
/// written before they are on disk.
void FileStore::write(Sync sync) {
  if (writer_ && writer_->length() != length_) writer_->truncate(length_);
  if (deferred_.empty()) return;
  if (writer_) {
    writer_->append(deferred_, turn_ends_, sync == Sync::now);
  } else {
    writer_ = LogWriter::create(ops_, root_, header_, header_line_ + deferred_, leftover_);
    header_line_.clear();
  }
  length_ += deferred_.size();
  on_disk_ = size();
  deferred_.clear();
  turn_ends_.clear();
}

void FileStore::read(std::int64_t from, const std::function<bool(const Event &)> &each) const {
  from = std::max<std::int64_t>(from, 0);
  if (from >= size()) return;
  const std::uint64_t start = index_[static_cast<std::size_t>(from)];
  if (from < on_disk_) {
    RangeSource source(ops_, *writer_, start, length_);
    if (!read_events(source, from, each)) return;
  }
  TextSource source(std::string_view(deferred_).substr(start < length_ ? 0 : start - length_));
  read_events(source, from, each);
}

std::int64_t FileStore::drop_deferred() {
  index_.resize(static_cast<std::size_t>(on_disk_));
  deferred_.clear();
  turn_ends_.clear();
  return size();
}

}  // namespace dsh::loader
