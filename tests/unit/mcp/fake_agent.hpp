// An agent without a host: one tool that echoes its arguments, and a plan.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "mcp/agent.hpp"
#include "text/error.hpp"

namespace dsh::loader {

class FakeAgent : public Agent {
 public:
  std::vector<ToolInfo> tools() override {
    return {{"echo", "Says it again.", R"({"type":"object"})", R"({"type":"object"})"},
            {"count", "Counts.", R"({"type":"object"})", R"({"type":"integer"})"}};
  }

  ToolResult call(std::string_view name, std::string_view arguments) override {
    calls.emplace_back(arguments);
    ToolResult result;
    if (arguments.find("fail") != std::string_view::npos) {
      result.is_error = true;
      result.message = "it failed: \xed\xa0\x80";
      result.text = "Error: " + result.message;
      return result;
    }
    changed = true;
    result.text = call_text;
    result.value = name == "count" ? "7" : "{\"echo\":" + std::string(arguments) + '}';
    return result;
  }

  std::string plan() override {
    if (plan_text.empty()) throw Error("the log is damaged");
    return plan_text;
  }

  bool plan_changed() override {
    if (on_look) on_look();
    return changed.exchange(false);
  }
  Watch watch() const override { return look_at; }

  void greet(const std::string &name) override { client = name; }
  void close() override { ++closed; }

  std::vector<std::string> calls;
  std::string call_text = "done";
  std::string plan_text = "null";
  std::atomic<bool> changed = false;
  std::function<void()> on_look;
  Watch look_at;
  std::string client;
  int closed = 0;
};

}  // namespace dsh::loader
