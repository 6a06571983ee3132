// The todo list: what a call may write, what a log may hold. Pure functions over text.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace dsh::todo {

enum class Status : unsigned char { pending, in_progress, completed };

/// How they are spelt, by status.
inline constexpr std::array<std::string_view, 3> status_names = {"pending", "in_progress", "completed"};

/// How many items have each status.
struct Counts {
  std::size_t pending = 0;
  std::size_t in_progress = 0;
  std::size_t completed = 0;

  std::size_t &of(Status status) noexcept {
    return status == Status::pending ? pending : status == Status::in_progress ? in_progress : completed;
  }

  std::size_t total() const noexcept { return pending + in_progress + completed; }

  bool operator==(const Counts &) const = default;
};

/// A list that passed every check of a call.
struct WrittenList {
  /// The data of its event, compact JSON: `{"todos":[{"content":…,"status":…},…]}`, contents trimmed.
  std::string data;
  Counts counts;
};

/// Checks the arguments of a call, the raw text the model wrote (empty means `{}`), and gives the list
/// they hold. Throws the first of these, in this order:
///  - SchemaRefusal where they are no JSON;
///  - Refusal where JSON cannot say a number in them (-0, 1e999);
///  - SchemaRefusal with every violation of the schema, the root being an object the first;
///  - Refusal for the first item whose trimmed content is empty or stood before;
///  - Refusal for more than one item in progress, unless `allow_parallel`.
/// Texts that are no UTF-8, or nest deeper than max_depth, are refused before all of these.
WrittenList read_call(std::string_view arguments, bool allow_parallel);

/// What is wrong with a list in a log, given the data of its event; nothing for a sound one. It is the
/// text of an invariant's violation. Extra keys and the number of items in progress are no faults.
/// Throws Refusal where `data` is null or no JSON.
std::optional<std::string> find_fault(std::string_view data);

/// Takes a text, in as many pieces as it comes in.
using Write = std::function<void(std::string_view)>;

/// Writes the value of `todos` in an event's data, as compact JSON that keeps everything the log holds;
/// nothing where there is none. False where it is null: that isn't written. Throws Refusal where `data` is
/// null or no JSON.
bool read_logged_list(std::string_view data, const Write &write);

/// Writes a list, or null, as readers see it: content and status of each item, as compact JSON. Throws
/// Refusal where `list` (JSON, or empty) is something else; part of it may be written then.
void read_standing_list(std::string_view list, const Write &write);

/// The list of a call as it was sent, untrimmed, as compact JSON; nothing where the arguments do not fit
/// the schema.
std::optional<std::string> read_sent_list(std::string_view arguments);

/// The counts in the value of a call. Throws Refusal where there are none.
Counts read_counts(std::string_view value);

}  // namespace dsh::todo
