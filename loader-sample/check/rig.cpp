#include "check/rig.hpp"

#include <algorithm>
#include <utility>

#include "check/foreign_memory.hpp"
#include "check/rig_sinks.hpp"

namespace dsh::loader::check {

Rig::Rig(RigOptions options)
    : options_(std::move(options)),
      name_(std::make_unique<GuardedBytes>("checking-host")),
      version_(std::make_unique<GuardedBytes>("0")) {
  const std::size_t size = options_.host_size + (options_.host_size == sizeof(dsh_host) ? options_.extra : 0);
  const dsh_host host = {static_cast<std::uint32_t>(size),
                         options_.revision,
                         {name_->data(), name_->size()},
                         {version_->data(), version_->size()},
                         this,
                         &Rig::abi_service,
                         &Rig::abi_on_dispose,
                         options_.null_log ? nullptr : &Rig::abi_log};
  host_ = std::make_unique<Guarded<dsh_host>>(host, size);
  make_tables();
}

Rig::~Rig() { dispose(); }

void Rig::record(Misdeed kind, std::string what) noexcept {
  try {
    Frame *const here = innermost_ != nullptr && &innermost_->rig == this ? innermost_ : nullptr;
    if (here != nullptr && (kind == Misdeed::bad_gift || kind == Misdeed::exception) && here->breach.empty())
      here->breach = what;
    if (here != nullptr && kind == Misdeed::bad_gift) what = "in " + std::string(here->what) + ": " + what;
    const std::lock_guard lock(mutex_);
    misdeeds_.try_emplace(kind, std::move(what));  // what repeats itself takes no memory: some tests weigh it
  } catch (...) {                                  // out of memory: what is recorded already is enough
  }
}

/// For what was handed over and does not tell whose it is.
void Rig::record_here(Misdeed kind, std::string what) noexcept {
  if (innermost_ != nullptr) innermost_->rig.record(kind, std::move(what));
}

/// `status`, which the host's `function` returns to the plugin.
std::int32_t Rig::returned(std::int32_t status, const char *function) noexcept {
  if (innermost_ != nullptr && status != DSH_OK) {
    innermost_->given = status;
    innermost_->giver = function;
  }
  return status;
}

/// `error` may be null: the plugin gave none that can be used.
std::int32_t Rig::refuse(const dsh_error *error, std::string_view text, const char *function,
                         std::int32_t status) {
  if (error != nullptr) error->set(error->ctx, text.data(), text.size(), nullptr, nullptr);
  return returned(status, function);
}

/// Can a failure of the host's function `what` be told to `error`?
bool Rig::takes_error(const dsh_error *error, std::string_view what) noexcept {
  const auto given = [&](const std::string &fault) { return std::string(what) + " was given " + fault; };
  if (const auto fault = struct_fault(error, sizeof *error, alignof(dsh_error))) {
    record(Misdeed::bad_gift, given("a dsh_error that " + *fault));
    return false;
  }
  if (error->set == nullptr) {
    record(Misdeed::bad_gift, given("a dsh_error without `set`"));
    return false;
  }
  if (error->set != &ErrorState::set) return true;  // the plugin's own
  const auto *const ours = static_cast<const ErrorState *>(error->ctx);
  if (error != &ours->abi) {
    record(Misdeed::bad_handle, given("a copy of a dsh_error, not the pointer that the plugin was given"));
  } else if (!ours->open()) {
    record(Misdeed::bad_handle, given("the dsh_error of a call that has ended"));
    return false;
  }
  return true;
}

std::string Rig::misdeed(Misdeed kind) const {
  const std::lock_guard lock(mutex_);
  const auto found = misdeeds_.find(kind);
  return found == misdeeds_.end() ? std::string() : found->second;
}

bool Rig::may_call(std::string_view what) noexcept {
  if (innermost_ != nullptr) return true;
  record(Misdeed::outside,
         std::string(what) + " was called outside a call of the host, or on another thread");
  return false;
}

Answer Rig::apply(dsh_apply_fn function, std::string_view config) {
  RigSession &existing = session("existing");
  existing.append("turn/start", R"({"turn":1})");
  existing.append("turn/end", R"({"turn":1,"reason":{"kind":"done"}})");
  const GuardedBytes guarded(config);
  ErrorSink error(*this);
  applying_ = true;
  Return back =
      enter([&] { return function(host_->get(), guarded.data(), guarded.size(), error.abi()); }, "apply");
  applying_ = false;
  Answer answer = error.answer(std::move(back), {}, {});
  if (!answer.ok()) dispose();
  return answer;
}

void Rig::dispose() {
  while (!sessions_.empty()) end(sessions_.back());
  tools_.clear();
  invariants_.clear();
  units_.clear();
  observers_.clear();
  disposing_ = true;
  while (!disposals_.empty()) {
    const Disposal disposal = disposals_.back();
    disposals_.pop_back();
    enter([&] { return disposal.function(disposal.user), DSH_OK; }, "a dispose function");
  }
  disposing_ = false;
}

RigSession &Rig::session(std::string id) {
  for (RigSession &session : sessions_)
    if (session.id() == id) return session;
  RigSession &session = sessions_.emplace_back(*this, std::move(id));
  for (const ObserverCopy &observer : observers_) {
    if (observer.abi.created == nullptr) continue;
    enter([&] { return observer.abi.created(observer.abi.user, session.handle()), DSH_OK; }, "created",
          &session);
  }
  return session;
}

void Rig::end(RigSession &session) {
  for (auto observer = observers_.rbegin(); observer != observers_.rend(); ++observer) {
    if (observer->abi.disposed == nullptr) continue;
    enter([&] { return observer->abi.disposed(observer->abi.user, session.handle()), DSH_OK; }, "disposed",
          &session);
  }
  std::erase_if(handles_, [&session](const auto &handle) { return &handle->session == &session; });
  sessions_.remove_if([&session](const RigSession &other) { return &other == &session; });
}

void Rig::forget_calls() {
  const std::lock_guard lock(mutex_);
  sinks_.clear();
  error_sinks_.clear();
  handles_.clear();
}

}  // namespace dsh::loader::check
