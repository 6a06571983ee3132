// The first line of a session log: whose log it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/error.hpp"

namespace dsh::loader {

/// The format that this program writes, and the newest that it reads.
inline constexpr int written_log_format = 0;
inline constexpr int newest_log_format = 4;

/// Texts are WTF-8.
struct SessionHeader {
  std::int64_t version = written_log_format;
  std::string id;
  std::int64_t created_at = 0;  ///< milliseconds since the epoch
  std::optional<std::string> cwd;
  std::optional<std::string> parent_session;
  std::optional<std::int64_t> seed_length;
  std::optional<std::string> origin;
  std::optional<std::int64_t> delegation_depth = 0;  ///< none: an old log that lacks it
  std::optional<std::string> agent_preset;
};

/// The directory that a session belongs to, for people: in quotes, or `no cwd`.
std::string cwd_text(const std::optional<std::string> &cwd);

/// What is thrown where a log's first line is no header, or not one that a writer goes on behind.
Error no_header();

/// What is thrown where a line nests deeper than is read: it may be sound.
Error too_deep_line(std::uint64_t number);

/// What is thrown for a format that this program doesn't read.
Error unknown_format(std::string_view format);

/// Reads a header line (without its line end). Throws Error, worded as the reference words it, when it
/// is none; a header without `delegationDepth` is read, one of a newer format too.
SessionHeader parse_header_line(std::string_view line);

/// The header as a line, with its line end.
std::string header_line(const SessionHeader &header);

}  // namespace dsh::loader
