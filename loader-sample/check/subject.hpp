// The plugin under test, as one test sees it: in the test's own process, opened when it is first asked for.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/generator.hpp"
#include "check/isolated.hpp"
#include "check/rig.hpp"
#include "check/timely.hpp"
#include "plugins/plugin_library.hpp"

namespace dsh::loader::check {

/// What is tested and how, the same for all tests of a run.
struct Target {
  std::filesystem::path library;
  std::vector<std::string> configs;  ///< to apply it with; empty: made from its config_schema
  std::set<std::string> without;     ///< services that the checking host never has
  std::chrono::milliseconds limit;   ///< after which a test is ended
};

class Subject {
 public:
  Subject(const Target &target, std::uint64_t seed, Place place);

  const std::filesystem::path &path() const noexcept { return target_.library; }
  /// Opens the library. Throws Error with the loader's words.
  const PluginLibrary &library();
  /// Lets go of the library; true: it is no longer mapped.
  bool unmap();

  /// None: the plugin exports none. Throws Error where it is no schema.
  std::optional<Schema> config_schema();
  /// Configs that the plugin accepts, different ones, at least one; a test that needs one is skipped where
  /// there is none, for another reports that.
  const std::vector<std::string> &configs();
  /// Configs to try: those given, else made from the schema, else `null` and `{}`.
  std::vector<std::string> candidates();

  /// What every rig of the test starts from.
  RigOptions options() const;
  /// An applied instance. Throws Finding where that fails.
  std::unique_ptr<Rig> applied(const std::string &config, RigOptions options);
  std::unique_ptr<Rig> applied() { return applied(configs().front(), options()); }

  /// Is there time to call a plugin that takes its own? Tests that make many calls ask before each round: who
  /// is slow is tested less, and not ended.
  bool has_time() const noexcept { return std::chrono::steady_clock::now() < half_; }
  /// As much of `range` as there is time for, and its first element.
  template <class Range>
  auto timely(const Range &range) const {
    return Timely(std::data(range), std::size(range), half_);
  }

  Generator &random() noexcept { return random_; }
  const Target &target() const noexcept { return target_; }

  /// Says what is about to happen, in case the plugin doesn't come back.
  void step(std::string_view what) const { place_.step(what); }
  /// What was printed to `descriptor` (1 or 2) so far.
  std::string printed(int descriptor) const { return place_.printed(descriptor); }

 private:
  const Target &target_;
  Place place_;
  const std::chrono::steady_clock::time_point half_;  // of the test's time has passed then
  Generator random_;
  PluginLibraries libraries_;
  std::shared_ptr<const PluginLibrary> library_;
  std::vector<std::string> configs_;
};

/// At most 100 bytes of foreign text, in whole characters, on one line.
std::string excerpt(std::string_view text);

/// Fails the test unless `answer` is one that the contract knows, a success or a failure with a text, and
/// what was handed to the host on the way was sound.
enum class MayBe { plain, none, violated };
void require_sound(const Answer &answer, const std::string &what, MayBe may_be = MayBe::plain);

/// Fails the test where the plugin has been seen at a misdeed of this kind, with what is known of it.
void require_none(Misdeed kind, const Rig &rig);

/// `<before> became <now>`, both from shortly before where they differ.
std::string difference(const std::string &before, const std::string &now);

/// `execute of todo_write with {"todos":[]}`
std::string call_text(const ToolCopy &tool, std::string_view arguments);

/// What one call of a tool came to, and what the pure functions made of it; none: they were not called.
struct ToolUse {
  Answer executed;
  std::optional<Answer> rendered, presented;
};

/// What an instance did while it was used.
struct Use {
  std::vector<ToolUse> calls;
  std::vector<LoggedEvent> log;
  std::vector<std::string> states;  ///< of its units, after that log
};

/// Uses an applied instance as an ordinary host would: calls every tool with arguments that keep its schema
/// and some that don't, shows and renders, folds, views. Judges nothing. Two equal generators give the same
/// input.
Use use(Subject &subject, Rig &rig, Generator &random);

/// How long a log may be before an event: from none to beyond what 32 bits count.
constexpr std::array<std::int64_t, 4> long_logs = {0, std::int64_t{1} << 20U, std::int64_t{1} << 31U,
                                                   std::int64_t{1} << 40U};

/// Events to show to rules and units: those that the plugin's own tools append, close relatives of them,
/// any JSON, one of each type that is listened to.
std::vector<LoggedEvent> sample_events(Subject &subject, Rig &rig, std::size_t count);

}  // namespace dsh::loader::check
