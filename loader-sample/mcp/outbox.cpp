#include "mcp/outbox.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string_view>
#include <utility>

namespace dsh::loader {
namespace {

/// In one go, before the rest of the work has its turn.
constexpr std::size_t most_at_once = 1024UL * 1024;

bool is_writable(int descriptor) {
  pollfd ready{descriptor, POLLOUT, 0};
  return poll(&ready, 1, 0) == 1 && (ready.revents & (POLLOUT | POLLERR | POLLHUP | POLLNVAL)) != 0;
}

}  // namespace

void Outbox::push(std::string line) {
  if (is_broken()) return;
  line += '\n';
  lines_.push_back(std::move(line));
  size_ += lines_.back().size();
}

bool Outbox::write_some() {
  const std::size_t before = size_;
  while (size_ > 0 && before - size_ < most_at_once && write_piece()) {
  }
  return size_ < before;
}

/// A socket says itself when it would have to wait. A pipe that is writable takes PIPE_BUF bytes at once.
bool Outbox::write_piece() {
  const std::string_view rest = std::string_view(lines_.front()).substr(written_);
  ssize_t taken = -1;
  if (is_socket_) {
    taken = send(descriptor_, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (taken < 0 && errno == ENOTSOCK) {
      is_socket_ = false;
      return true;
    }
  } else if (is_writable(descriptor_)) {
    taken = write(descriptor_, rest.data(), std::min<std::size_t>(rest.size(), PIPE_BUF));
  } else {
    return false;
  }
  if (taken < 0) {
    if (errno == EINTR) return true;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return false;
    error_ = errno;
    lines_.clear();
    size_ = 0;
    return false;
  }
  written_ += static_cast<std::size_t>(taken);
  size_ -= static_cast<std::size_t>(taken);
  if (written_ == lines_.front().size()) {
    lines_.pop_front();
    written_ = 0;
  }
  return true;
}

}  // namespace dsh::loader
