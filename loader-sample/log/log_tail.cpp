#include "log/log_tail.hpp"

#include <algorithm>

#include "log/backward_lines.hpp"
#include "log/log_reader.hpp"
#include "log/place_rules.hpp"
#include "services/event_names.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

bool is_one_of(std::string_view type, const std::vector<std::string> &types) {
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

/// The file, before anything of it was read.
LogPlace place_in(const LogFile &file, const OpenedFile &opened) {
  LogPlace place;
  place.path = file.path;
  place.device = opened.device;
  place.inode = opened.inode;
  place.size = opened.size;
  place.changed = opened.changed;
  return place;
}

std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

/// `text` was read at an offset.
LineMark mark_of(std::string_view text, std::uint64_t offset) { return {offset, text.size(), hash_of(text)}; }

/// One search through a raw log. Lines are looked at from the last; `behind_` is the seq that the line
/// at hand must lead up to.
class TailSearch {
 public:
  using Accept = std::function<bool(const Event &)>;

  TailSearch(const LogFile &file, const std::vector<std::string> &types, const Accept &accept, FileOps &ops)
      : file_(file),
        types_(types),
        accept_(accept),
        ops_(ops),
        opened_(open_log(ops, file)),
        lines_(ops, opened_, file.path) {
    result_.place = place_in(file, opened_);
  }

  TailResult run() {
    read_header();
    read_open_turn();
    offer_candidates();
    while (!result_.found && next()) {
      if (!good_) throw corrupt_log(problem_, line_number());
      const std::int64_t end = stored_.event().seq + stored_.count();
      if (behind_ && end != *behind_) throw corrupt_log(seq_gap_text(end, *behind_), line_number() + 1);
      behind_ = stored_.event().seq;
      if (wanted()) offer(stored_, line_.text, line_.offset);
    }
    if (!result_.found && behind_.value_or(0) != 0) throw corrupt_log(seq_gap_text(0, *behind_), 2);
    result_.bytes_read += lines_.bytes_read();
    return std::move(result_);
  }

 private:
  void read_header() {
    // A header is short: a small step suffices.
    RawSource source(ops_, opened_.file, file_.path);
    LineReader reader(source, 4096);
    Line line;
    read_first_line(reader, line);
    result_.header = parse_header_line(line.text);
    require_place(file_, result_.header);
    header_end_ = line.end();
    header_mark_ = mark_of(line.text, 0);
    result_.place->header = header_mark_;
    result_.place->last = header_mark_;
    result_.bytes_read = source.position();
  }

  /// The line before; false at the header. A last line without its end doesn't count.
  bool next() {
    do {
      if (!lines_.next(line_)) return false;
      if (line_.offset < header_end_) return false;
    } while (!line_.complete);
    good_ = stored_.parse(line_.text);
    if (!good_ && stored_.fault() == LogLine::Fault::too_deep) throw too_deep_line(line_number());
    if (!good_) problem_ = unparsable_text(stored_);
    return true;
  }

  bool wanted() const { return is_one_of(stored_.event().type, types_); }

  /// Reads back to the last turn/end. Behind it a bad line ends the log, so that nothing found there is
  /// sure before all of it was read.
  void read_open_turn() {
    while (next()) {
      if (!good_) {
        end_here(line_.offset, problem_);
        continue;
      }
      const Event &event = stored_.event();
      const std::int64_t end = event.seq + stored_.count();
      if (behind_ && end != *behind_) end_here(line_.end(), seq_gap_text(end, *behind_));
      if (!behind_) {
        result_.events = event.seq + stored_.count();
        result_.last_time = stored_.last_time();
        result_.place->last = mark_of(line_.text, line_.offset);
      }
      behind_ = event.seq;
      if (wanted()) candidates_.push_back({line_.offset, line_.text.size()});
      if (event.type == event_type::turn_end) return;
    }
    if (behind_.value_or(0) != 0) end_here(header_end_, seq_gap_text(0, *behind_));
    at_start_ = true;
  }

  /// What was read so far is behind a bad line, or is one.
  void end_here(std::uint64_t offset, const std::string &reason) {
    result_.dropped = DroppedLines{offset, reason};
    behind_.reset();
    candidates_.clear();
    result_.events = 0;
    result_.last_time = 0;
    result_.place->last = header_mark_;
  }

  void offer_candidates() {
    std::string text;
    LogLine stored;
    for (const Place &place : candidates_) {
      text.resize(place.size);
      read_exactly(ops_, opened_.file, file_.path, text.data(), text.size(), place.offset);
      result_.bytes_read += text.size();
      if (!stored.parse(text)) throw Error("can't read " + file_.path + ": it was changed while it was read");
      offer(stored, text, place.offset);
      if (result_.found) return;
    }
    if (at_start_) behind_ = 0;
  }

  void offer(const LogLine &stored, std::string_view text, std::uint64_t offset) {
    result_.found = accepts(stored);
    result_.place->decisive.push_back(mark_of(text, offset));
  }

  bool accepts(const LogLine &stored) const {
    if (!stored.packed()) return accept_(stored.event());
    std::vector<OwnedEvent> members;
    stored.each(0, [&members](const Event &event) {
      members.push_back({event.seq, event.time, std::string(event.type), std::string(event.data), {}, {}});
      return true;
    });
    return std::any_of(members.rbegin(), members.rend(),
                       [this](const OwnedEvent &member) { return accept_(member.view()); });
  }

  /// Of the line at hand.
  std::uint64_t line_number() const { return line_number_at(file_, line_.offset, ops_); }

  struct Place {
    std::uint64_t offset;
    std::size_t size;
  };

  const LogFile &file_;
  const std::vector<std::string> &types_;
  const Accept &accept_;
  FileOps &ops_;
  OpenedFile opened_;
  BackwardLines lines_;
  TailResult result_;
  std::uint64_t header_end_ = 0;
  LineMark header_mark_;
  Line line_;
  LogLine stored_;
  bool good_ = false;
  std::string problem_;
  std::optional<std::int64_t> behind_;
  bool at_start_ = false;
  std::vector<Place> candidates_;
};

/// Hands over the events of the reader's line, if they are of `types`. None where they aren't; else, was one
/// taken?
std::optional<bool> offer_line(const LogReader &reader, const std::vector<std::string> &types,
                               const std::function<bool(const Event &)> &accept) {
  if (!is_one_of(reader.stored().event().type, types)) return std::nullopt;
  bool taken = false;
  reader.stored().each(0, [&](const Event &event) {
    taken = accept(event) || taken;
    return true;
  });
  return taken;
}

/// `base`: of the log's bytes, the reader's first.
std::optional<DroppedLines> dropped_by(const LogReader &reader, std::uint64_t base) {
  const auto &dropped = reader.dropped();
  if (!dropped || dropped->torn) return std::nullopt;
  return DroppedLines{base + reader.kept_bytes(), dropped->reason};
}

TailResult read_forwards(const LogFile &file, const std::vector<std::string> &types,
                         const std::function<bool(const Event &)> &accept, FileOps &ops) {
  LogSource source(file, ops);
  TailResult result;
  LogReader reader(source.bytes());
  result.header = reader.header();
  require_place(file, result.header);
  while (reader.next()) result.found = offer_line(reader, types, accept).value_or(false) || result.found;
  result.events = reader.events();
  result.last_time = reader.last_time();
  result.dropped = dropped_by(reader, 0);
  result.bytes_read = source.bytes().position();
  return result;
}

/// Reads to the end of a log that is not compressed; the reader's bytes begin at `base`.
void read_rest(LogReader &reader, std::uint64_t base, const std::vector<std::string> &types,
               const std::function<bool(const Event &)> &accept, TailResult &result, LogPlace &place) {
  while (reader.next()) {
    place.last = mark_of(reader.line().text, base + reader.line().offset);
    const std::optional<bool> taken = offer_line(reader, types, accept);
    if (!taken) continue;
    result.found = result.found || *taken;
    if (*taken) place.decisive.clear();
    place.decisive.push_back(place.last);
  }
  result.events = reader.events();
  result.last_time = reader.last_time();
  result.dropped = dropped_by(reader, base);
}

std::uint64_t end_of(const LineMark &line) { return line.offset + line.size + 1; }

bool is_still_there(FileOps &ops, const OpenedFile &opened, const LogFile &file, const LineMark &line) {
  std::string text(line.size + 1, '\0');
  read_exactly(ops, opened.file, file.path, text.data(), text.size(), line.offset);
  return text.back() == '\n' && hash_of(std::string_view(text).substr(0, line.size)) == line.hash;
}

/// Can the file that was `former`, and is now `now`, have only grown since?
bool may_have_grown(const LogPlace &former, const LogPlace &now) {
  // Under another name its header may be out of place.
  const bool same = now.path == former.path && now.device == former.device && now.inode == former.inode;
  const bool rewritten = now.size == former.size && now.changed != former.changed;
  return same && !rewritten && now.size >= end_of(former.last);
}

}  // namespace

std::uint64_t line_number_at(const LogFile &file, std::uint64_t offset, FileOps &ops) {
  LogSource source(file, ops);
  LineReader lines(source.bytes());
  Line line;
  while (lines.next(line) && line.offset < offset) {
  }
  return line.number;
}

TailResult read_tail(const LogFile &file, const std::vector<std::string> &types,
                     const std::function<bool(const Event &)> &accept, FileOps &ops) try {
  if (file.compressed || types.empty()) return read_forwards(file, types, accept, ops);
  return TailSearch(file, types, accept, ops).run();
} catch (const Error &error) {
  rethrow_naming(file, error);
}

std::optional<TailResult> read_since(const LogFile &file, const TailResult &former,
                                     const std::vector<std::string> &types,
                                     const std::function<bool(const Event &)> &accept, FileOps &ops) {
  if (file.compressed || types.empty() || !former.place) return std::nullopt;
  const OpenedFile opened = open_log(ops, file);
  LogPlace now = place_in(file, opened);
  if (!may_have_grown(*former.place, now)) return std::nullopt;
  now.header = former.place->header;
  now.last = former.place->last;
  now.decisive = former.place->decisive;
  TailResult result = former;
  result.found = false;
  result.place = now;
  result.bytes_read = 0;
  std::vector<LineMark> known = now.decisive;
  known.push_back(now.header);
  known.push_back(now.last);
  for (const LineMark &line : known) {
    if (!is_still_there(ops, opened, file, line)) return std::nullopt;
    result.bytes_read += line.size;
  }
  const std::uint64_t end = end_of(now.last);
  RawSource source(ops, opened.file, file.path, end);
  LogReader reader(source, former.header, former.events, former.last_time);
  try {
    read_rest(reader, end, types, accept, result, *result.place);
  } catch (const Error &) {
    return std::nullopt;  // who reads the whole of it can tell where the damage is
  }
  result.bytes_read += source.position();
  return result;
}

}  // namespace dsh::loader
