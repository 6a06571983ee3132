#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "check/tests.hpp"
#include "check/verdict.hpp"

namespace dsh::loader::check {
namespace {

constexpr std::array services = {DSH_TOOLS, DSH_SESSIONS, DSH_INVARIANTS, DSH_PROJECTIONS};

constexpr std::array<std::int32_t, 6> refusals = {DSH_ERROR, DSH_NO_MEMORY, DSH_NONE, DSH_VIOLATED, 77, -1};

bool requires_service(Subject &subject, std::string_view id) {
  const auto &inject = subject.library().inject();
  return std::find(inject.begin(), inject.end(), id) != inject.end();
}

/// Applies under `options` and says whether that worked; a failure must say why.
bool apply(Subject &subject, RigOptions options, const std::string &where) {
  const std::string config = subject.configs().front();
  subject.step("apply " + where);
  Rig rig(std::move(options));
  const Answer answer = rig.apply(subject.library().apply(), config);
  require_sound(answer, "apply " + where);
  if (answer.ok()) {
    Generator random(1);
    use(subject, rig, random);
  }
  return answer.ok();
}

void knows_its_services(Subject &subject) {
  for (const std::string &id : subject.library().inject()) {
    const bool known = std::find(services.begin(), services.end(), id) != services.end();
    if (!known)
      warn("it needs the service \"" + excerpt(id) +
           "\", which revision 1 does not know: it waits for ever in a host of revision 1");
  }
}

void optional_may_be_missing(Subject &subject) {
  for (const char *id : services) {
    if (requires_service(subject, id)) continue;
    RigOptions options = subject.options();
    options.absent.insert(id);
    require(apply(subject, options, "where the host never has \"" + std::string(id) + "\""),
            "apply fails where the host never has \"" + std::string(id) + "\", which inject does not name");
  }
}

void required_may_be_missing(Subject &subject) {
  const auto inject = subject.library().inject();
  if (inject.empty()) skip("it requires no service");
  for (const std::string &id : inject) {
    RigOptions options = subject.options();
    options.absent.insert(id);
    require(!apply(subject, options, "where service(\"" + id + "\") is null"),
            "apply succeeds though it got no table of \"" + id + "\", which inject names");
  }
}

void short_tables(Subject &subject) {
  for (const char *id : services) {
    RigOptions options = subject.options();
    if (options.absent.contains(id)) continue;
    options.short_tables.insert(id);
    const std::string where = "where the table of \"" + std::string(id) + "\" ends before `add`";
    const bool applied = apply(subject, options, where);
    require(!applied || !requires_service(subject, id), "apply succeeds " + where + ", which inject names");
  }
}

/// Applies with a dsh_host that lacks something and, where that works, uses the plugin.
void apply_to_lesser_host(Subject &subject, const RigOptions &options, const std::string &where,
                          bool may_succeed) {
  const std::string config = subject.configs().front();
  subject.step("apply " + where);
  Rig rig(options);
  const Answer answer = rig.apply(subject.library().apply(), config);
  require_sound(answer, "apply " + where);
  require(answer.ok() || !answer.error.empty(), "apply fails " + where + " and gives no text");
  if (!answer.ok()) return;
  require(may_succeed, "apply succeeds " + where + ", which has no `service`");
  subject.step("use " + where);
  Generator random(1);
  use(subject, rig, random);
}

void short_host(Subject &subject) {
  for (const std::size_t size : {offsetof(dsh_host, name), offsetof(dsh_host, service),
                                 offsetof(dsh_host, on_dispose), offsetof(dsh_host, log)}) {
    RigOptions options = subject.options();
    options.host_size = size;
    apply_to_lesser_host(subject, options, "with a dsh_host of " + std::to_string(size) + " bytes",
                         size > offsetof(dsh_host, service));
  }
  RigOptions options = subject.options();
  options.null_log = true;
  apply_to_lesser_host(subject, options, "with a dsh_host whose `log` is null", true);
}

void longer_structs(Subject &subject) {
  RigOptions options = subject.options();
  options.extra = 64;
  require(apply(subject, options, "where every struct of the host is 64 bytes longer than this revision's"),
          "apply fails where the host's structs are longer than this revision's");
  options.revision = DSH_ABI_VERSION + 1;
  const std::string where = "where the host is of revision " + std::to_string(options.revision);
  require(apply(subject, options, where), "apply fails " + where + ", which serves this one's plugins too");
}

std::string unheeded(const std::string &where, const std::string &service) {
  return "apply succeeds " + where + ", of the service \"" + service + "\", which inject names";
}

void refused_add(Subject &subject) {
  std::size_t adds = 0;
  {
    const auto rig = subject.applied();
    adds = rig->adds();
  }
  for (const std::int32_t status : subject.timely(refusals)) {
    for (std::size_t refused = 0; refused < adds; ++refused) {
      RigOptions options = subject.options();
      std::string service;
      options.refuse_add = [&service, refused, status](std::string_view id,
                                                       std::size_t nth) -> std::optional<Refusal> {
        if (nth != refused) return std::nullopt;
        service = id;
        return Refusal{status, "the host takes no more"};
      };
      const std::string where =
          "where add number " + std::to_string(refused + 1) + " returns " + std::to_string(status);
      const bool applied = apply(subject, options, where);
      require(!applied || !requires_service(subject, service), unheeded(where, service));
    }
  }
}

void refused_on_dispose(Subject &subject) {
  {
    const auto rig = subject.applied();
    if (rig->dispose_functions() == 0) skip("it asks for no dispose function");
  }
  for (const std::int32_t status : refusals) {
    RigOptions options = subject.options();
    options.on_dispose = status;
    const std::string where = "where on_dispose returns " + std::to_string(status);
    require(!apply(subject, options, where),
            "apply succeeds " + where + ", though on_dispose failed: it leaks, or uses what is gone");
  }
}

void never_takes_effect(Subject &subject) {
  for (const std::string &config : subject.timely(subject.configs())) {
    RigOptions options = subject.options();
    options.trial = true;
    subject.step("apply to try a config, and dispose");
    Rig rig(options);
    const Answer answer = rig.apply(subject.library().apply(), config);
    require(answer.ok(),
            "apply fails where `add` accepts and nothing takes effect: " + excerpt(answer.error));
    rig.dispose();
  }
}

void adds_inside_apply_alone(Subject &subject) {
  const auto rig = subject.applied();
  use(subject, *rig, subject.random());
  rig->dispose();
  require_none(Misdeed::late_add, *rig);
}

void descriptors_are_sound(Subject &subject) {
  for (const std::string &config : subject.timely(subject.configs())) {
    const auto rig = subject.applied(config, subject.options());
    use(subject, *rig, subject.random());
    require_none(Misdeed::bad_gift, *rig);
  }
}

/// Not through applied(): a descriptor that is refused may well fail apply, and that is what is to be told.
void registrations_are_accepted(Subject &subject) {
  for (const std::string &config : subject.candidates()) {
    subject.step("apply with the config " + excerpt(config));
    Rig rig(subject.options());
    rig.apply(subject.library().apply(), config);
    require_none(Misdeed::bad_gift, rig);
  }
}

}  // namespace

std::vector<Test> service_tests() {
  return {
      {"services.known", "inject names services that this revision knows", &knows_its_services},
      {"services.accepted", "what it registers is complete, and keeps the limits",
       &registrations_are_accepted},
      {"services.sound", "what it hands to the host in use is sound", &descriptors_are_sound},
      {"services.optional", "it does without each service that inject does not name",
       &optional_may_be_missing},
      {"services.required", "apply fails with a text where a required service's table is null",
       &required_may_be_missing},
      {"services.short_tables", "it does not touch what lies beyond a shorter table", &short_tables},
      {"services.short_host",
       "it does not touch what lies beyond a shorter dsh_host, nor a `log` that is null", &short_host},
      {"services.longer", "it works at a host of a later revision, whose structs are longer",
       &longer_structs},
      {"services.add_fails", "apply fails where a required service refuses a registration", &refused_add},
      {"services.dispose_fails", "apply fails where on_dispose does", &refused_on_dispose},
      {"services.trial", "it can be applied to try a config, with nothing ever called", &never_takes_effect},
      {"services.inside_apply", "it registers inside apply alone", &adds_inside_apply_alone},
  };
}

}  // namespace dsh::loader::check
