#include "check/rig.hpp"

#include <algorithm>
#include <utility>

#include "check/rig_sinks.hpp"

namespace dsh::loader::check {

Rig::Rig(RigOptions options)
    : options_(std::move(options)),
      name_(std::make_unique<GuardedBytes>("checking-host")),
      version_(std::make_unique<GuardedBytes>("0")) {
  const std::size_t size = options_.host_size + (options_.host_size == sizeof(dsh_host) ? options_.extra : 0);
  const dsh_host host = {static_cast<std::uint32_t>(size),
                         DSH_ABI_VERSION,
                         {name_->data(), name_->size()},
                         {version_->data(), version_->size()},
                         this,
                         &Rig::abi_service,
                         &Rig::abi_on_dispose,
                         &Rig::abi_log};
  host_ = std::make_unique<Guarded<dsh_host>>(host, size);
  make_tables();
}

Rig::~Rig() { dispose(); }

void Rig::record(Misdeed kind, std::string what) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    misdeeds_.emplace_back(kind, std::move(what));
  } catch (...) {  // out of memory: what is recorded already is enough
  }
}

std::string Rig::misdeed(Misdeed kind) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(misdeeds_.begin(), misdeeds_.end(), [kind](const auto &m) { return m.first == kind; });
  return found == misdeeds_.end() ? std::string() : found->second;
}

bool Rig::may_call(std::string_view what) noexcept {
  if (calls_inside_ > 0) return true;
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
  const std::int32_t status =
      enter([&] { return function(host_->get(), guarded.data(), guarded.size(), error.abi()); }, "apply");
  applying_ = false;
  Answer answer = error.answer(status, {}, {});
  if (!answer.ok()) dispose();
  return answer;
}

void Rig::dispose() {
  for (auto session = sessions_.rbegin(); session != sessions_.rend(); ++session) {
    for (auto observer = observers_.rbegin(); observer != observers_.rend(); ++observer) {
      if (observer->abi.disposed == nullptr) continue;
      enter([&] { return observer->abi.disposed(observer->abi.user, session->handle()), DSH_OK; },
            "disposed");
    }
  }
  sessions_.clear();
  tools_.clear();
  invariants_.clear();
  units_.clear();
  observers_.clear();
  while (!disposals_.empty()) {
    const Disposal disposal = disposals_.back();
    disposals_.pop_back();
    enter([&] { return disposal.function(disposal.user), DSH_OK; }, "a dispose function");
  }
}

RigSession &Rig::session(std::string id) {
  for (RigSession &session : sessions_) {
    if (session.id() == id) return session;
  }
  RigSession &session = sessions_.emplace_back(*this, std::move(id));
  for (const ObserverCopy &observer : observers_) {
    if (observer.abi.created == nullptr) continue;
    enter([&] { return observer.abi.created(observer.abi.user, session.handle()), DSH_OK; }, "created");
  }
  return session;
}

void Rig::forget_calls() {
  const std::lock_guard lock(mutex_);
  sinks_.clear();
  error_sinks_.clear();
}

}  // namespace dsh::loader::check
