// The host's copies of what plugins register: descriptor and strings, checked once, so that nothing
// of a plugin's memory but its functions and `user` is touched later.
//
// The constructors take the plugin's struct, which may be null, shorter or longer than ours, and throw
// Error saying what is wrong with it. The copies neither move nor change; services refer to them while
// the registration stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dsh/dsh.h"

namespace dsh::loader {

/// Event types that a registration asked for; none: all.
class TypeFilter {
 public:
  /// `what` names the registration, for the Error that refuses it.
  TypeFilter(const dsh_str *types, std::size_t count, const std::string &what);

  bool takes(std::string_view type) const noexcept;
  const std::vector<std::string> &types() const noexcept { return types_; }

 private:
  std::vector<std::string> types_;
};

class ToolDescriptor {
 public:
  explicit ToolDescriptor(const dsh_tool *given);
  ToolDescriptor(const ToolDescriptor &) = delete;
  ToolDescriptor &operator=(const ToolDescriptor &) = delete;

  const dsh_tool &abi() const noexcept { return abi_; }
  const std::string &name() const noexcept { return name_; }
  const std::string &description() const noexcept { return description_; }
  const std::string &parameters() const noexcept { return parameters_; }  ///< JSON
  const std::string &output() const noexcept { return output_; }          ///< JSON, empty: none

 private:
  dsh_tool abi_;
  std::string name_;
  std::string description_;
  std::string parameters_;
  std::string output_;
};

class InvariantDescriptor {
 public:
  explicit InvariantDescriptor(const dsh_invariant *given);
  InvariantDescriptor(const InvariantDescriptor &) = delete;
  InvariantDescriptor &operator=(const InvariantDescriptor &) = delete;

  const dsh_invariant &abi() const noexcept { return abi_; }
  const std::string &owner() const noexcept { return owner_; }
  bool takes(std::string_view type) const noexcept { return filter_.takes(type); }

 private:
  dsh_invariant abi_;
  std::string owner_;
  TypeFilter filter_;
};

class UnitDescriptor {
 public:
  explicit UnitDescriptor(const dsh_unit *given);
  UnitDescriptor(const UnitDescriptor &) = delete;
  UnitDescriptor &operator=(const UnitDescriptor &) = delete;

  const dsh_unit &abi() const noexcept { return abi_; }
  const std::string &key() const noexcept { return key_; }
  const std::string &init() const noexcept { return init_; }  ///< JSON, empty: undefined
  std::uint32_t version() const noexcept { return abi_.state_version; }
  bool decisive() const noexcept { return (abi_.flags & DSH_DECISIVE) != 0; }
  bool has_view() const noexcept { return abi_.view != nullptr; }
  bool takes(std::string_view type) const noexcept { return filter_.takes(type); }
  const std::vector<std::string> &types() const noexcept { return filter_.types(); }

 private:
  dsh_unit abi_;
  std::string key_;
  std::string init_;
  TypeFilter filter_;
};

class ObserverDescriptor {
 public:
  explicit ObserverDescriptor(const dsh_observer *given);
  ObserverDescriptor(const ObserverDescriptor &) = delete;
  ObserverDescriptor &operator=(const ObserverDescriptor &) = delete;

  const dsh_observer &abi() const noexcept { return abi_; }
  bool takes(std::string_view type) const noexcept { return filter_.takes(type); }

 private:
  dsh_observer abi_;
  TypeFilter filter_;
};

}  // namespace dsh::loader
