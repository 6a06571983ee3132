#include "composition/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <boost/json.hpp>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "composition/yaml_scalar.hpp"
#include "composition/yaml_text.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

namespace json = boost::json;

constexpr std::string_view schema_tag = "tag:yaml.org,2002:";

/// What a list or a text costs in memory besides its bytes.
constexpr std::size_t value_cost = 32;

std::size_t cost(const json::value &value) {
  std::size_t sum = value_cost;
  if (const auto *text = value.if_string()) {
    sum += text->size();
  } else if (const auto *list = value.if_array()) {
    for (const auto &item : *list) {
      sum += cost(item);
    }
  } else if (const auto *object = value.if_object()) {
    for (const auto &[key, member] : *object) {
      sum += key.size() + cost(member);
    }
  }
  return sum;
}

/// Builds the value from yaml-cpp's events.
class Builder : public YAML::EventHandler {
 public:
  Builder(const YamlText &source, const YamlBounds &bounds) : source_(source), bounds_(bounds) {}

  json::value take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark &mark) override {
    if (documents_++ > 0) {
      fail(mark, "a second document, or text after the end of the first: a composition is one document");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override { complete(mark, anchor, nullptr); }

  void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      fail(mark, "an alias inside the value that it stands for");
    }
    charge(mark, cost(found->second));
    complete(mark, YAML::NullAnchor, found->second);
  }

  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                const std::string &text) override {
    charge(mark, value_cost + text.size());
    complete(mark, anchor, scalar(mark, tag, text));
  }

  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, "seq", json::array());
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, "map", json::object());
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or mapping whose end has not come yet.
  struct Open {
    YAML::Mark mark;
    YAML::anchor_t anchor;
    json::value value;
    std::string key = {};  ///< of the mapping's next value
    bool has_key = false;
  };

  [[noreturn]] void fail(const YAML::Mark &mark, const std::string &what) const {
    source_.fail(mark.is_null() ? 0 : static_cast<std::size_t>(mark.pos), what);
  }

  void charge(const YAML::Mark &mark, std::size_t bytes) {
    spent_ += bytes;
    if (spent_ > bounds_.expanded) {
      fail(mark,
           "more than " + std::to_string(bounds_.expanded) + " bytes once aliases are replaced by values");
    }
  }

  void open(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, std::string_view kind,
            json::value empty) {
    if (tag != "?" && tag != "!" && tag != std::string(schema_tag).append(kind)) {
      fail(mark, "unknown tag !<" + visible(tag) + "> of a " + (kind == "seq" ? "list" : "mapping"));
    }
    if (open_.size() >= bounds_.depth) {
      fail(mark, "more than " + std::to_string(bounds_.depth) + " lists and mappings within each other");
    }
    charge(mark, value_cost);
    open_.push_back({mark, anchor, std::move(empty)});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    complete(done.mark, done.anchor, std::move(done.value));
  }

  void complete(const YAML::Mark &mark, YAML::anchor_t anchor, json::value value) {
    if (anchor != YAML::NullAnchor) {
      charge(mark, cost(value));
      anchors_[anchor] = value;
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open &parent = open_.back();
    if (auto *list = parent.value.if_array()) {
      list->push_back(std::move(value));
    } else if (!parent.has_key) {
      parent.key = key_text(mark, value);
      parent.has_key = true;
      if (parent.value.get_object().contains(parent.key)) {
        fail(mark, "the key " + visible(json_string(parent.key)) + " stands twice in this mapping");
      }
    } else {
      parent.value.get_object().emplace(parent.key, std::move(value));
      parent.has_key = false;
    }
  }

  /// String(value), as JavaScript makes a property's name of it.
  std::string key_text(const YAML::Mark &mark, const json::value &value) const {
    switch (value.kind()) {
      case json::kind::string:
        return std::string(value.get_string());
      case json::kind::bool_:
        return value.get_bool() ? "true" : "false";
      case json::kind::double_: {
        const double number = value.get_double();
        return std::isnan(number)   ? "NaN"
               : std::isinf(number) ? (number < 0 ? "-Infinity" : "Infinity")
                                    : json_number(number);
      }
      case json::kind::object:
        return "[object Object]";
      case json::kind::array: {
        std::string joined;
        for (const auto &item : value.get_array()) {
          if (item.is_array()) {
            fail(mark, "a list within a list can't be a key");
          }
          joined += &item == value.get_array().begin() ? "" : ",";
          joined += item.is_null() ? "" : key_text(mark, item);
        }
        return joined;
      }
      default:
        return "null";
    }
  }

  json::value scalar(const YAML::Mark &mark, const std::string &tag, const std::string &text) const {
    if (tag == "?") {
      return plain(text);
    }
    if (tag == "!") {
      return text.empty() && is_absent(mark) ? json::value() : string(text);
    }
    if (tag.starts_with(schema_tag)) {
      const auto kind = std::string_view(tag).substr(schema_tag.size());
      if (kind == "str") {
        return string(text);
      }
      if (const auto value = tagged(mark, kind, text)) {
        return *value;
      }
      if (kind == "bool" || kind == "int" || kind == "float" || kind == "null") {
        fail(mark, visible(json_string(text)) + " is no !!" + std::string(kind));
      }
    }
    fail(mark, "unknown tag !<" + visible(tag) + "> of a scalar");
  }

  std::optional<json::value> tagged(const YAML::Mark &mark, std::string_view kind,
                                    const std::string &text) const {
    if (kind == "bool") {
      const auto value = yaml_bool(text);
      return value ? std::optional<json::value>(*value) : std::nullopt;
    }
    if (kind == "int" || kind == "float") {
      const auto value = kind == "int" ? yaml_int(text) : yaml_float(text);
      return value ? std::optional<json::value>(*value) : std::nullopt;
    }
    const bool absent = text.empty() && is_absent(mark);
    if (kind == "null" && (absent || is_yaml_null(text))) {
      return json::value();
    }
    if (kind == "map" && absent) {
      return json::object();
    }
    if (kind == "seq" && absent) {
      return json::array();
    }
    return std::nullopt;
  }

  json::value plain(const std::string &text) const {
    if (is_yaml_null(text)) {
      return nullptr;
    }
    if (const auto value = yaml_bool(text)) {
      return *value;
    }
    if (const auto value = yaml_int(text)) {
      return *value;
    }
    if (const auto value = yaml_float(text)) {
      return *value;
    }
    return string(text);
  }

  json::value string(const std::string &text) const { return json::string(source_.undisguised(text)); }

  /// Is there nothing after the properties of the empty scalar at `mark`, no "" and no block scalar?
  bool is_absent(const YAML::Mark &mark) const;

  const YamlText &source_;
  const YamlBounds &bounds_;
  json::value root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, json::value> anchors_;
  std::size_t spent_ = 0;
  int documents_ = 0;
};

bool Builder::is_absent(const YAML::Mark &mark) const {
  const std::string_view text = source_.text();
  auto at = static_cast<std::size_t>(mark.pos);
  while (at < text.size()) {
    if (text[at] == '!' || text[at] == '&') {
      at = std::min(text.find_first_of(" \t\n", at), text.size());
    } else if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n') {
      ++at;
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else {
      break;
    }
  }
  if (at >= text.size()) {
    return true;
  }
  const auto rest = text.substr(at);
  if (rest.starts_with("\"\"") || rest.starts_with("''")) {
    // An empty key of what follows, rather than this value?
    const auto next = rest.find_first_not_of(" \t", 2);
    const bool same_line =
        text.substr(static_cast<std::size_t>(mark.pos), at - static_cast<std::size_t>(mark.pos)).find('\n') ==
        std::string_view::npos;
    return !same_line && next != std::string_view::npos && rest[next] == ':';
  }
  return rest[0] != '|' && rest[0] != '>';
}

}  // namespace

json::value read_yaml(std::string_view text, std::string_view file, const YamlBounds &bounds) {
  if (text.size() > bounds.bytes) {
    throw Error(std::string(file) + ": more than " + std::to_string(bounds.bytes) + " bytes");
  }
  const YamlText source(text, file);
  Builder builder(source, bounds);
  try {
    std::istringstream stream(source.text());
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception &problem) {
    source.fail(problem.mark.is_null() ? 0 : static_cast<std::size_t>(problem.mark.pos), problem.msg);
  }
  return builder.take();
}

}  // namespace dsh::loader
