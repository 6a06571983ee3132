// The plugin's config: one flag, required, no default.
#pragma once

#include <string_view>

namespace dsh::todo {

struct Config {
  /// True: any number of items may be in progress. False: one at most.
  bool allow_parallel_in_progress;
};

/// Reads the config of a composition's entry, as JSON (`null` where there is none). Unknown keys pass.
/// Throws Refusal with the reference's own words:
///   invalid config:
///     - $.allowParallelInProgress expected boolean but got yes (at allowParallelInProgress)
Config read_config(std::string_view json);

/// The JSON Schema of the config, for settings pages.
inline constexpr char config_schema_text[] =
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Todo list tool","type":"object",)"
    R"("properties":{"allowParallelInProgress":{"type":"boolean","description":"true: the model may have )"
    R"(several items in progress at once. false: a list with more than one item in progress is refused."}},)"
    R"("required":["allowParallelInProgress"]})";

}  // namespace dsh::todo
