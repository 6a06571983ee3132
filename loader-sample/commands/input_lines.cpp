#include "commands/input_lines.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "commands/output.hpp"
#include "text/error.hpp"
#include "text/system_error.hpp"

namespace dsh::loader {
namespace {

[[noreturn]] void fail(const char *verb, const std::string &name) {
  const int error = errno;
  throw Error(system_error_text(std::string("can't ") + verb + ' ' + name, error));
}

}  // namespace

InputLines::InputLines(const std::string &path)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      descriptor_(path == "-" ? standard_.descriptor() : file_.get()) {
  if (descriptor_ < 0) fail("open", name_);
}

void InputLines::prompt(std::string_view text) const {
  if (!file_ && ::isatty(descriptor_) == 1) complain(text);
}

std::optional<std::string_view> InputLines::next() {
  buffer_.erase(0, start_);
  start_ = 0;
  std::size_t searched = 0;
  std::size_t end = 0;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    searched = buffer_.size();
    if (fill()) continue;
    if (buffer_.empty()) return std::nullopt;
    start_ = buffer_.size();
    return buffer_;
  }
  start_ = end + 1;
  return std::string_view(buffer_).substr(0, end);
}

std::string InputLines::rest() {
  while (fill()) {
  }
  return buffer_.substr(start_);
}

bool InputLines::fill() {
  std::array<char, 65536> part;
  while (!ended_) {
    const ssize_t got = retried([&] { return ::read(descriptor_, part.data(), part.size()); });
    if (got > 0) {
      buffer_.append(part.data(), static_cast<std::size_t>(got));
      return true;
    }
    if (got < 0) fail("read", name_);
    ended_ = true;
  }
  return false;
}

}  // namespace dsh::loader
