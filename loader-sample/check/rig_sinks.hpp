// The rig's ends of dsh_out and dsh_error. They outlive their call, so that who writes late is caught
// and not only crashed.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "check/foreign_memory.hpp"
#include "check/rig.hpp"

namespace dsh::loader::check {

/// What both kinds watch: the call has not ended, and this is its thread.
class WatchedSink {
 public:
  explicit WatchedSink(Rig &rig) : rig_(rig), thread_(std::this_thread::get_id()) {}
  void close() noexcept { open_ = false; }
  bool open() const noexcept { return open_; }

 protected:
  /// Is what was handed over a text? Records why not.
  bool takes(const char *what, const char *data, std::size_t size) {
    const auto fault = text_fault(data, size);
    if (fault) rig_.record(Misdeed::bad_gift, std::string(what) + " " + *fault);
    return !fault;
  }
  /// The same for a word of an error.
  bool takes_word(const char *what, const char *word) {
    constexpr std::size_t most = 255;
    if (word == nullptr) return false;
    auto fault = word_fault(word, most);
    if (!fault && std::any_of(word, word + std::strlen(word), [](char c) { return (c & 0x80) != 0; }))
      fault = "is not ASCII";
    if (fault) rig_.record(Misdeed::bad_gift, std::string(what) + " " + *fault);
    return !fault;
  }

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
    try {
      if (!self.takes("a text that was written to a sink", data, size)) return self.refused = DSH_ERROR;
      if (size > self.room - self.bytes.size()) return self.refused = self.refusal;
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
      const bool readable = self.takes("the text of an error", text, size);
      self.text = size == 0 || !readable ? std::string() : std::string(text, size);
      self.name = self.takes_word("the name of an error", name) ? name : "";
      self.code = self.takes_word("the code of an error", code) ? code : "";
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
  Return judge(Return back) const {
    if (state_->refused == DSH_OK) return back;
    if (back.status == DSH_OK) back.status = state_->refused;
    if (back.status == state_->refused) back.relayed = "write";
    return back;
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
  Answer answer(Return back, std::string out, std::string text) const {
    Answer answer;
    answer.status = back.status;
    answer.breach = std::move(back.breach);
    answer.relayed = std::move(back.relayed);
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

/// The handle that one call is given; where there is no session, none.
class Rig::CallHandle {
 public:
  CallHandle(Rig &rig, RigSession *session) {
    if (session == nullptr) return;
    auto handle = std::make_unique<SessionHandle>(*session, rig.options_.extra);
    handle_ = handle.get();
    const std::lock_guard lock(rig.mutex_);
    rig.handles_.push_back(std::move(handle));
  }
  ~CallHandle() {
    if (handle_ == nullptr) return;
    handle_->open = false;
    handle_->id.reset();
  }
  CallHandle(const CallHandle &) = delete;
  CallHandle &operator=(const CallHandle &) = delete;

  const dsh_session *abi() const noexcept { return handle_ == nullptr ? nullptr : handle_->abi.get(); }

 private:
  SessionHandle *handle_ = nullptr;
};

}  // namespace dsh::loader::check
