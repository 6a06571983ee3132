// What a host takes of a descriptor that a plugin wrote for a shorter or longer revision.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "dsh/dsh.h"

namespace dsh::loader {

#define DSH_END(type, member) (offsetof(type, member) + sizeof(type::member))

/// Where the members end that a descriptor may lack. The first is the end of the last one that it must have.
template <class Descriptor>
constexpr std::array<std::size_t, 0> member_ends{};
template <>
constexpr std::array member_ends<dsh_tool> = {DSH_END(dsh_tool, execute), DSH_END(dsh_tool, render),
                                              DSH_END(dsh_tool, present)};
template <>
constexpr std::array member_ends<dsh_invariant> = {DSH_END(dsh_invariant, check),
                                                   DSH_END(dsh_invariant, committed)};
template <>
constexpr std::array member_ends<dsh_unit> = {DSH_END(dsh_unit, apply), DSH_END(dsh_unit, view),
                                              DSH_END(dsh_unit, restore)};
template <>
constexpr std::array member_ends<dsh_observer> = {
    DSH_END(dsh_observer, type_count), DSH_END(dsh_observer, created), DSH_END(dsh_observer, committed),
    DSH_END(dsh_observer, disposed)};

#undef DSH_END

/// The bytes that a descriptor needs at least.
template <class Descriptor>
constexpr std::size_t least_size = member_ends<Descriptor>.front();

/// How many of `size` bytes a host reads: those of the members that both sides know and that lie within them
/// entirely. Half a pointer is none.
template <class Descriptor>
constexpr std::size_t known_size(std::size_t size) noexcept {
  static_assert(member_ends<Descriptor>.back() == sizeof(Descriptor), "a member is missing above");
  std::size_t known = 0;
  for (const std::size_t end : member_ends<Descriptor>)
    if (end <= size) known = end;
  return known;
}

/// The first known_size() bytes of what lies at `given`, in a descriptor whose other members are zero.
template <class Descriptor>
Descriptor known_members(const Descriptor *given, std::size_t size) noexcept {
  Descriptor known{};
  std::memcpy(&known, given, known_size<Descriptor>(size));
  return known;
}

}  // namespace dsh::loader
