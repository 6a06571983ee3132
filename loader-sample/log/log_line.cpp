#include "log/log_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "log/known_event_types.hpp"
#include "services/event_json.hpp"
#include "services/event_names.hpp"
#include "text/json_reader.hpp"
#include "text/json_runs.hpp"
#include "text/json_scan.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

/// The gap at hand in a row's `dt`.
std::optional<std::int64_t> gap_at(JsonReader &gaps) {
  std::string_view element;
  if (!gaps.value(element)) return std::nullopt;
  // -0 is an integer to the reference here, and adds nothing.
  return element == "-0" ? 0 : integer_value(element);
}

constexpr std::array<std::int64_t, 9> powers_of_ten = {1,       10,        100,        1'000,      10'000,
                                                       100'000, 1'000'000, 10'000'000, 100'000'000};

/// Steps through a line that is expected to be spelt in one way.
struct Cursor {
  const char *at;
  const char *end;

  std::size_t left() const { return static_cast<std::size_t>(end - at); }

  /// A literal: its size is known, so that no call is made.
  template <std::size_t Size>
  bool skip(const char (&text)[Size]) {
    if (left() < Size - 1 || std::memcmp(at, text, Size - 1) != 0) return false;
    at += Size - 1;
    return true;
  }

  /// Up to 15 digits: below 2^53, and no overflow. A leading 0 stands alone.
  bool number(std::int64_t &value) {
    const char *const start = at;
    value = 0;
    if (left() < 16 || std::endian::native != std::endian::little)
      while (at != end && at - start < 16 && *at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
    else if (digits(value) == 8)
      digits(value);
    const auto count = at - start;
    return count == 1 || (count > 1 && count <= 15 && *start != '0');
  }

 private:
  /// Takes the digits that stand here, of eight bytes, in behind those of `value`. Tells how many they are.
  unsigned digits(std::int64_t &value) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    bytes -= 0x3030'3030'3030'3030;
    // What was no digit is above 9 now. Those behind the first such byte don't count, nor what it borrowed.
    const std::uint64_t others = (bytes | (bytes + 0x7676'7676'7676'7676)) & 0x8080'8080'8080'8080;
    const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
    if (count == 0) return 0;
    bytes <<= 64 - 8 * count;            // zeros before them
    bytes = bytes * 10 + (bytes >> 8U);  // every second byte: two digits
    constexpr std::uint64_t mask = 0x0000'00FF'0000'00FF;
    bytes = (bytes & mask) * 0x000F'4240'0000'0064 + (bytes >> 16U & mask) * 0x0000'2710'0000'0001;
    value = value * powers_of_ten[count] + static_cast<std::int64_t>(bytes >> 32U);
    at += count;
    return count;
  }
};

}  // namespace

void append_event_line(std::string &to, const Event &event) {
  append_event_json(to, event);
  to += '\n';
}

/// The start of a line up to its seq. Most lines start as the one before.
bool LogLine::skip_usual_type(std::string_view line, std::size_t &size) {
  if (!usual_start_.empty() && line.starts_with(usual_start_)) {
    size = usual_start_.size();
    return true;
  }
  Cursor cursor{line.data(), line.data() + line.size()};
  if (!cursor.skip(R"({"type":")")) return false;
  const char *const type = cursor.at;
  while (cursor.at != cursor.end &&
         ((*cursor.at >= 'a' && *cursor.at <= 'z') || *cursor.at == '/' || *cursor.at == '-'))
    ++cursor.at;
  // Rows have no slash in their type. What is longer is no type, and not worth remembering.
  if (cursor.at - type > std::ptrdiff_t{longest_event_type}) return false;
  if (std::find(type, cursor.at, '/') == cursor.at || !cursor.skip(R"(","seq":)")) return false;
  size = line.size() - cursor.left();
  usual_start_ = line.substr(0, size);
  return true;
}

/// What stands between the seq of a line, which is at `start`, and its data.
bool LogLine::take_envelope(std::string_view text, std::size_t start, std::size_t &data) {
  constexpr std::size_t before_type = sizeof(R"({"type":")") - 1;
  constexpr std::size_t behind_type = sizeof(R"(","seq":)") - 1;
  Cursor cursor{text.data() + start, text.data() + text.size()};
  std::int64_t seq = 0;
  std::int64_t time = 0;
  if (!cursor.number(seq) || !cursor.skip(R"(,"time":)") || !cursor.number(time) ||
      !cursor.skip(R"(,"data":)"))
    return false;
  last_time_ = time;
  event_ = {seq, time, text.substr(before_type, start - before_type - behind_type), {}, {}, {}};
  packed_ = Packed::no;
  ignorable_ = false;
  data = text.size() - cursor.left();
  return true;
}

/// A line as every writer spells it: the four keys in order, whole numbers, no space. False for any other
/// line, sound or not; nothing is decided then.
bool LogLine::parse_usual(std::string_view line) {
  std::size_t start = 0;
  std::size_t size = 0;
  if (!skip_usual_type(line, start) || !take_envelope(line, start, start)) return false;
  const std::string_view rest = line.substr(start);
  // The space before it would be counted in.
  if (rest.empty() || rest.front() <= ' ' || !usual_data_.check_first(rest, size)) return false;
  event_.data = rest.substr(0, size);
  return rest.substr(size) == "}";
}

std::size_t LogLine::parse_ahead(std::string_view text) {
  std::size_t start = usual_start_.size();
  std::size_t size = 0;
  if (start == 0 || !text.starts_with(usual_start_) || !take_envelope(text, start, start)) return 0;
  const std::string_view rest = text.substr(start);
  if (!usual_data_.fits(rest, size) || !rest.substr(size).starts_with("}\n")) return 0;
  event_.data = rest.substr(0, size);
  return start + size + 2;
}

bool LogLine::parse(std::string_view line) { return parse_usual(line) || parse_any(line); }

std::string_view *LogLine::span_of(const JsonString &key) {
  if (key == "type") return &spans_.type;
  if (key == "seq") return &spans_.seq;
  if (key == "time") return &spans_.time;
  if (key == "data") return &spans_.data;
  if (key == "sourceEventSeqs") return &spans_.source_event_seqs;
  if (key == "surfaceOp") return &spans_.surface_op;
  if (key == "ignorable") return &spans_.ignorable;
  if (key == "seq0") return &spans_.seq0;
  if (key == "time0") return &spans_.time0;
  return nullptr;
}

bool LogLine::parse_any(std::string_view line) {
  packed_ = Packed::no;
  spans_ = {};
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return fail("blank line", Fault::blank);
  JsonReader reader(line);
  JsonString key;
  std::string_view span;
  while (reader.next_member(key) && reader.value(span)) {
    std::string_view *const known = span_of(key);
    if (known == nullptr) {
      ++spans_.others;
      continue;
    }
    spans_.count += known->empty() ? 1 : 0;
    *known = span;
  }
  if (!reader.finish()) {
    const bool too_deep = std::string_view(reader.problem()) == json_scan::too_deep;
    return fail(std::string(reader.problem()) + " (byte " + std::to_string(reader.position() + 1) + ")",
                too_deep ? Fault::too_deep : Fault::no_json);
  }
  if (!is_json_string(spans_.type)) return fail("its type is missing or no text");
  read_type();
  return packed_ == Packed::no ? parse_event() : parse_row();
}

void LogLine::read_type() {
  const std::string_view raw = spans_.type.substr(1, spans_.type.size() - 2);
  event_ = {};
  if (raw.find('\\') == std::string_view::npos) {
    event_.type = raw;
  } else {
    unescape_json(type_, raw);
    event_.type = type_;
  }
  if (event_.type == "text-chunks")
    packed_ = Packed::text;
  else if (event_.type == "reasoning-chunks")
    packed_ = Packed::reasoning;
  else if (event_.type == "tool-call-chunks")
    packed_ = Packed::tool_call;
}

bool LogLine::parse_event() {
  ignorable_ = spans_.ignorable == "true";
  const auto seq = integer_value(spans_.seq);
  if (!seq || *seq < 0) return fail("its seq is missing or no whole number");
  const auto time = integer_value(spans_.time);
  if (!time) return fail("its time is missing or no whole number");
  if (spans_.data.empty()) return fail("its data is missing");
  if (!spans_.source_event_seqs.empty() && !is_json_array(spans_.source_event_seqs))
    return fail("its sourceEventSeqs is no list");
  event_.seq = *seq;
  event_.time = last_time_ = *time;
  event_.data = spans_.data;
  event_.source_event_seqs = spans_.source_event_seqs;
  event_.surface_op = spans_.surface_op;
  return true;
}

bool LogLine::parse_row() {
  const std::string row = "packed row " + std::string(event_.type) + ": ";
  ignorable_ = false;
  if (spans_.others != 0 || spans_.count != 4 || spans_.seq0.empty() || spans_.time0.empty() ||
      spans_.data.empty())
    return fail(row + "its keys must be type, seq0, time0, data");
  const auto seq = integer_value(spans_.seq0);
  if (!seq || *seq < 0) return fail(row + "seq0 is no whole number");
  const auto time = integer_value(spans_.time0);
  if (!time) return fail(row + "time0 is no whole number");
  if (!is_json_object(spans_.data) || !parse_row_data())
    return fail(row + "its data is not turn, step, index, dt and the members");
  if (gaps_ + 1 != members_) return fail(row + "dt must have one gap less than members");
  if (*seq + members_ - 1 > max_safe_integer) return fail(row + "its seqs are out of range");
  last_time_ = *time;
  JsonReader gaps(row_.dt);
  while (gaps.next_element()) {
    last_time_ += *gap_at(gaps);
    if (last_time_ < -max_safe_integer || last_time_ > max_safe_integer)
      return fail(row + "its times are out of range");
  }
  event_.type = event_type::assistant_chunk;
  event_.seq = *seq;
  event_.time = *time;
  return true;
}

std::string_view *LogLine::row_span_of(const JsonString &key) {
  if (key == "turn") return &row_.turn;
  if (key == "step") return &row_.step;
  if (key == "index") return &row_.index;
  if (key == "dt") return &row_.dt;
  if (key == "texts") return &row_.texts;
  if (key == "args") return &row_.args;
  if (key == "id") return &row_.id;
  if (key == "name") return &row_.name;
  return nullptr;
}

bool LogLine::parse_row_data() {
  row_ = {};
  int keys = 0;
  JsonReader reader(spans_.data);
  JsonString key;
  while (reader.next_member(key)) {
    std::string_view *const known = row_span_of(key);
    std::string_view span;
    if (known == nullptr || !reader.value(span)) return false;
    keys += known->empty() ? 1 : 0;
    *known = span;
  }
  if (!is_json_number(row_.turn) || !is_json_number(row_.step) || !is_json_number(row_.index)) return false;
  if (packed_ != Packed::tool_call) return keys == 5 && parse_gaps(row_.dt) && parse_members(row_.texts);
  if (!is_json_string(row_.id) || (!row_.name.empty() && !is_json_string(row_.name))) return false;
  return keys == (row_.name.empty() ? 6 : 7) && parse_gaps(row_.dt) && parse_members(row_.args);
}

bool LogLine::parse_gaps(std::string_view span) {
  gaps_ = 0;
  if (!is_json_array(span)) return false;
  JsonReader reader(span);
  while (reader.next_element()) {
    if (!gap_at(reader)) return false;
    ++gaps_;
  }
  return !reader.failed();
}

bool LogLine::parse_members(std::string_view span) {
  members_ = 0;
  if (!is_json_array(span)) return false;
  JsonReader reader(span);
  while (reader.next_element()) {
    std::string_view element;
    if (!reader.value(element) || !is_json_string(element)) return false;
    ++members_;
  }
  return !reader.failed() && members_ != 0;
}

std::string LogLine::member_data(std::string_view text) const {
  std::string data = R"({"turn":)";
  data.append(row_.turn).append(R"(,"step":)").append(row_.step).append(R"(,"chunk":{"type":)");
  data += packed_ == Packed::text        ? R"("text-delta")"
          : packed_ == Packed::reasoning ? R"("reasoning-delta")"
                                         : R"("tool-call-delta")";
  data.append(R"(,"index":)").append(row_.index);
  if (packed_ == Packed::tool_call) {
    data.append(R"(,"id":)").append(row_.id);
    if (!row_.name.empty()) data.append(R"(,"name":)").append(row_.name);
    data += R"(,"argumentsDelta":)";
  } else {
    data += R"(,"text":)";
  }
  return data.append(text).append("}}");
}

bool LogLine::each(std::int64_t from, const std::function<bool(const Event &)> &each) const {
  if (!packed()) return event_.seq < from || each(event_);
  Event member = event_;
  JsonReader gaps(row_.dt);
  JsonReader texts(packed_ == Packed::tool_call ? row_.args : row_.texts);
  for (std::string_view text; texts.next_element() && texts.value(text); ++member.seq) {
    // The first has no gap before it.
    if (member.seq != event_.seq && gaps.next_element()) member.time += *gap_at(gaps);
    if (member.seq < from) continue;
    const std::string data = member_data(text);
    member.data = data;
    if (!each(member)) return false;
  }
  return true;
}

}  // namespace dsh::loader
