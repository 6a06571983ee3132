// What an audit found in a log, in bounded memory: of many findings alike the first ones, and how many more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dsh::loader {

enum class Severity {
  note,     ///< worth knowing
  warning,  ///< unusual, but our readers take it
  error     ///< damage, or a broken rule
};

struct Finding {
  std::uint64_t line = 0;  ///< from 1; 0: the file as a whole
  std::optional<std::int64_t> seq;
  Severity severity = Severity::error;
  std::string text;
};

/// Findings that were counted and not kept, being like one that was.
struct MoreAlike {
  std::size_t finding = 0;  ///< the first of the kind, by its index
  std::uint64_t count = 0;
  std::uint64_t last_line = 0;
};

/// What findings alike have in common: the text without its numbers and without what stands in quotes.
std::string kind_of(std::string_view text);

/// How many findings a list keeps.
struct FindingLimits {
  std::size_t all = 1000;
  std::size_t alike = 1000;  ///< of one kind
};

/// Of a long text the start is kept. Two findings are of a kind if their texts differ in numbers and quoted
/// names alone. One thread at a time.
class FindingList {
 public:
  explicit FindingList(FindingLimits limits) : limits_(limits) {}

  /// Keeps or counts it; returns where it is kept, if it is.
  std::optional<std::size_t> add(Finding finding);

  /// The same for a finding without a text: `text` words it if it is kept. Those with the same `kind` are
  /// alike.
  std::optional<std::size_t> add(Finding finding, const std::string &kind,
                                 const std::function<std::string()> &text);

  /// Adds to the text of a finding that is kept.
  void append_text(std::size_t finding, const std::string &text) { findings_[finding].text += text; }

  /// Says something else of what a finding that is kept tells.
  void replace(std::size_t finding, Severity severity, std::string text) {
    findings_[finding].severity = severity;
    findings_[finding].text = std::move(text);
  }

  /// Nothing more is kept: findings are only counted.
  bool is_full() const { return findings_.size() >= limits_.all; }

  std::vector<Finding> take_findings() { return std::move(findings_); }
  /// In the order of their first findings.
  std::vector<MoreAlike> more_alike() const;
  /// How many were counted beside those: of kinds of which none is kept.
  std::uint64_t others() const { return others_; }

 private:
  struct Kind {
    std::size_t kept = 0;
    MoreAlike more;
  };

  FindingLimits limits_;
  std::vector<Finding> findings_;
  std::unordered_map<std::string, Kind> kinds_;
  std::uint64_t others_ = 0;
};

}  // namespace dsh::loader
