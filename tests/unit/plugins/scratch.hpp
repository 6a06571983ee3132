// A directory of its own for a test that loads libraries: nobody else may write to it.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string_view>

#include "support/temporary_directory.hpp"

namespace dsh::loader {

class Scratch {
 public:
  Scratch() : path_(std::filesystem::canonical(directory_.path())), former_umask_(::umask(022)) {}
  ~Scratch() { ::umask(former_umask_); }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  const std::filesystem::path &path() const { return path_; }

  /// Writes the file `name` (relative), with the directories that it needs.
  std::filesystem::path write(const std::filesystem::path &name, std::string_view content) const {
    directory_.write(name.string(), content);
    return path_ / name;
  }

 private:
  TemporaryDirectory directory_;
  std::filesystem::path path_;
  mode_t former_umask_;
};

}  // namespace dsh::loader
