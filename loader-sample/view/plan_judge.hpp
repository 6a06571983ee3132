// What people want to know of the lists in a log, beyond what the rules forbid.
#pragma once

#include <string_view>

#include "log/log_audit.hpp"
#include "services/event_names.hpp"
#include "view/unfinished_items.hpp"

namespace dsh::loader {

/// Warns of items with more keys than the tool writes, and notes what a write dropped unfinished. Of a list
/// that is none it says nothing: that is for the rules of the plugin whose list it is.
class PlanJudge final : public EventJudge {
 public:
  static bool takes(std::string_view type) {
    return type == event_type::todo_write || type == event_type::turn_start;
  }
  void check(const Event &event, Remarks &remarks) override;

 private:
  UnfinishedItems unfinished_;
};

}  // namespace dsh::loader
