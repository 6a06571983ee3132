#include "text/diagnostics.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <string>

#include "text/error.hpp"
#include "text/listed.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

constexpr std::array<spdlog::level::level_enum, 5> spdlog_levels = {
    spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err, spdlog::level::off};

}  // namespace

Level parse_level(std::string_view word) {
  for (std::size_t i = 0; i < level_words.size(); ++i)
    if (level_words[i] == word) return static_cast<Level>(i);
  throw Error("unknown log level \"" + visible(word) + "\": " + listed(level_words, " or "));
}

struct Diagnostics::Out {
  Sink sink;
  std::unique_ptr<spdlog::logger> logger;  // a logger of ours alone: nothing goes to spdlog's registry
};

Diagnostics::Diagnostics(Level lowest) : lowest_(lowest), out_(std::make_unique<Out>()) {
  auto stderr_sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  out_->logger = std::make_unique<spdlog::logger>("dsh", std::move(stderr_sink));
  out_->logger->set_level(spdlog::level::debug);
  out_->logger->set_pattern("%l %v");
  out_->logger->flush_on(spdlog::level::debug);
}

Diagnostics::Diagnostics(Sink sink, Level lowest) : lowest_(lowest), out_(std::make_unique<Out>()) {
  out_->sink = std::move(sink);
}

Diagnostics::~Diagnostics() = default;

void Diagnostics::write(Level level, std::string_view source, std::string_view text) const noexcept {
  if (!shows(level) || level == Level::off) return;
  try {
    const std::string from = visible(source);
    const std::string line = visible(text);
    if (out_->sink)
      out_->sink(level, from, line);
    else
      out_->logger->log(spdlog_levels[static_cast<std::size_t>(level)], "{}: {}", from, line);
  } catch (...) {  // NOLINT(bugprone-empty-catch): what can't be logged is lost; the work goes on
  }
}

}  // namespace dsh::loader
