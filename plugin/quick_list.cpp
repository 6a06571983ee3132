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

/// What was spelt otherwise than it goes into a log says nothing of equality by its spelling.
bool insert(FingerprintSet &seen, const ScannedItem &item) {
  if (item.canonical) return seen.insert(item.raw);
  RespeltRuns runs(item.raw);
  return seen.insert_pieces([&](std::string_view &run) { return runs.next(run); });
}

void add_content(ListPieces &list, const ScannedItem &item) {
  if (item.canonical) return list.add(item.raw);
  RespeltRuns runs(item.raw);
  for (std::string_view run; runs.next(run);) list.add(run);
}

enum class Order { kept, content_first };

/// Writes the list that a scan reads as JSON.stringify would.
void respell(ListScan scan, Order order, const Write &write) {
  ListPieces list(write);
  ScannedItem item;
  while (scan.next(item)) {
    const std::string_view status = status_names[static_cast<std::size_t>(item.status)];
    list.next_item();
    if (order == Order::kept && item.status_first) {
      list.add(R"({"status":")");
      list.add(status);
      list.add(R"(","content":")");
      add_content(list, item);
    } else {
      list.add(R"({"content":")");
      add_content(list, item);
      list.add(R"(","status":")");
      list.add(status);
    }
    list.add(R"("})");
  }
  list.finish();
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
  while (scan.next(item))
    if (item.raw.empty() || trimmed(item).size() != item.raw.size() || !insert(seen, item)) return false;
  return scan.complete();
}

bool read_logged_list(std::string_view data, const Write &write) {
  ListScan scan(data, ListScan::Form::keyed);
  if (!scan_all(scan)) return false;
  if (scan.verbatim())
    write(scan.list());
  else
    respell(ListScan(data, ListScan::Form::keyed), Order::kept, write);
  return true;
}

bool read_standing_list(std::string_view list, const Write &write) {
  if (list != "null") {
    ListScan scan(list, ListScan::Form::bare);
    if (!scan_all(scan)) return false;
    if (!scan.verbatim()) {
      respell(ListScan(list, ListScan::Form::bare), Order::content_first, write);
      return true;
    }
  }
  write(list);
  return true;
}

}  // namespace dsh::todo::quick
