// Names that nobody else gives.
#pragma once

#include <string>

namespace dsh::loader {

/// A random UUID (version 4), in lower case. Any thread.
std::string random_uuid();

}  // namespace dsh::loader
