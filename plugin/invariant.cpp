#include "invariant.hpp"

#include <optional>
#include <string>
#include <utility>

#include "refusal.hpp"
#include "todo_list.hpp"

namespace dsh::todo {

void TodoInvariant::check(const Trace &trace, const Event &event) const try {
  if (event.type != todo_write) return;
  if (std::optional<std::string> fault = find_fault(event.data)) throw Violation(std::move(*fault));
  if (trace.turn_open == 0) throw Violation("todo/write appended outside any open turn");
} catch (const Refusal &refusal) {
  throw Failure(refusal.text());
}

void TodoInvariant::committed(Trace &trace, const Event &event) const noexcept {
  if (event.type == turn_start) trace.turn_open = 1;
  if (event.type == turn_end) trace.turn_open = 0;
}

}  // namespace dsh::todo
