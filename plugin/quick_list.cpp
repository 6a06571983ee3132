#include "quick_list.hpp"

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

}  // namespace

std::optional<WrittenList> read_call(std::string_view arguments, bool allow_parallel) {
  ListScan scan(arguments, ListScan::Form::keyed);
  ListWriter list(arguments.size());
  TextSet seen;
  ScannedItem item;
  while (scan.next(item)) {
    const std::string_view content = trim(item.content);
    if (content.empty() || !seen.insert(content)) return std::nullopt;
    list.add(content, item.status, !item.escaped);
  }
  if (!scan.complete() || (!allow_parallel && list.counts().in_progress > 1)) return std::nullopt;
  return list.finish();
}

bool is_sound(std::string_view data) {
  ListScan scan(data, ListScan::Form::keyed);
  TextSet seen;
  ScannedItem item;
  while (scan.next(item)) {
    if (item.content.empty() || trim(item.content).size() != item.content.size() ||
        !seen.insert(item.content)) {
      return false;
    }
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
