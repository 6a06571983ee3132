// Random inputs from a seed: JSON that keeps a schema, JSON that doesn't, any JSON, any bytes.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "check/schema.hpp"

namespace dsh::loader::check {

/// The same seed gives the same inputs, on any machine.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  /// Below `bound`, which is not 0.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
  bool one_in(std::size_t n) { return below(n) == 0; }

  /// A JSON text that keeps `schema`. `plain` texts are what ordinary use looks like: words, no escapes.
  std::string instance(const Schema &schema, bool plain = true);
  /// A JSON text that is close to keeping it and doesn't; none: every value that was tried keeps it.
  std::optional<std::string> violation(const Schema &schema);
  /// A text close to `json`: something in it is removed, exchanged, or of another type.
  std::string mutation(std::string_view json);

  std::string any_json();
  std::string bytes(std::size_t size);
  std::string text(bool plain);

 private:
  boost::json::value make(const boost::json::value &schema, bool plain, int depth);
  boost::json::value make_any(int depth);
  boost::json::value make_of_type(std::string_view type, const boost::json::value &schema, bool plain,
                                  int depth);
  void mutate(boost::json::value &value);

  std::mt19937_64 engine_;
};

/// Nesting of `depth` arrays.
std::string nested_json(std::size_t depth);

}  // namespace dsh::loader::check
