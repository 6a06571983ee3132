#include "list_writer.hpp"

#include <cstring>
#include <utility>

#include "json_text.hpp"

namespace dsh::todo {
namespace {

std::string_view name_of(Status status) noexcept { return status_names[static_cast<std::size_t>(status)]; }

/// What the counts and the sentence of a call take behind its list, so that they fit without a new
/// allocation.
constexpr std::size_t room_for_counts = 160;

/// What an item takes beside its content, and the list's end behind it.
constexpr std::size_t room_for_item = std::string_view(R"(,{"content":"","status":"in_progress"}]})").size();
static_assert(room_for_item <= room_for_counts, "an empty list has room for an item");

/// Bytes: a host is called seldom with pieces of this size.
constexpr std::size_t large_piece = std::size_t{64} << 10;

}  // namespace

void append_item(std::string &list, std::string_view content, Status status) {
  list += R"({"content":)";
  append_quoted(list, content);
  list.append(R"(,"status":")").append(name_of(status)).append(R"("})");
}

ListWriter::ListWriter(std::string_view arguments)
    : list_{std::string(arguments.size() + room_for_counts, '\0'), {}}, at_(list_.data.data()) {
  put(before_list);
}

void ListWriter::put(std::string_view text) noexcept {
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
}

template <std::size_t Size>
void ListWriter::put(const char (&text)[Size]) noexcept {
  std::memcpy(at_, text, Size - 1);
  at_ += Size - 1;
}

void ListWriter::put_status(Status status) noexcept {
  switch (status) {
    case Status::pending:
      return put(R"(","status":"pending"})");
    case Status::in_progress:
      return put(R"(","status":"in_progress"})");
    case Status::completed:
      return put(R"(","status":"completed"})");
  }
}

std::string_view ListWriter::add(std::string_view raw, bool canonical, Status status) noexcept {
  const std::size_t room = list_.data.size() - static_cast<std::size_t>(at_ - list_.data.data());
  if (room < raw.size() + room_for_item) return {};
  if (list_.counts.total() > 0) put(",");
  ++list_.counts.of(status);
  put(R"({"content":")");
  const char *const content = at_;
  if (canonical)
    put(raw);
  else
    at_ = put_respelt(at_, raw);
  const std::string_view written(content, static_cast<std::size_t>(at_ - content));
  put_status(status);
  return written;
}

WrittenList ListWriter::finish() {
  put(after_list);
  list_.data.resize(static_cast<std::size_t>(at_ - list_.data.data()));
  return std::move(list_);
}

std::string &ListPieces::next_item() {
  if (text_.size() >= large_piece) pass_on();
  if (!std::exchange(first_, false)) text_ += ',';
  return text_;
}

void ListPieces::add(std::string_view part) {
  if (part.size() < large_piece) {
    text_ += part;
    if (text_.size() >= large_piece) pass_on();
  } else {
    pass_on();
    write_(part);
  }
}

void ListPieces::finish() {
  text_ += ']';
  pass_on();
}

void ListPieces::pass_on() {
  write_(text_);
  text_.clear();
}

}  // namespace dsh::todo
