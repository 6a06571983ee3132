#include "services/surface.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "services/event_names.hpp"
#include "text/error.hpp"
#include "text/json_reader.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::array<std::string_view, 3> surface_types = {
    event_type::user_message, event_type::assistant_message, event_type::tool_result};

[[noreturn]] void refuse(std::string_view type, const std::string &why) {
  throw Error("session event \"" + std::string(type) + "\" " + why);
}

void check_sources(std::string_view type, std::int64_t seq, std::string_view json) {
  JsonReader reader(json);
  std::string_view item;
  std::vector<std::int64_t> seqs;
  // Of more than `seq` numbers below it one stands there twice: no more are held.
  const auto enough = [&] { return std::ssize(seqs) > seq; };
  while (!enough() && reader.next_element() && reader.value(item)) {
    const auto number = integer_value(item);
    if (!number || *number < 0 || *number >= seq)
      refuse(type, "carries sourceEventSeqs that name no earlier event: " + excerpt(item, 255));
    seqs.push_back(*number);
  }
  if (!enough() && !reader.finish())
    refuse(type, "carries sourceEventSeqs that are no array of event numbers");
  if (seqs.empty() && type != event_type::assistant_message)
    refuse(type, "carries empty sourceEventSeqs, which only assistant/message may");
  std::sort(seqs.begin(), seqs.end());
  const auto twice = std::adjacent_find(seqs.begin(), seqs.end());
  if (twice != seqs.end())
    refuse(type, "names event " + std::to_string(*twice) + " twice in its sourceEventSeqs");
}

}  // namespace

bool is_surface_type(std::string_view type) noexcept {
  return std::find(surface_types.begin(), surface_types.end(), type) != surface_types.end();
}

void check_surface(std::string_view type, std::int64_t seq, std::string_view source_event_seqs,
                   std::string_view surface_op, bool seed) {
  if (!is_surface_type(type)) {
    if (!surface_op.empty()) refuse(type, "is no surface event and may not carry a surfaceOp");
    if (!source_event_seqs.empty()) refuse(type, "is no surface event and may not carry sourceEventSeqs");
    return;
  }
  if (surface_op.empty() ? !seed : (!check_json(surface_op) || surface_op == "null"))
    refuse(type, "is a surface event and needs a surfaceOp");
  if (!source_event_seqs.empty()) check_sources(type, seq, source_event_seqs);
}

}  // namespace dsh::loader
