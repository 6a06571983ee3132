// Script mode: one JSON object a line in, one JSON answer a line out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/plugin_host.hpp"

namespace dsh::loader {

class ScriptLine;

/// A running script on a loaded host, which outlives it. One thread.
class Script {
 public:
  explicit Script(PluginHost &host) : host_(host) {}
  ~Script() = default;
  Script(const Script &) = delete;
  Script &operator=(const Script &) = delete;

  /// Carries a line out and returns its answer, a JSON object and a line end. Whatever goes wrong is an
  /// answer, never an exception.
  std::string answer(std::string_view line);

  /// Has every `expect` held so far?
  bool as_expected() const { return as_expected_; }

 private:
  std::string full_answer(std::string_view line);
  std::int64_t events_in(const std::string &session) const;
  std::string carry_out(const ScriptLine &line);
  std::string finish(std::string fields);
  void subscribe();

  PluginHost &host_;
  bool as_expected_ = true;
  std::string session_;                      // that the line at hand names; empty: none
  std::int64_t events_before_ = 0;           // in that session
  bool tells_changes_ = false;               // since the first subscription
  std::string notified_;                     // what this line changed: JSON objects, joined by commas
  std::vector<Subscription> subscriptions_;  // oldest first
};

/// An answer for what went wrong before the first line: `{"ok":false,"error":"…"}`.
std::string failure_answer(std::string_view error);

}  // namespace dsh::loader
