#include <string>

#include "check/tests.hpp"
#include "check/verdict.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader::check {
namespace {

std::string config_text(std::string_view config) {
  return config.empty() ? "apply with a config that is empty" : "apply with the config " + excerpt(config);
}

Answer try_config(Subject &subject, std::string_view config) {
  subject.step(config_text(config));
  Rig rig(subject.options());
  Answer answer = rig.apply(subject.library().apply(), config);
  require_sound(answer, config_text(config));
  return answer;
}

void schema_is_one(Subject &subject) {
  if (!subject.config_schema()) skip("it exports no config_schema");
}

void valid_is_accepted(Subject &subject) {
  if (!subject.target().configs.empty()) {
    for (const std::string &config : subject.target().configs) {
      const Answer answer = try_config(subject, config);
      require(answer.ok(),
              config_text(config) + ", which was given to the check, failed: " + excerpt(answer.error));
    }
    return;
  }
  if (subject.config_schema()) {
    for (const std::string &config : subject.candidates()) {
      const Answer answer = try_config(subject, config);
      require(answer.ok(),
              config_text(config) + " failed, though it keeps config_schema: " + excerpt(answer.error));
    }
    return;
  }
  std::string first;
  for (const std::string &config : subject.candidates()) {
    const Answer answer = try_config(subject, config);
    if (answer.ok()) return;
    if (first.empty()) first = config_text(config) + " failed: " + excerpt(answer.error);
  }
  fail(first + "; export a config_schema, or name a config with --config");
}

void invalid_is_refused(Subject &subject) {
  const auto schema = subject.config_schema();
  if (!schema) skip("it exports no config_schema");
  for (int i = 0; i < 100 && subject.has_time(); ++i) {
    const auto config = subject.random().violation(*schema);
    if (!config) skip("its config_schema admits everything that was tried");
    require(!try_config(subject, *config).ok(),
            config_text(*config) +
                " was accepted, though it breaks config_schema: " + schema->fault(*config).value_or(""));
  }
}

void refusal_has_a_code(Subject &subject) {
  const auto schema = subject.config_schema();
  if (!schema) skip("it exports no config_schema");
  for (int i = 0; i < 20; ++i) {
    const auto config = subject.random().violation(*schema);
    if (!config) skip("its config_schema admits everything that was tried");
    const Answer answer = try_config(subject, *config);
    if (answer.ok()) continue;
    require(!answer.error.empty(), config_text(*config) + " was refused without a text");
    require(answer.error_code == DSH_INVALID_CONFIG, config_text(*config) + " was refused with the code \"" +
                                                         excerpt(answer.error_code) + "\" instead of " +
                                                         DSH_INVALID_CONFIG);
  }
}

void anything_is_survived(Subject &subject) {
  Generator &random = subject.random();
  std::vector<std::string> configs = {"",
                                      "null",
                                      "{}",
                                      "[]",
                                      "\"\"",
                                      "0",
                                      "{",
                                      "}",
                                      "nul",
                                      "\xff\xfe",
                                      nested_json(100'000),
                                      "\"" + std::string(8'000'000, 'x') + "\"",
                                      std::string(1'000'000, ' '),
                                      std::string(5, '\0')};
  for (int i = 0; i < 50; ++i) configs.push_back(random.any_json());
  for (int i = 0; i < 50; ++i) configs.push_back(random.bytes(random.below(200)));
  for (const std::string &config : subject.timely(configs)) try_config(subject, config);
}

}  // namespace

std::vector<Test> config_tests() {
  return {
      {"config.schema", "its config_schema is JSON Schema in the dialect that hosts accept", &schema_is_one},
      {"config.valid", "configs that keep its config_schema are accepted", &valid_is_accepted},
      {"config.invalid", "configs that break its config_schema are refused", &invalid_is_refused},
      {"config.refusal", "a refused config has a text and the code INVALID_CONFIG", &refusal_has_a_code},
      {"config.anything", "no config takes the host down: empty, random, huge, deep", &anything_is_survived},
  };
}

}  // namespace dsh::loader::check
