// Whether a log lies where its header says, under a name that says the same.
#pragma once

#include <optional>
#include <string>

#include "log/log_header.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// Throws Error where the name of a log tells a format that this program doesn't read.
void require_known_format(const LogFile &file);

/// Nothing where the session's directory, the last two names of the log's path, is the one that its
/// header's id and cwd give; else where it belongs.
std::optional<std::string> directory_problem(const LogFile &file, const SessionHeader &header);

/// Nothing where the name of a log tells the format that its header tells; else what disagrees.
std::optional<std::string> format_problem(const LogFile &file, const SessionHeader &header);

/// Throws Error where the log's name or its directory doesn't fit its header: what every reader asks first.
void require_place(const LogFile &file, const SessionHeader &header);

}  // namespace dsh::loader
