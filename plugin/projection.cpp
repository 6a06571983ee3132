#include "projection.hpp"

#include <string>

#include "refusal.hpp"
#include "todo_list.hpp"

namespace dsh::todo {

bool TodoProjection::apply(std::string_view state, const Event &event, Out next) const try {
  std::string room;
  const std::string_view list = event.type == turn_start ? "null" : read_logged_list(event.data, room);
  // A change goes by the event, not by the value: an equal list is news, null after null isn't.
  if (list == "null" && state == "null") return false;
  next.write(list);
  return true;
} catch (const Refusal &refusal) {
  throw Failure(refusal.text());
}

void TodoProjection::view(std::string_view state, Out view) const try {
  std::string room;
  view.write(read_standing_list(state, room));
} catch (const Refusal &refusal) {
  throw Failure(refusal.text());
}

void TodoProjection::restore(std::string_view stored, Out state) const { view(stored, state); }

}  // namespace dsh::todo
