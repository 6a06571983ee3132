#include "quick_list.hpp"

#include <string>

#include "json_text.hpp"
#include "list_scan.hpp"
#include "list_writer.hpp"
#include "text_set.hpp"
#include "wtf8.hpp"

namespace dsh::todo::quick {
namespace {

/// Reads to the end; false where the scan gave up.
bool scan_all(ListScan &scan) {
  ScannedItem item;
  while (scan.next(item)) {
  }
  return scan.complete();
}

/// Does the escape that `text` starts with stand for space?
bool is_space_escape(std::string_view text) {
  switch (text[1]) {
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return true;
    case 'u':
      return is_js_space(read_unicode_escape(text, 0)->value);
    default:
      return false;
  }
}

/// Does `raw`, the item's content without the spaces around it, start or end with space that is escaped?
bool escaped_space_at_edge(const ScannedItem &item, std::string_view raw) {
  if (raw.front() == '\\' && is_space_escape(raw)) return true;
  const std::string_view last = item.last_escape;
  return raw.data() + raw.size() == last.data() + last.size() && is_space_escape(last);
}

// The content of an item as it goes into the log: trimmed, and spelt as JSON.stringify does.
class Content {
 public:
  /// The view holds until the next call; it is empty for a blank content.
  std::string_view of(const ScannedItem &item) {
    const std::string_view raw = trim(item.raw);
    if (raw.empty() || item.last_escape.empty()) return raw;
    if (!escaped_space_at_edge(item, raw)) {
      if (item.canonical) return raw;
      spelt_.clear();
      append_respelt(spelt_, raw);
      return spelt_;
    }
    text_.clear();
    spelt_.clear();
    append_unescaped(text_, raw);
    append_quoted(spelt_, trim(text_));
    return std::string_view(spelt_).substr(1, spelt_.size() - 2);
  }

 private:
  std::string text_;
  std::string spelt_;
};

}  // namespace

std::optional<WrittenList> read_call(std::string_view arguments, bool allow_parallel) {
  ListScan scan(arguments, ListScan::Form::keyed);
  ListWriter list(arguments);
  TextSet seen;
  ScannedItem item;
  Content content;
  while (scan.next(item)) {
    const std::string_view written = list.add(content.of(item), item.status);
    if (written.empty() || !seen.insert(written)) return std::nullopt;
  }
  if (!scan.complete() || (!allow_parallel && list.counts().in_progress > 1)) return std::nullopt;
  return list.finish();
}

bool is_sound(std::string_view data) {
  ListScan scan(data, ListScan::Form::keyed);
  TextSet seen;
  ScannedItem item;
  Content content;
  while (scan.next(item)) {
    // Spelt otherwise than it goes into a log, it is not trimmed, or its spelling says nothing of equality.
    if (item.raw.empty() || content.of(item) != item.raw || !seen.insert(item.raw)) return false;
  }
  return scan.complete();
}

std::optional<std::string_view> read_logged_list(std::string_view data) {
  ListScan scan(data, ListScan::Form::keyed);
  if (!scan_all(scan) || !scan.verbatim()) return std::nullopt;
  return scan.list();
}

bool is_standing_list(std::string_view list) {
  ListScan scan(list, ListScan::Form::bare);
  return scan_all(scan) && scan.verbatim();
}

}  // namespace dsh::todo::quick
