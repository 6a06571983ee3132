#include "projection.hpp"

#include <string_view>

#include "refusal.hpp"
#include "todo_list.hpp"

namespace dsh::todo {

bool TodoProjection::apply(std::string_view state, const Event &event, Out next) const try {
  const auto write = [next](std::string_view text) { next.write(text); };
  if (event.type != turn_start && read_logged_list(event.data, write)) return true;
  // A change goes by the event, not by the value: an equal list is news, null after null isn't.
  if (state == "null") return false;
  next.write("null");
  return true;
} catch (const Refusal &refusal) {
  throw Failure(refusal.text());
}

void TodoProjection::view(std::string_view state, Out view) const try {
  read_standing_list(state, [view](std::string_view text) { view.write(text); });
} catch (const Refusal &refusal) {
  throw Failure(refusal.text());
}

void TodoProjection::restore(std::string_view stored, Out state) const { view(stored, state); }

}  // namespace dsh::todo
