// The host's end of a call into a plugin: sinks, statuses, and the wall against exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dsh/dsh.h"
#include "services/event.hpp"
#include "text/error.hpp"

namespace dsh::loader {

inline dsh_str to_abi(std::string_view text) noexcept { return {text.data(), text.size()}; }

/// A view of foreign bytes; a null with a size counts as empty.
inline std::string_view from_abi(const dsh_str &text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}

dsh_event to_abi(const Event &event) noexcept;

/// Joins what a plugin writes. Refusing is sticky: once memory ran out, every later write fails, and
/// so does the call.
class Sink {
 public:
  explicit Sink(std::string &text) noexcept : text_(text), abi_{this, &Sink::write} {}
  /// `likely`: the text is rarely longer. Up to there it doesn't grow in steps, which would take twice its
  /// size.
  Sink(std::string &text, std::size_t likely) noexcept;
  Sink(const Sink &) = delete;
  Sink &operator=(const Sink &) = delete;

  const dsh_out *abi() const noexcept { return &abi_; }
  std::int32_t refusal() const noexcept { return refusal_; }

 private:
  static std::int32_t DSH_CALL write(void *ctx, const char *data, std::size_t size) noexcept;

  std::string &text_;
  std::int32_t refusal_ = DSH_OK;
  dsh_out abi_;
};

/// Keeps what a plugin says of a failure.
class ErrorSink {
 public:
  ErrorSink() noexcept : abi_{this, &ErrorSink::set} {}
  ErrorSink(const ErrorSink &) = delete;
  ErrorSink &operator=(const ErrorSink &) = delete;

  const dsh_error *abi() const noexcept { return &abi_; }

  /// The failure of a call that returned `status`: the plugin's text made valid WTF-8, or, where it
  /// gave none, `what` with the status ("tool "x" failed with status 7").
  Error error(std::string_view what, std::int32_t status) const;

 private:
  static void DSH_CALL set(void *ctx, const char *text, std::size_t size, const char *name,
                           const char *code) noexcept;

  std::string text_;
  std::string name_;
  std::string code_;
  dsh_error abi_;
};

/// Status of a call whose exception was stopped; no plugin can return it, its texts are dropped.
inline constexpr std::int32_t threw = INT32_MIN;

/// Calls a plugin's function. An exception that leaves it breaks the contract; it ends here.
template <typename Call>
std::int32_t guarded(Call &&call) noexcept {
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    return threw;
  }
}

/// Calls a plugin's function that writes to `sinks`: its status, or why one of them refused what it wrote.
template <typename Call, typename... Sinks>
std::int32_t guarded_write(Call &&call, const Sinks &...sinks) noexcept {
  std::int32_t status = guarded(std::forward<Call>(call));
  ((status = status == DSH_OK ? sinks.refusal() : status), ...);
  return status;
}

/// Checks what a plugin wrote and puts it on one line. Throws Error for what isn't JSON: `<kind> "<name>"
/// gave a <what> that is not JSON: …`. `known`: see check_json_rest.
void check_written_json(std::string &json, std::string_view kind, std::string_view name,
                        std::string_view what, std::size_t known = 0);

/// Says through a plugin's sink what went wrong and returns the status for it. Allocates nothing.
std::int32_t fail(const dsh_error *sink, std::string_view text, const std::string &name = {},
                  const std::string &code = {}) noexcept;

/// For a handler of a function that a plugin calls: says what was thrown, `unknown` where that is no
/// exception, and returns the status for it: DSH_NO_MEMORY, without a text, where memory ran out.
/// Allocates nothing.
std::int32_t fail_with_thrown(const dsh_error *sink, std::string_view unknown) noexcept;

}  // namespace dsh::loader
