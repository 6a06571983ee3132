// A directory of its own for a test, gone with it.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dsh::loader {

class Scratch {
 public:
  Scratch() {
    ::umask(022);
    std::string name = (std::filesystem::temp_directory_path() / "dsh-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("no directory for the test");
    }
    path_ = std::filesystem::canonical(name);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path &path() const { return path_; }

  /// Writes the file `name` (relative), with the directories that it needs.
  std::filesystem::path write(const std::filesystem::path &name, std::string_view content) const {
    const auto path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace dsh::loader
