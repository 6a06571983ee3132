// The tools of a plugin, each ready to be called by a test.
#pragma once

#include <string>

#include "check/subject.hpp"
#include "check/verdict.hpp"

namespace dsh::loader::check {

/// Calls `function(rig, session, tool)` for an instance of each config, a session with an open turn and each
/// tool. Throws a Finding where there is none.
template <class Function>
void each_tool(Subject &subject, Function &&function) {
  bool any = false;
  for (const std::string &config : subject.timely(subject.configs())) {
    const auto rig = subject.applied(config, subject.options());
    RigSession &session = rig->session("s");
    session.open_turn();
    for (const ToolCopy &tool : rig->tools()) {
      any = true;
      function(*rig, session, tool);
    }
  }
  if (!any) skip("it registers no tool");
}

}  // namespace dsh::loader::check
