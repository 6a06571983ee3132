// What a check found, for people and for programs.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check.hpp"
#include "text/json_text.hpp"
#include "text/listed.hpp"
#include "text/visible.hpp"
#include "view/paragraph.hpp"
#include "view/styled_line.hpp"

namespace dsh::loader::check {
namespace {

constexpr std::array verdicts = {Verdict::passed, Verdict::failed, Verdict::crashed, Verdict::skipped,
                                 Verdict::warning};

constexpr std::size_t verdict_column = 9;  // cells, the space after it included
constexpr std::size_t name_column = 25;
constexpr std::size_t least_room = 26;  // cells without which a text goes below what it belongs to

std::string padded(std::string_view text, std::size_t width) {
  std::string column(text);
  column.resize(std::max(width, column.size() + 1), ' ');
  return column;
}

/// `text` behind `head`, in rows of which those below begin `indent` cells from the left.
std::string rows(const StyledLine &head, std::string_view text, std::size_t indent) {
  std::string lines = joined(hanging(head, text, indent));
  lines.pop_back();  // the last line end
  return lines;
}

/// `text` in rows that begin `indent` cells from the left, the first one included.
std::string indented(std::string_view text, std::size_t indent, std::size_t width) {
  if (width > 0 && width < indent + least_room) indent = std::min<std::size_t>(indent, 2);
  return rows(StyledLine({.width = width}).add(std::string(indent, ' ')), text, indent);
}

/// `text` beside `left`; below it, `below` cells from the left, where the width leaves too little room.
std::string beside(const std::string &left, std::string_view text, std::size_t below, std::size_t width) {
  if (width > 0 && width < left.size() + least_room) {
    const std::string head = left.substr(0, left.find_last_not_of(' ') + 1);
    return indented(head, 0, width) + '\n' + indented(text, below, width);
  }
  return rows(StyledLine({.width = width}).add(left), text, left.size());
}

void append_json(std::string &json, const TestReport &test) {
  json += "{\"name\":" + json_string(test.name) + ",\"description\":" + json_string(test.description) +
          ",\"status\":" + json_string(to_string(test.outcome.verdict));
  if (!test.outcome.cause.empty()) json += ",\"cause\":" + json_string(visible(test.outcome.cause));
  json += ",\"seconds\":" + json_number(test.outcome.seconds) + "}";
}

void append_json(std::string &json, const LibraryReport &report) {
  json += "{\"library\":" + json_string(report.library.string()) +
          ",\"ok\":" + (report.ok() ? "true" : "false") + ",\"counts\":{";
  for (const Verdict verdict : verdicts) {
    if (verdict != verdicts.front()) json += ',';
    json += json_string(to_string(verdict)) + ":" + std::to_string(report.count(verdict));
  }
  json += "},\"tests\":[";
  for (const TestReport &test : report.tests) {
    if (&test != report.tests.data()) json += ',';
    append_json(json, test);
  }
  json += "]}";
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::crashed:
      return "crashed";
    case Verdict::skipped:
      return "skipped";
    case Verdict::warning:
      return "warning";
  }
  return "crashed";
}

std::string heading(const std::filesystem::path &library, std::uint64_t seed, std::size_t width) {
  return indented(visible(library.string()) + ", seed " + std::to_string(seed), 0, width);
}

std::string to_text(const TestReport &report, std::size_t width) {
  const std::string left =
      padded(to_string(report.outcome.verdict), verdict_column) + padded(report.name, name_column);
  std::string text = beside(left, report.description, verdict_column, width);
  if (!report.outcome.cause.empty())
    text += "\n" + indented(visible(report.outcome.cause), verdict_column, width);
  return text;
}

std::string to_entry(const TestReport &test, std::size_t width) {
  return beside(padded(test.name, name_column), test.description, 2, width);
}

std::string summary(const LibraryReport &report, std::size_t width) {
  std::vector<std::pair<std::size_t, std::string_view>> counts;
  for (const Verdict verdict : verdicts) {
    const std::size_t count = report.count(verdict);
    counts.emplace_back(verdict == Verdict::skipped ? count - report.not_run : count, to_string(verdict));
  }
  counts.emplace_back(report.not_run, report.not_run == 1 ? "test not run" : "tests not run");
  std::vector<std::string> told;
  for (const auto &[count, word] : counts)
    if (count > 0 || word == to_string(Verdict::passed))
      told.push_back(std::to_string(count) + " " + std::string(word));
  return indented(visible(report.library.string()) + ": " + listed(told), 0, width);
}

std::string to_json(const std::vector<LibraryReport> &reports, std::uint64_t seed) {
  const bool ok =
      std::all_of(reports.begin(), reports.end(), [](const LibraryReport &report) { return report.ok(); });
  std::string json = std::string("{\"ok\":") + (ok ? "true" : "false") + ",\"seed\":" + std::to_string(seed) +
                     ",\"libraries\":[";
  for (const LibraryReport &report : reports) {
    if (&report != reports.data()) json += ',';
    append_json(json, report);
  }
  return json + "]}";
}

}  // namespace dsh::loader::check
