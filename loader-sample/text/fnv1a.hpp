// A small hash whose values are the same on every machine and in every release.
#pragma once

#include <cstdint>
#include <string_view>

namespace dsh::loader {

/// FNV-1a, 64 bits; another `salt` gives other values. Not for keys that an adversary chooses.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t salt = 0) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325 ^ salt;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace dsh::loader
