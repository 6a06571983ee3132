// What a call of the sample host's parts fails with.
#pragma once

#include <string>

#include "text/error.hpp"

namespace dsh::loader {

/// The text of the Error that `call` throws; empty where it throws none.
template <typename Call>
std::string error_of(Call &&call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  }
  return {};
}

}  // namespace dsh::loader
