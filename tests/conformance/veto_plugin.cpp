// Another checker: a plugin whose only rule is to refuse the events that its config lists, each once.
// A composition puts it before or after the todo plugin, so that a case can ask who is asked first and
// what a refusal by somebody else moves.
#include <dsh/plugin.h>

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <dsh/plugin.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

class Veto {
 public:
  struct Trace {
    char unused;
  };
  std::string_view owner = "conformance-veto";
  std::array<dsh_str, 0> types;  // every event

  /// `config`: {"events":[[type,data as written],...]}
  explicit Veto(std::string_view config) {
    const boost::json::value read = boost::json::parse(config);
    for (const auto &event : read.at("events").as_array())
      events_.emplace_back(boost::json::value_to<std::string>(event.at(0)),
                           boost::json::value_to<std::string>(event.at(1)));
  }

  /// Once, unlike a rule: it stands for whoever has a reason of the moment.
  void check(const Trace &, const dsh::Event &event) const {
    const std::lock_guard lock(mutex_);
    for (auto listed = events_.begin(); listed != events_.end(); ++listed) {
      if (listed->first == event.type && listed->second == event.data) {
        events_.erase(listed);
        throw dsh::Failure("vetoed by another checker");
      }
    }
  }

  void committed(Trace &, const dsh::Event &) const noexcept {}

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<std::string, std::string>> events_;
};

}  // namespace

const char *const name = "conformance-veto";
const char *const inject[] = {nullptr};

int32_t apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  return dsh::guarded(error, [&]() -> int32_t {
    const dsh::Host context(host, error);
    context.add(dsh::invariant(context.keep(std::make_unique<Veto>(std::string_view(config, size)))));
    return DSH_OK;
  });
}
