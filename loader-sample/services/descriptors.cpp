#include "services/descriptors.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cstring>

#include "services/abi_call.hpp"
#include "services/known_members.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t most_types = 65536;
constexpr std::uint32_t most_trace_bytes = 4096;

[[noreturn]] void refuse(const std::string &what, const std::string &why) {
  throw Error(what + " refused: " + why);
}

template <typename T>
T copy_known(const T *given, const std::string &what) {
  if (given == nullptr) refuse(what, "its descriptor is null");
  std::uint32_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < least_size<T>)
    refuse(what, "its struct_size is " + std::to_string(size) + ", at least " +
                     std::to_string(least_size<T>) + " is needed");
  T own = known_members(given, size);
  own.struct_size = sizeof own;
  return own;
}

std::string copy_text(const dsh_str &text, const std::string &what, const char *member) {
  if (text.data == nullptr && text.size != 0)
    refuse(what, std::string("its ") + member + " is null, but has a size");
  const std::string_view view = from_abi(text);
  if (!is_wtf8(view)) refuse(what, std::string("its ") + member + " is not UTF-8");
  return std::string(view);
}

std::string copy_name(const dsh_str &text, const std::string &what, const char *member) {
  std::string name = copy_text(text, what, member);
  if (name.empty()) refuse(what, std::string("its ") + member + " is empty");
  return name;
}

// On one line, since it goes into lines.
std::string copy_json(const dsh_str &text, const std::string &what, const char *member) {
  std::string json = copy_text(text, what, member);
  const JsonCheck check = check_json(json);
  if (!check)
    refuse(what, std::string("its ") + member + " is not JSON: " + check.fault + " at byte " +
                     std::to_string(check.offset));
  return check.spaced ? compact_json(json) : json;
}

template <typename Function>
void require(Function function, const std::string &what, const char *member) {
  if (function == nullptr) refuse(what, std::string("its function ") + member + " is null");
}

}  // namespace

TypeFilter::TypeFilter(const dsh_str *types, std::size_t count, const std::string &what) {
  if (count > most_types || (types == nullptr && count != 0))
    refuse(what, "its list of event types is null or too long");
  types_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) types_.push_back(copy_text(types[i], what, "event type"));
}

bool TypeFilter::takes(std::string_view type) const noexcept {
  return types_.empty() || std::find(types_.begin(), types_.end(), type) != types_.end();
}

ToolDescriptor::ToolDescriptor(const dsh_tool *given)
    : abi_(copy_known(given, "tool")), name_(copy_name(abi_.name, "tool", "name")) {
  const std::string what = "tool \"" + name_ + "\"";
  require(abi_.execute, what, "execute");
  description_ = copy_text(abi_.description, what, "description");
  parameters_ = copy_json(abi_.parameters, what, "schema of the parameters");
  const boost::json::value schema = parse_json(parameters_);
  const boost::json::object *const root = schema.if_object();
  const boost::json::value *const type = root == nullptr ? nullptr : root->if_contains("type");
  if (type == nullptr || *type != "object")
    refuse(what, "its schema of the parameters is not of type \"object\"");
  if (abi_.output.size != 0) output_ = copy_json(abi_.output, what, "schema of the output");
  abi_.name = to_abi(name_);
  abi_.description = to_abi(description_);
  abi_.parameters = to_abi(parameters_);
  abi_.output = to_abi(output_);
}

InvariantDescriptor::InvariantDescriptor(const dsh_invariant *given)
    : abi_(copy_known(given, "invariant")),
      owner_(copy_name(abi_.owner, "invariant", "owner")),
      filter_(abi_.types, abi_.type_count, "invariant of " + owner_) {
  const std::string what = "invariant of " + owner_;
  require(abi_.check, what, "check");
  if (abi_.trace_size > most_trace_bytes)
    refuse(what, "its trace_size is " + std::to_string(abi_.trace_size) + ", at most " +
                     std::to_string(most_trace_bytes) + " is given");
  abi_.owner = to_abi(owner_);
  abi_.types = nullptr;
  abi_.type_count = 0;
}

UnitDescriptor::UnitDescriptor(const dsh_unit *given)
    : abi_(copy_known(given, "projection")),
      key_(copy_name(abi_.key, "projection", "key")),
      filter_(abi_.types, abi_.type_count, "projection \"" + key_ + "\"") {
  const std::string what = "projection \"" + key_ + "\"";
  require(abi_.apply, what, "apply");
  if (abi_.init.size != 0) init_ = copy_json(abi_.init, what, "first state");
  abi_.key = to_abi(key_);
  abi_.init = to_abi(init_);
  abi_.types = nullptr;
  abi_.type_count = 0;
}

ObserverDescriptor::ObserverDescriptor(const dsh_observer *given)
    : abi_(copy_known(given, "observer")), filter_(abi_.types, abi_.type_count, "observer") {
  abi_.types = nullptr;
  abi_.type_count = 0;
}

}  // namespace dsh::loader
