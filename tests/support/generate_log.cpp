// generate-log ROOT ID MEGABYTES [SEED] [open] [packed] [one-turn]
// Writes ROOT/_no-cwd/ID/session.jsonl, a deterministic log of that size, and says what is in it.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/log_generator.hpp"

int main(int count, char **words) try {
  if (count < 4) {
    std::fprintf(stderr, "usage: generate-log ROOT ID MEGABYTES [SEED] [open] [packed] [one-turn]\n");
    return 2;
  }
  dsh::LogShape shape;
  shape.id = words[2];
  shape.bytes = static_cast<std::uint64_t>(std::stod(words[3]) * 1e6);
  for (int i = 4; i < count; ++i) {
    const std::string word = words[i];
    if (word == "open")
      shape.closed = false;
    else if (word == "packed")
      shape.packed = true;
    else if (word == "one-turn")
      shape.one_turn = true;
    else
      shape.seed = static_cast<std::uint32_t>(std::stoul(word));
  }
  const auto directory = std::filesystem::path(words[1]) / "_no-cwd" / shape.id;
  std::filesystem::create_directories(directory);
  std::ofstream file(directory / "session.jsonl", std::ios::binary | std::ios::trunc);
  dsh::LogGenerator generator(shape);
  generator.run([&file](std::string_view lines) {
    file.write(lines.data(), static_cast<std::streamsize>(lines.size()));
  });
  if (!file.flush()) throw std::runtime_error("can't write in " + directory.string());
  std::printf("%s: %lld events, %lld turns\n", (directory / "session.jsonl").c_str(),
              static_cast<long long>(generator.events()), static_cast<long long>(generator.turns()));
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "generate-log: %s\n", error.what());
  return 2;
}
