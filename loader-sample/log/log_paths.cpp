#include "log/log_paths.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>

#include "log/file_ops.hpp"
#include "text/advised_error.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t longest_component = 255;  // NAME_MAX of every file system in use
constexpr std::size_t longest_slug = 251;       // with two dashes on either side: longest_component

/// Calls each(unit) for the UTF-16 units of a text, which may be as long as a log, until it returns false.
template <typename Each>
void each_unit(std::string_view text, const Each &each) {
  while (!text.empty()) {
    const std::size_t size = decode(text).size;
    for (const char16_t unit : to_utf16(text.substr(0, size)))
      if (!each(unit)) return;
    text.remove_prefix(size);
  }
}

bool is_kept(char16_t unit) {
  return (unit >= u'A' && unit <= u'Z') || (unit >= u'a' && unit <= u'z') || (unit >= u'0' && unit <= u'9') ||
         unit == u'.' || unit == u'_' || unit == u'-';
}

void append_unit(std::string &name, char16_t unit) {
  if (is_kept(unit)) {
    name.push_back(static_cast<char>(unit));
    return;
  }
  static constexpr std::string_view digits = "0123456789ABCDEF";
  name.push_back('~');
  for (int shift = 12; shift >= 0; shift -= 4)
    name.push_back(digits[static_cast<std::size_t>(unit) >> shift & 0xF]);
}

}  // namespace

std::string session_directory_name(std::string_view id) {
  if (id.empty()) throw Error("a session id can't be empty");
  if (id == ".") return "~002E";
  if (id == "..") return "~002E~002E";
  if (!is_wtf8(id)) throw Error("a session id must be UTF-8");
  std::string name;
  std::size_t size = 0;
  each_unit(id, [&](char16_t unit) {
    size += is_kept(unit) ? 1 : 5;
    if (size <= longest_component) append_unit(name, unit);
    return true;
  });
  if (size > longest_component)
    throw Error("session id too long: its directory's name would have " + std::to_string(size) + " bytes, " +
                std::to_string(longest_component) +
                " are possible (a character other than A-Za-z0-9._- takes 5)");
  return name;
}

std::string project_directory_name(const std::optional<std::string> &cwd) {
  if (!cwd) return "_no-cwd";
  if (cwd->empty()) throw Error("a session's working directory can't be an empty text");
  if (!is_wtf8(*cwd)) throw Error("a session's working directory must be UTF-8");
  std::string slug;
  bool separated = false;
  each_unit(*cwd, [&](char16_t unit) {
    const bool separator = unit == u'/' || unit == u'\\' || unit == u':';
    const bool leading = slug.empty() && (separator || unit == u'-');
    if (!separator && !leading) append_unit(slug, unit);
    if (separator && !separated && !leading) slug.push_back('-');
    separated = separator;
    return slug.size() <= longest_slug;
  });
  if (slug.empty()) slug = "root";
  return "--" + slug.substr(0, longest_slug) + "--";
}

std::string session_directory(const std::string &root, const std::optional<std::string> &cwd,
                              std::string_view id) {
  return root + "/" + project_directory_name(cwd) + "/" + session_directory_name(id);
}

std::string base_name(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

std::string directory_of(const LogFile &log) {
  std::error_code unknown;  // where the working directory is gone: then the path stays as it is
  const std::filesystem::path absolute = std::filesystem::absolute(log.path, unknown);
  return (unknown ? std::filesystem::path(log.path) : absolute).lexically_normal().parent_path().string();
}

std::string in_quotes(std::string_view text) { return '"' + excerpt(text, longest_component) + '"'; }

std::optional<LogFile> parse_log_name(std::string_view name) {
  const auto strip = [&name](std::string_view end) {
    if (!name.ends_with(end)) return false;
    name.remove_suffix(end.size());
    return true;
  };
  LogFile file;
  file.path = name;
  file.compressed = strip(".zstd");
  if (!strip(".jsonl") || !name.starts_with("session")) return std::nullopt;
  name.remove_prefix(std::string_view("session").size());
  if (name.empty()) return file;
  if (name.size() < 3 || !name.starts_with(".v") || name[2] < '1' || name[2] > '9') return std::nullopt;
  const auto [stop, error] = std::from_chars(name.data() + 2, name.data() + name.size(), file.generation);
  if (stop != name.data() + name.size()) return std::nullopt;
  if (error != std::errc()) file.generation = std::numeric_limits<int>::max();
  return file;
}

std::string format_in_name(const LogFile &file) {
  if (file.generation == 0) return "0";
  std::string name = base_name(file.path);
  name.erase(0, std::string_view("session.v").size());
  return name.substr(0, name.find('.'));
}

bool is_directory(FileOps &ops, const std::string &path) {
  struct ::stat status {};
  if (ops.stat(path.c_str(), &status) == 0) return S_ISDIR(status.st_mode);
  if (errno != ENOENT && errno != ENOTDIR) throw_errno("can't look at " + path);
  return false;
}

std::optional<LogFile> find_log(FileOps &ops, const std::string &directory, NamedLikeLogs directories) {
  std::vector<std::string> names;
  if (ops.list(directory.c_str(), names) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    throw_errno("can't read the directory " + directory);
  }
  std::optional<LogFile> newest;
  std::optional<LogFile> rival;
  for (const std::string &name : names) {
    auto file = parse_log_name(name);
    if (!file) continue;
    file->path = directory + "/" + name;
    if (is_directory(ops, file->path)) {
      if (directories == NamedLikeLogs::passed_over) continue;
      throw Error(file->path + " is a directory where a session log is expected; move it away");
    }
    if (!newest || file->generation > newest->generation) {
      newest = file;
      rival.reset();
    } else if (file->generation == newest->generation) {
      rival = file;
    }
  }
  if (rival)
    throw Error("two logs of one session: " + newest->path + " and " + rival->path +
                "; move one of them away");
  return newest;
}

std::string naming(const LogFile &file, const std::string &text) {
  return text.find(file.path) == std::string::npos ? text + " (" + file.path + ")" : text;
}

void rethrow_naming(const LogFile &file, const Error &error) {
  const std::string text = naming(file, error.text());
  if (text == error.text()) throw;
  throw AdvisedError(text, advice_of(error), error.name(), error.code());
}

}  // namespace dsh::loader
