// An error that tells people more than programs.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "text/error.hpp"

namespace dsh::loader {

/// An error whose text programs compare: `advice`, what to do about it, stands behind it for people alone.
class AdvisedError : public Error {
 public:
  AdvisedError(const std::string &text, std::string advice, std::string name = {}, std::string code = {})
      : Error(text, std::move(name), std::move(code)), advice_(std::move(advice)) {}

  const std::string &advice() const noexcept { return advice_; }

 private:
  std::string advice_;
};

/// The advice of whatever was thrown, empty where there is none.
inline std::string advice_of(const std::exception &error) {
  const auto *const advised = dynamic_cast<const AdvisedError *>(&error);
  return advised == nullptr ? std::string() : advised->advice();
}

}  // namespace dsh::loader
