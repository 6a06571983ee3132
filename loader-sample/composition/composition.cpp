#include "composition/composition.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "composition/yaml_reader.hpp"
#include "text/advised_error.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

namespace json = boost::json;

/// What the reference keeps in packages of their own and this host brings along.
constexpr std::array<std::string_view, 6> host_packages = {
    "@deepseek-ai/dsh-agent",   "@deepseek-ai/dsh-system-prompt",      "@deepseek-ai/dsh-tools",
    "@deepseek-ai/dsh-session", "@deepseek-ai/dsh-session-projection", "@deepseek-ai/dsh-invariants"};

constexpr std::array<std::string_view, 6> known_keys = {"id",       "name",   "config",
                                                        "disabled", "inject", "group"};

constexpr std::string_view builtin_prefix = "cordis:";
constexpr std::string_view group_name = "cordis:group";

bool is_truthy(const json::value *value) {
  if (value == nullptr || value->is_null()) return false;
  if (const auto *boolean = value->if_bool()) return *boolean;
  if (const auto *number = value->if_double()) return *number != 0 && !std::isnan(*number);
  const auto *text = value->if_string();
  return text == nullptr || !text->empty();
}

/// Numbers that JSON cannot spell become texts, as the contract has it.
void spell_non_finite(json::value &value) {
  if (auto *number = value.if_double(); number != nullptr && !std::isfinite(*number))
    value = std::isnan(*number) ? ".nan" : *number < 0 ? "-.inf" : ".inf";
  else if (auto *list = value.if_array())
    for (auto &item : *list) spell_non_finite(item);
  else if (auto *object = value.if_object())
    for (auto &member : *object) spell_non_finite(member.value());
}

/// Turns the lists of a composition into entries.
class Reader {
 public:
  explicit Reader(std::string file_name) : file_name_(std::move(file_name)) {}

  void read(const json::array &list, const std::string &group, bool group_disabled) {
    int count = 0;
    for (const auto &item : list) {
      std::string numbers = group;
      numbers.append(group.empty() ? "" : ".").append(std::to_string(++count));
      read_entry(item, numbers, group_disabled);
    }
  }

  Composition take(const std::filesystem::path &file) {
    name_the_nameless();
    return {file, std::move(entries_), std::move(remarks_)};
  }

 private:
  std::string place(const std::string &numbers) const { return file_name_ + ", entry " + numbers; }

  [[noreturn]] void fail(const std::string &numbers, const std::string &what) const {
    throw Error(place(numbers) + ": " + what);
  }

  void read_entry(const json::value &item, const std::string &numbers, bool group_disabled) {
    const auto *object = item.if_object();
    if (object == nullptr)
      fail(numbers,
           "expected a mapping with a name, found " + std::string(item.is_null()    ? "nothing"
                                                                  : item.is_array() ? "a list"
                                                                                    : "a plain value"));
    remark_unknown_keys(*object, numbers);
    const bool marked_disabled = group_disabled || is_truthy(object->if_contains("disabled"));
    Entry entry;
    entry.disabled = marked_disabled && !is_truthy(object->if_contains("group"));
    entry.id = id_of(*object, numbers);
    entry.name = name_of(*object, numbers, entry.disabled);
    if (entry.name == group_name) {
      // A disabled group holds nothing; in one that is loaded nevertheless (`group: true`) the entries
      // still inherit `disabled`, as in the reference.
      if (!entry.disabled) read_group(*object, numbers, marked_disabled);
      return;
    }
    if (!entry.disabled && entry.name.starts_with(builtin_prefix))
      fail(numbers, "unknown built-in plugin " + visible(entry.name) + ": this host knows " +
                        std::string(group_name) + " alone");
    entry.inject = inject_of(*object, numbers);
    entry.host_provided =
        std::find(host_packages.begin(), host_packages.end(), entry.name) != host_packages.end();
    const auto *config = object->if_contains("config");
    json::value copy = config == nullptr ? json::value() : *config;
    spell_non_finite(copy);
    entry.config_json = to_json(copy);
    entries_.push_back(std::move(entry));
    numbers_.push_back(numbers);
  }

  /// They are ignored, and a mistyped one would be in silence: `disable: true` disables nothing.
  void remark_unknown_keys(const json::object &object, const std::string &numbers) {
    for (const auto &member : object) {
      const std::string_view key = member.key();
      if (std::find(known_keys.begin(), known_keys.end(), key) != known_keys.end()) continue;
      remarks_.push_back(place(numbers) + ": the key " + to_json(json::value(key)) +
                         " is ignored; an entry has id, name, config, disabled, inject and group");
    }
  }

  void read_group(const json::object &object, const std::string &numbers, bool disabled) {
    const auto *config = object.if_contains("config");
    if (config == nullptr || config->is_null()) return;
    const auto *list = config->if_array();
    if (list == nullptr) fail(numbers, "the config of a group must be a list of entries");
    read(*list, numbers, disabled);
  }

  /// The id as given, empty where it is left to us. Keeps it.
  std::string id_of(const json::object &object, const std::string &numbers) {
    const auto *value = object.if_contains("id");
    if (!is_truthy(value)) return {};
    std::string id;
    if (const auto *text = value->if_string())
      id = std::string(*text);
    else if (const auto *number = value->if_double())
      id = json_number(*number);
    else
      fail(numbers, "the id must be a text");
    if (!ids_.insert(id).second) throw Error("duplicate loader entry id: " + id);
    return id;
  }

  std::string name_of(const json::object &object, const std::string &numbers, bool disabled) const {
    const auto *value = object.if_contains("name");
    const auto *text = value == nullptr ? nullptr : value->if_string();
    if (text != nullptr && !text->empty()) return std::string(*text);
    if (disabled) return {};  // nobody looks at it
    if (text != nullptr) fail(numbers, "the name is empty: give the plugin's name");
    fail(numbers, value == nullptr || value->is_null() ? "the name is missing: give the plugin's name"
                                                       : "the name must be a text");
  }

  std::vector<std::string> inject_of(const json::object &object, const std::string &numbers) const {
    const auto *value = object.if_contains("inject");
    if (!is_truthy(value)) return {};
    std::vector<std::string> services;
    const auto *list = value->if_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto *text = (*list)[i].if_string();
      if (text == nullptr || text->empty()) {
        list = nullptr;
        break;
      }
      services.emplace_back(*text);
    }
    if (list == nullptr) fail(numbers, "inject must be a list of service names");
    return services;
  }

  void name_the_nameless() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].id.empty()) continue;
      std::string id = "entry-" + numbers_[i];
      std::replace(id.begin(), id.end(), '.', '-');
      while (!ids_.insert(id).second) id += '\'';
      entries_[i].id = id;
    }
  }

  std::string file_name_;
  std::vector<Entry> entries_;
  std::vector<std::string> remarks_;
  std::vector<std::string> numbers_;  ///< of entries_, for the ids that are made up
  std::set<std::string> ids_;
};

std::string read_file(const std::filesystem::path &file) {
  const auto shown = visible_path(file);
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem))
    throw Error("can't read the composition " + shown + ": it is a directory");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  // One byte beyond the bound shows that the file exceeds it. Memory grows with what is there: filling
  // that of the bound would cost every start more than all the rest of the loading.
  constexpr std::size_t piece = 4096;
  const std::size_t most = YamlBounds{}.bytes + 1;
  while (stream && text.size() < most) {
    const std::size_t before = text.size();
    text.resize(std::min(before + std::max(before, piece), most));
    stream.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream && !stream.eof())
    throw Error("can't read the composition " + shown + ": " +
                (errno != 0 ? std::generic_category().message(errno) : std::string("unreadable")));
  return text;
}

}  // namespace

Composition parse_composition(std::string_view text, const std::filesystem::path &file) {
  const auto value = read_yaml(text, visible_path(file));
  const auto *list = value.if_array();
  if (list == nullptr)
    throw AdvisedError(
        visible_path(file) + ": config file must be a top-level array",
        "write each plugin as an entry of a list, a line - name: '@scope/package' and its config below");
  Reader reader(visible_path(file));
  reader.read(*list, {}, false);
  return reader.take(std::filesystem::absolute(file));
}

Composition load_composition(const std::filesystem::path &file) {
  return parse_composition(read_file(file), file);
}

}  // namespace dsh::loader
