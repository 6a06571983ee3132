#include "view/plan.hpp"

#include <boost/json/value.hpp>

#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

/// A text as it is, anything else as its JSON.
std::string text_of(const boost::json::value &value) {
  if (const auto *text = value.if_string()) return {text->data(), text->size()};
  return to_json(value);
}

/// The item, and in `problem` (if still empty) what is wrong with it.
ShownItem read_item(const boost::json::value &value, std::size_t number, std::string &problem) {
  const auto complain = [&](std::string_view fault) {
    if (problem.empty()) problem = plan_fault::of_item(number, fault);
  };
  const auto *object = value.if_object();
  if (object == nullptr) {
    complain(plan_fault::no_object);
    return {text_of(value), Status::other, {}};
  }
  ShownItem item;
  const auto *content = object->if_contains("content");
  if (content == nullptr || !content->is_string()) complain(plan_fault::no_content);
  item.content = text_of(content != nullptr ? *content : value);
  const auto *status = object->if_contains("status");
  if (status != nullptr) item.status_text = text_of(*status);
  if (status == nullptr || !status->is_string()) {
    complain(plan_fault::no_status);
    return item;
  }
  item.status = status_of(item.status_text);
  if (item.status == Status::other) complain(plan_fault::unknown_status(item.status_text));
  return item;
}

}  // namespace

Status status_of(std::string_view word) {
  if (word == "pending") return Status::pending;
  if (word == "in_progress") return Status::in_progress;
  if (word == "completed") return Status::completed;
  return Status::other;
}

Plan read_plan(const boost::json::value &todos) {
  Plan plan;
  if (todos.is_null()) return plan;
  const auto *list = todos.if_array();
  if (list == nullptr) {
    plan.problem = plan_fault::no_list;
    return plan;
  }
  plan.items.emplace();
  for (const auto &value : *list)
    plan.items->push_back(read_item(value, plan.items->size() + 1, plan.problem));
  return plan;
}

std::string plan_fault::unknown_status(std::string_view word) {
  return "has the unknown status \"" + std::string(word) + '"';
}

std::string plan_fault::of_item(std::size_t number, std::string_view fault) {
  return "item " + std::to_string(number) + ' ' + std::string(fault);
}

void PlanCounts::add(Status status) {
  switch (status) {
    case Status::pending:
      ++pending;
      break;
    case Status::in_progress:
      ++in_progress;
      break;
    case Status::completed:
      ++completed;
      break;
    case Status::other:
      ++other;
      break;
  }
}

PlanCounts count(const ShownItems &items) {
  PlanCounts counts;
  for (const ShownItem &item : items) counts.add(item.status);
  return counts;
}

std::string summary(const PlanCounts &counts, std::string_view separator) {
  std::string text;
  const auto add = [&](std::size_t number, std::string_view what) {
    if (number == 0) return;
    if (!text.empty()) text += separator;
    text.append(std::to_string(number)).append(" ").append(what);
  };
  add(counts.completed, "completed");
  add(counts.in_progress, "in progress");
  add(counts.pending, "pending");
  add(counts.other, "other");
  return text;
}

}  // namespace dsh::loader
