#include "tool.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "event_types.hpp"
#include "refusal.hpp"
#include "todo_list.hpp"

namespace dsh::todo {
namespace {

/// What stands before, between and behind the three counts: at most 64 characters in all.
using Around = std::array<std::string_view, 4>;

void append(std::string &text, const Around &around, const Counts &counts) {
  std::array<char, 64 + 3 * 20> room;
  char *at = room.data();
  const auto put = [&at](std::string_view part) { at = std::copy(part.begin(), part.end(), at); };
  const auto put_count = [&](std::size_t count) {
    at = std::to_chars(at, room.data() + room.size(), count).ptr;
  };
  put(around[0]);
  put_count(counts.pending);
  put(around[1]);
  put_count(counts.in_progress);
  put(around[2]);
  put_count(counts.completed);
  put(around[3]);
  text.append(room.data(), at);
}

void append_sentence(std::string &text, const Counts &counts) {
  append(text, {"Updated todo list: ", " pending, ", " in progress, ", " completed."}, counts);
}

void append_counts(std::string &value, const Counts &counts) {
  append(value, {R"("counts":{"pending":)", R"(,"inProgress":)", R"(,"completed":)", "}"}, counts);
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
  // the append would fail a call whose event stays. All is written behind the data, in the list's own room.
  const std::size_t data_size = list.data.size();
  list.data.back() = ',';
  append_counts(list.data, list.counts);
  list.data += '}';
  const std::size_t value_size = list.data.size();
  append_sentence(list.data, list.counts);
  value.write(std::string_view(list.data).substr(0, value_size));
  text.write(std::string_view(list.data).substr(value_size));

  list.data.resize(data_size);
  list.data.back() = '}';
  call.append(todo_write, list.data);
}

void TodoTool::render(std::string_view, std::string_view value, Out text) const try {
  std::string sentence;
  append_sentence(sentence, read_counts(value));
  text.write(sentence);
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
