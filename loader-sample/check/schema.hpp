// JSON Schema as the contract uses it: is a schema in the dialect, does a value keep it.
#pragma once

#include <boost/json/fwd.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dsh::loader::check {

/// A schema that a plugin declares.
class Schema {
 public:
  /// Throws Error: not JSON, not a schema of the contract's dialect (dsh/tools.h), and where.
  explicit Schema(std::string_view text);
  ~Schema();
  Schema(Schema &&) noexcept;
  Schema &operator=(Schema &&) noexcept;

  /// Why `value` does not keep the schema; none: it does.
  std::optional<std::string> fault(const boost::json::value &value) const;
  /// The same for a text, which may fail to be JSON.
  std::optional<std::string> fault(std::string_view json) const;

  const boost::json::value &document() const;
  /// The root says "type":"object".
  bool is_of_object() const;

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace dsh::loader::check
