// What the host tells the person who runs it: lines on stderr, never on stdout.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string_view>

namespace dsh::loader {

enum class Level { debug, info, warn, error, off };

/// How people spell them, by level.
inline constexpr std::array<std::string_view, 5> level_words = {"debug", "info", "warn", "error", "off"};

/// One of these words; throws Error naming them for any other.
Level parse_level(std::string_view word);

/// Writes lines of the form `warn tool-todo: text`, control characters made visible. Any thread;
/// writing never fails.
class Diagnostics {
 public:
  using Sink = std::function<void(Level, std::string_view source, std::string_view text)>;

  /// To stderr, from `lowest` on.
  explicit Diagnostics(Level lowest = Level::warn);
  /// To a function, one line at a time: for tests, and for hosts that show lines elsewhere.
  explicit Diagnostics(Sink sink, Level lowest = Level::debug);
  ~Diagnostics();
  Diagnostics(const Diagnostics &) = delete;
  Diagnostics &operator=(const Diagnostics &) = delete;

  /// `source` says whose line it is: a part of the host, or a plugin's entry.
  void write(Level level, std::string_view source, std::string_view text) const noexcept;

  bool shows(Level level) const noexcept { return level >= lowest_; }

 private:
  struct Out;
  Level lowest_;
  std::unique_ptr<Out> out_;
};

}  // namespace dsh::loader
