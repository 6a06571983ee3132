// The rig's ends of dsh_out and dsh_error. They outlive their call, so that who writes late is caught
// and not only crashed.
#pragma once

#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "check/rig.hpp"

namespace dsh::loader::check {

/// What both kinds watch: the call has not ended, and this is its thread.
class WatchedSink {
 public:
  explicit WatchedSink(Rig &rig) : rig_(rig), thread_(std::this_thread::get_id()) {}
  void close() noexcept { open_ = false; }

 protected:
  bool usable(const char *what) noexcept {
    if (open_ && thread_ == std::this_thread::get_id()) return true;
    rig_.record(Misdeed::outside, std::string(what) + (open_ ? " was used on another thread"
                                                             : " was used after its call had ended"));
    return false;
  }

 private:
  Rig &rig_;
  const std::thread::id thread_;
  bool open_ = true;
};

/// Takes up to `room` bytes; from the write that would exceed it on, refuses with `refusal`.
struct OutState : WatchedSink {
  OutState(Rig &rig, std::size_t room_, std::int32_t refusal_)
      : WatchedSink(rig), room(room_), refusal(refusal_) {}

  static std::int32_t DSH_CALL write(void *ctx, const char *data, std::size_t size) {
    auto &self = *static_cast<OutState *>(ctx);
    if (!self.usable("a sink")) return DSH_ERROR;
    if (self.refused != DSH_OK) return self.refused;
    if (size > self.room - self.bytes.size()) return self.refused = self.refusal;
    try {
      if (size > 0) self.bytes.append(data, size);
    } catch (const std::exception &) {
      return self.refused = DSH_NO_MEMORY;
    }
    return DSH_OK;
  }

  const std::size_t room;
  const std::int32_t refusal;
  std::int32_t refused = DSH_OK;
  std::string bytes;
  const dsh_out abi{this, &OutState::write};
};

struct ErrorState : WatchedSink {
  using WatchedSink::WatchedSink;

  static void DSH_CALL set(void *ctx, const char *text, std::size_t size, const char *name,
                           const char *code) {
    auto &self = *static_cast<ErrorState *>(ctx);
    if (!self.usable("an error sink")) return;
    try {
      self.text = size == 0 ? std::string() : std::string(text, size);
      self.name = name == nullptr ? "" : name;
      self.code = code == nullptr ? "" : code;
    } catch (const std::exception &) {  // the text is lost, the failure is not
    }
  }

  std::string text, name, code;
  const dsh_error abi{this, &ErrorState::set};
};

class Rig::Sink {
 public:
  Sink(Rig &rig, std::size_t room, std::int32_t refusal) {
    auto state = std::make_unique<OutState>(rig, room, refusal);
    state_ = state.get();
    const std::lock_guard lock(rig.mutex_);
    rig.sinks_.push_back(std::move(state));
  }
  ~Sink() { state_->close(); }
  Sink(const Sink &) = delete;
  Sink &operator=(const Sink &) = delete;

  const dsh_out *abi() const noexcept { return &state_->abi; }
  std::string take() noexcept { return std::move(state_->bytes); }
  /// A refusal fails the call, whatever it returned.
  std::int32_t status(std::int32_t returned) const noexcept {
    return returned == DSH_OK && state_->refused != DSH_OK ? state_->refused : returned;
  }

 private:
  OutState *state_;
};

class Rig::ErrorSink {
 public:
  explicit ErrorSink(Rig &rig) {
    auto state = std::make_unique<ErrorState>(rig);
    state_ = state.get();
    const std::lock_guard lock(rig.mutex_);
    rig.error_sinks_.push_back(std::move(state));
  }
  ~ErrorSink() { state_->close(); }
  ErrorSink(const ErrorSink &) = delete;
  ErrorSink &operator=(const ErrorSink &) = delete;

  const dsh_error *abi() const noexcept { return &state_->abi; }
  Answer answer(std::int32_t status, std::string out, std::string text) const {
    Answer answer;
    answer.status = status;
    answer.out = std::move(out);
    answer.text = std::move(text);
    answer.error = state_->text;
    answer.error_name = state_->name;
    answer.error_code = state_->code;
    return answer;
  }

 private:
  ErrorState *state_;
};

}  // namespace dsh::loader::check
