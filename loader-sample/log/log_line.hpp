// One line of a log behind its header: an event, or a packed row of several.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "services/event.hpp"
#include "text/json_mould.hpp"

namespace dsh::loader {

struct JsonString;

/// The event's envelope (event_json.hpp) and a line end. Its JSON texts go in as they are: without line
/// breaks.
void append_event_line(std::string &to, const Event &event);

/// A parser of lines that keeps its memory from one to the next. Keys may come in any order; of a key
/// that stands there twice the last counts, as in JSON.parse.
/// One thread at a time.
class LogLine {
 public:
  /// Parses a line (without its line end; a CR before it is white space). False when it is no event and
  /// no sound packed row: then problem() says why. The views point into `line` or into this object, and
  /// live until the next parse.
  bool parse(std::string_view line);

  /// Parses the line that `text` begins with, and finds its end, where it is like the line before. Its size
  /// with the line end; 0: it is not, and nothing is known of it yet.
  std::size_t parse_ahead(std::string_view text);

  /// The same as parse() without the short cut that ordinary lines take: for tests to compare with.
  bool parse_any(std::string_view line);

  const std::string &problem() const { return problem_; }

  /// What kind of line it is that is no event.
  enum class Fault {
    blank,
    no_json,   ///< as a line is that a crash cut short
    too_deep,  ///< to this program alone, which reads no JSON that nests so deep: others may
    no_event
  };
  Fault fault() const { return fault_; }

  /// The event; of a packed row, its first member without its data (type assistant/chunk).
  const Event &event() const { return event_; }
  /// How many events it stands for.
  std::int64_t count() const { return packed_ == Packed::no ? 1 : members_; }
  bool packed() const { return packed_ != Packed::no; }
  /// `"ignorable":true`: a reader that doesn't know the type may skip it.
  bool ignorable() const { return ignorable_; }
  /// The time of the last event it stands for.
  std::int64_t last_time() const { return last_time_; }

  /// Calls each(event) for the events from seq `from` on until it returns false; returns whether it
  /// never did.
  bool each(std::int64_t from, const std::function<bool(const Event &)> &each) const;

 private:
  enum class Packed { no, text, reasoning, tool_call };

  bool fail(std::string problem, Fault fault = Fault::no_event) {
    problem_ = std::move(problem);
    fault_ = fault;
    return false;
  }
  bool skip_usual_type(std::string_view line, std::size_t &size);
  bool take_envelope(std::string_view text, std::size_t start, std::size_t &data);
  bool parse_usual(std::string_view line);
  std::string_view *span_of(const JsonString &key);
  void read_type();
  bool parse_event();
  bool parse_row();
  bool parse_row_data();
  std::string_view *row_span_of(const JsonString &key);
  bool parse_gaps(std::string_view span);
  bool parse_members(std::string_view span);
  std::string member_data(std::string_view text) const;

  Event event_;
  Packed packed_ = Packed::no;
  bool ignorable_ = false;
  std::int64_t last_time_ = 0;
  std::string type_;         ///< decoded, where it was escaped
  std::string usual_start_;  ///< of the line that was parsed the usual way last, up to its seq
  JsonMould usual_data_;
  std::string problem_;
  Fault fault_ = Fault::no_event;

  // The spans of the envelope; empty: the key isn't there. A key counts once, however often it stands there.
  struct Spans {
    std::string_view type, seq, time, data, source_event_seqs, surface_op, ignorable, seq0, time0;
    int others = 0;
    int count = 0;
  } spans_;
  // Of a packed row.
  struct Row {
    std::string_view turn, step, index, dt, texts, args, id, name;
  } row_;
  // They are counted, not kept: a row may be as long as its log.
  std::int64_t gaps_ = 0;
  std::int64_t members_ = 0;
};

}  // namespace dsh::loader
