// Measures of logs on disk. Each answers one line of JSON; throws std::exception.
#pragma once

#include <cstddef>
#include <string>

namespace dsh::bench {

/// {"ours_us","limit_us","ours_wall_us","limit_wall_us","bytes"}, medians: a call whose event is on disk
/// when it returns, and write + fdatasync of the same bytes to another file beside it, in turns. Writes
/// into `directory`, which has to be empty.
std::string measure_durable(std::size_t items, std::size_t calls, const std::string &directory);

/// {"heap_bytes","rss_bytes"}: what grows with each event of a session on disk, over all but the first
/// tenth of `calls` calls. The calls do not wait for the disk. Writes into `directory`.
std::string measure_memory(std::size_t calls, const std::string &directory);

/// {"cpu_us","lines","longest"}: reading a file in pieces and finding its line ends.
std::string measure_lines(const std::string &file);

/// {"cpu_us"}: finding, reading and drawing the plan of a stored session, once, by a host that is loaded:
/// what the command `plan` does beyond its start. Nothing of it has run before in this process.
std::string measure_plan(const std::string &root, const std::string &id);

}  // namespace dsh::bench
