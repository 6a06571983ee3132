// Lines that wait to be taken by a peer, who takes them when he likes.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace dsh::loader {

/// Writes to a pipe, a socket, a terminal or a file without ever waiting, and without changing the
/// descriptor, which others may share. One thread.
class Outbox {
 public:
  explicit Outbox(int descriptor) : descriptor_(descriptor) {}

  /// Queues a line; its LF is added. Without memory for that it throws, and nothing is queued.
  void push(std::string line);

  /// Bytes that wait.
  std::size_t size() const { return size_; }

  /// Writes what the peer takes at once; true: he took something.
  bool write_some();

  /// The peer will take nothing more, ever.
  bool is_broken() const { return error_ != 0; }
  /// Why: an errno.
  int error() const { return error_; }

  int descriptor() const { return descriptor_; }

 private:
  bool write_piece();

  int descriptor_;
  bool is_socket_ = true;  // until it turns out not to be
  int error_ = 0;
  std::deque<std::string> lines_;
  std::size_t written_ = 0;  // of the first line
  std::size_t size_ = 0;
};

}  // namespace dsh::loader
