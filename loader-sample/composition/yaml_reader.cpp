#include "composition/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "composition/yaml_scalar.hpp"
#include "composition/yaml_syntax.hpp"
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
  if (const auto *text = value.if_string())
    sum += text->size();
  else if (const auto *list = value.if_array())
    for (const auto &item : *list) sum += cost(item);
  else if (const auto *object = value.if_object())
    for (const auto &[key, member] : *object) sum += key.size() + cost(member);
  return sum;
}

/// String(value), as JavaScript makes a property's name of it; nothing for a list within a list.
std::optional<std::string> key_text(const json::value &value) {
  switch (value.kind()) {
    case json::kind::string:
      return std::string(value.get_string());
    case json::kind::bool_:
      return value.get_bool() ? "true" : "false";
    case json::kind::double_: {
      const double number = value.get_double();
      if (std::isfinite(number)) return json_number(number);
      return std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
    }
    case json::kind::object:
      return "[object Object]";
    case json::kind::array: {
      std::string joined;
      for (const auto &item : value.get_array()) {
        joined += &item == value.get_array().begin() ? "" : ",";
        const auto part = item.is_null() ? std::string() : key_text(item);
        if (item.is_array() || !part) return std::nullopt;
        joined += *part;
      }
      return joined;
    }
    default:
      return "null";
  }
}

std::optional<json::value> plain_value(const std::string &text) {
  if (is_yaml_null(text)) return json::value();
  if (const auto boolean = yaml_bool(text)) return json::value(*boolean);
  auto number = yaml_int(text);
  if (!number) number = yaml_float(text);
  return number ? std::optional<json::value>(*number) : std::nullopt;
}

/// What `text` is under the tag !!kind; nothing when it is none. !!str is not asked for.
std::optional<json::value> tagged_value(std::string_view kind, const std::string &text, bool absent) {
  if (kind == "bool") {
    const auto value = yaml_bool(text);
    return value ? std::optional<json::value>(*value) : std::nullopt;
  }
  if (kind == "int" || kind == "float") {
    const auto value = kind == "int" ? yaml_int(text) : yaml_float(text);
    return value ? std::optional<json::value>(*value) : std::nullopt;
  }
  if (kind == "null" && (absent || is_yaml_null(text))) return json::value();
  if (absent && kind == "map") return json::object();
  return absent && kind == "seq" ? std::optional<json::value>(json::array()) : std::nullopt;
}

/// Of what the scanner stumbled over, the mistake that everybody makes with names of packages.
std::string what_to_do(std::string_view rest) {
  if (!rest.starts_with('@') && !rest.starts_with('`')) return {};
  return std::string(": a text that starts with ") + rest.front() +
         " has to be quoted, as in '@scope/package'";
}

/// Builds the value from yaml-cpp's events, and refuses what its scanner should have refused.
class Builder : public YAML::EventHandler {
 public:
  Builder(const YamlText &source, const YamlBounds &bounds)
      : source_(source), text_(source.text()), bounds_(bounds) {}

  json::value take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark &mark) override {
    if (documents_++ > 0)
      fail(offset_of(mark),
           "a second document, or text after the end of the first: a composition is one document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    const auto offset = offset_of(mark);
    check_null(offset);
    complete(offset, anchor, nullptr);
  }

  void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    const auto offset = offset_of(mark);
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(offset, "an alias inside the value that it stands for");
    check_indent(offset);
    charge(offset, cost(found->second));
    complete(offset, YAML::NullAnchor, found->second);
  }

  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                const std::string &text) override {
    const auto offset = offset_of(mark);
    charge(offset, value_cost + text.size());
    auto whole = source_.undisguised(text);
    if (const auto kept = whole.empty() ? std::nullopt : kept_line_ends(text_, offset)) {
      whole.resize(whole.find_last_not_of('\n') + 1);  // npos + 1 == 0
      whole.append(*kept, '\n');
    }
    complete(offset, anchor, scalar(offset, source_.undisguised(tag), whole));
  }

  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(offset_of(mark), tag, anchor, style == YAML::EmitterStyle::Flow, json::array());
    open_.back().indent = column_of(text_, content_of_node(text_, offset_of(mark)));
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(offset_of(mark), tag, anchor, style == YAML::EmitterStyle::Flow, json::object());
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or mapping whose end has not come yet.
  struct Open {
    std::size_t offset;
    YAML::anchor_t anchor;
    bool flow;
    json::value value;
    std::optional<std::size_t> indent = {};  ///< column of a list, or of a mapping once it has a key
    std::string key = {};                    ///< of the mapping's next value
    std::size_t key_offset = 0;
    bool has_key = false;
  };

  static std::size_t offset_of(const YAML::Mark &mark) {
    return mark.is_null() ? 0 : static_cast<std::size_t>(mark.pos);
  }

  [[noreturn]] void fail(std::size_t offset, const std::string &what) const { source_.fail(offset, what); }

  void fail_if(const std::optional<SyntaxFault> &fault) const {
    if (fault) fail(fault->offset, fault->what);
  }

  void charge(std::size_t offset, std::size_t bytes) {
    spent_ += bytes;
    if (spent_ > bounds_.expanded)
      fail(offset,
           "more than " + std::to_string(bounds_.expanded) + " bytes once aliases are replaced by values");
  }

  /// The character at `offset`; yaml-cpp marks nothing by what comes after it.
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\n'; }

  void check_null(std::size_t offset) const {
    if (at(offset) == '!' || at(offset) == '&') fail_if(find_node_fault(text_, offset));
    if (open_.empty()) return;
    const Open &parent = open_.back();
    const bool awaits_value = parent.has_key;
    if (parent.flow) {
      if (!awaits_value && at(offset) == ',') fail(offset, "nothing stands before this comma");
    } else if (parent.value.is_object() && !awaits_value && at(offset) == ':') {
      fail(offset, "no key stands before this colon");
    } else if (parent.value.is_object() && awaits_value && offset == parent.key_offset) {
      fail(offset, "a key needs a colon after it: expected `key: value`");
    }
  }

  /// Of what begins at `offset` and is the value of something written in block style.
  void check_indent(std::size_t offset) const {
    if (!open_.empty() && !open_.back().flow && (open_.back().value.is_array() || open_.back().has_key))
      fail_if(find_indent_fault(text_, offset, open_.back().indent.value_or(0)));
  }

  void open(std::size_t offset, const std::string &tag, YAML::anchor_t anchor, bool flow, json::value empty) {
    const bool is_list = empty.is_array();
    if (tag != "?" && tag != "!" && tag != std::string(schema_tag) + (is_list ? "seq" : "map"))
      fail(offset, "unknown tag !<" + visible(tag) + "> of a " + (is_list ? "list" : "mapping"));
    fail_if(find_node_fault(text_, offset));
    // A pair within a flow list comes as a mapping of block style.
    const bool in_flow = !open_.empty() && open_.back().flow;
    if (!is_list && in_flow && open_.back().value.is_object() && at(content_of_node(text_, offset)) != '{')
      fail(offset, "a comma is missing");
    if (flow) check_indent(offset);
    if (open_.size() >= bounds_.depth)
      fail(offset, "more than " + std::to_string(bounds_.depth) + " lists and mappings within each other");
    charge(offset, value_cost);
    open_.push_back({offset, anchor, flow || in_flow, std::move(empty)});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    complete(done.offset, done.anchor, std::move(done.value));
  }

  void complete(std::size_t offset, YAML::anchor_t anchor, json::value value) {
    if (anchor != YAML::NullAnchor) {
      charge(offset, cost(value));
      anchors_[anchor] = value;
    }
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (auto *list = open_.back().value.if_array()) {
      list->push_back(std::move(value));
    } else if (open_.back().has_key) {
      open_.back().value.get_object().emplace(open_.back().key, std::move(value));
      open_.back().has_key = false;
    } else {
      set_key(open_.back(), offset, value);
    }
  }

  void set_key(Open &mapping, std::size_t offset, const json::value &value) const {
    auto key = key_text(value);
    if (!key) fail(offset, "a list within a list can't be a key");
    if (mapping.value.get_object().contains(*key))
      fail(offset, "the key " + visible(json_string(*key)) + " stands twice in this mapping");
    mapping.key = std::move(*key);
    mapping.key_offset = offset;
    mapping.has_key = true;
    if (!mapping.indent) {
      // An explicit key stands behind a question mark.
      const auto before = std::string_view(text_).substr(0, offset).find_last_not_of(" \t");
      const bool is_explicit = before != std::string_view::npos && text_[before] == '?';
      mapping.indent = column_of(text_, is_explicit ? before : offset);
    }
  }

  json::value scalar(std::size_t offset, const std::string &tag, const std::string &text) const {
    fail_if(find_node_fault(text_, offset));
    const auto style = tag == "?" ? ScalarStyle::plain : scalar_style(text_, offset, text.empty());
    if (style != ScalarStyle::absent) check_indent(offset);
    const bool is_quoted = style == ScalarStyle::double_quoted || style == ScalarStyle::single_quoted;
    if (!is_quoted && has_unprintable(text))
      fail(offset, "a control character in this text: remove it, or put the text in quotes");
    if (tag == "?") {
      const auto value = plain_value(text);
      return value ? *value : json::value(text);
    }
    if (tag == "!") return style == ScalarStyle::absent ? json::value() : json::value(text);
    const auto kind = tag.starts_with(schema_tag) ? std::string_view(tag).substr(schema_tag.size()) : "";
    if (kind == "str") return json::value(text);
    if (const auto value = tagged_value(kind, text, style == ScalarStyle::absent)) return *value;
    if (kind == "bool" || kind == "int" || kind == "float" || kind == "null")
      fail(offset, visible(json_string(text)) + " is no !!" + std::string(kind));
    fail(offset, "unknown tag !<" + visible(tag) + "> of a scalar");
  }

  const YamlText &source_;
  const std::string &text_;
  const YamlBounds &bounds_;
  json::value root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, json::value> anchors_;
  std::size_t spent_ = 0;
  int documents_ = 0;
};

}  // namespace

json::value read_yaml(std::string_view text, std::string_view file, const YamlBounds &bounds) {
  if (text.size() > bounds.bytes)
    throw Error(std::string(file) + ": more than " + std::to_string(bounds.bytes) + " bytes");
  const YamlText source(text, file);
  Builder builder(source, bounds);
  try {
    std::istringstream stream(source.text());
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception &problem) {
    const std::size_t at = problem.mark.is_null() ? 0 : static_cast<std::size_t>(problem.mark.pos);
    const std::string_view rest = std::string_view(source.text()).substr(std::min(at, source.text().size()));
    source.fail(at, visible(problem.msg) + what_to_do(rest));
  }
  return builder.take();
}

}  // namespace dsh::loader
