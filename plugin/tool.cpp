#include "tool.hpp"

#include <optional>

#include "event_types.hpp"
#include "refusal.hpp"
#include "todo_list.hpp"

namespace dsh::todo {
namespace {

std::string sentence(const Counts &counts) {
  std::string text;
  text.reserve(128);
  text.append("Updated todo list: ").append(std::to_string(counts.pending)).append(" pending, ");
  text.append(std::to_string(counts.in_progress)).append(" in progress, ");
  return text.append(std::to_string(counts.completed)).append(" completed.");
}

void append_counts(std::string &value, const Counts &counts) {
  value.append(R"("counts":{"pending":)").append(std::to_string(counts.pending));
  value.append(R"(,"inProgress":)").append(std::to_string(counts.in_progress));
  value.append(R"(,"completed":)").append(std::to_string(counts.completed)).append("}");
}

/// read_call, its refusals in the words of the contract.
WrittenList read(std::string_view arguments, bool allow_parallel) try {
  return read_call(arguments, allow_parallel);
} catch (const SchemaRefusal &refusal) {
  throw Failure(refusal.text(), "ToolArgsError", "INVALID_ARGS");
} catch (const Refusal &refusal) {
  throw Failure(refusal.text());
}

}  // namespace

void TodoTool::execute(const Call &call, Out value, Out text) const {
  WrittenList list = read(call.arguments(), allow_parallel_);
  if (!call.owned()) throw Failure("todo_write requires an owning agent session");

  // The value is the event's data with the counts beside the list. It goes out first: what fails after
  // the append would fail a call whose event stays.
  const std::size_t data_size = list.data.size();
  list.data.back() = ',';
  append_counts(list.data, list.counts);
  list.data.push_back('}');
  value.write(list.data);
  text.write(sentence(list.counts));

  list.data.resize(data_size);
  list.data.back() = '}';
  call.append(kTodoWrite, list.data);
}

void TodoTool::render(std::string_view, std::string_view value, Out text) const try {
  text.write(sentence(read_counts(value)));
} catch (const Refusal &refusal) {
  throw Failure(refusal.text());
}

bool TodoTool::present(std::string_view arguments, Out card) const {
  const std::optional<std::string> todos = read_sent_list(arguments);
  if (!todos) return false;
  card.write(R"({"card":"generic","title":"Update todo list","kind":"other","rawInput":)" + *todos + "}");
  return true;
}

}  // namespace dsh::todo
