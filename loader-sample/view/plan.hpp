// The plan as people see it: items, counts, the sentence that sums them up. Pure functions.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dsh::loader {

enum class Status {
  pending,
  in_progress,
  completed,
  other  ///< a word that is none of the three: a foreign or damaged log
};

/// The status that `word` stands for.
Status status_of(std::string_view word);

/// An item as people see it. Texts are WTF-8 as the log holds them: visible() before they reach a terminal.
struct ShownItem {
  std::string content;  ///< of an item without a text in its place: its JSON
  Status status = Status::other;
  std::string status_text;  ///< the word in the log; JSON where it is no text, empty where there is none

  friend bool operator==(const ShownItem &, const ShownItem &) = default;
};

using ShownItems = std::vector<ShownItem>;

/// The key of the plan: of its projection, and of the list in the data of an event that writes it.
inline constexpr std::string_view plan_key = "todos";

/// Bytes of JSON. No agent's list is longer: what is may cost a second reading, and is not drawn beside
/// others.
inline constexpr std::size_t longest_usual_plan = std::size_t{1} << 20;

/// A plan: absent (never written, or a turn began since), or a list, which may be empty.
struct Plan {
  std::optional<ShownItems> items;
  std::string problem;  ///< why this is no sound plan; empty: it is one
};

/// What may be wrong with a stored list, in the words that the plan and its history share.
namespace plan_fault {
constexpr const char *no_list = "the plan in the log is no list";
constexpr const char *no_object = "is no object";  // of an item, like those below
constexpr const char *no_content = "has no text as its content";
constexpr const char *no_status = "has no text as its status";
std::string unknown_status(std::string_view word);
/// `item 2 is no object`; the first is number 1.
std::string of_item(std::size_t number, std::string_view fault);
}  // namespace plan_fault

struct PlanCounts {
  std::size_t completed = 0;
  std::size_t in_progress = 0;
  std::size_t pending = 0;
  std::size_t other = 0;

  void add(Status status);
  std::size_t total() const { return completed + in_progress + pending + other; }
};

/// Reads the value of the `todos` projection: a list or null. Never fails and drops no item: what is not
/// as it should be is shown as it is, and named in `problem`.
Plan read_plan(const boost::json::value &todos);

PlanCounts count(const ShownItems &items);

/// `1 completed · 2 in progress · 1 pending`; zero counts are left out, so no item at all gives an empty
/// text. Unknown statuses come last, as `1 other`.
std::string summary(const PlanCounts &counts, std::string_view separator);

}  // namespace dsh::loader
