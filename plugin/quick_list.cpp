#include "quick_list.hpp"

#include <string>

#include "fingerprint_set.hpp"
#include "json_text.hpp"
#include "list_scan.hpp"
#include "list_writer.hpp"
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

/// The content of an item without the space around it, still as it is written.
std::string_view trimmed(const ScannedItem &item) {
  return item.escaped ? trim_escaped(item.raw) : trim(item.raw);
}

}  // namespace

std::optional<WrittenList> read_call(std::string_view arguments, bool allow_parallel) {
  ListScan scan(arguments, ListScan::Form::keyed);
  ListWriter list(arguments);
  FingerprintSet seen;
  ScannedItem item;
  while (scan.next(item)) {
    const std::string_view written = list.add(trimmed(item), item.canonical, item.status);
    if (written.empty() || !seen.insert(written)) return std::nullopt;
  }
  if (!scan.complete() || (!allow_parallel && list.counts().in_progress > 1)) return std::nullopt;
  return list.finish();
}

bool is_sound(std::string_view data) {
  ListScan scan(data, ListScan::Form::keyed);
  FingerprintSet seen;
  ScannedItem item;
  while (scan.next(item)) {
    const std::string_view raw = item.raw;
    // Spelt otherwise than it goes into a log, its spelling says nothing of equality.
    if (raw.empty() || !item.canonical || trimmed(item).size() != raw.size() || !seen.insert(raw))
      return false;
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
