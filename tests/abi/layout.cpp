// The asserts of layout.h as C++20, and what C++ alone can say of the types.
#include "layout.h"

#include <string_view>
#include <type_traits>

template <typename... T>
constexpr bool plain = ((std::is_standard_layout_v<T> && std::is_trivial_v<T>)&&...);
static_assert(
    plain<dsh_str, dsh_out, dsh_error, dsh_event, dsh_session, dsh_observer, dsh_host, dsh_call, dsh_tool,
          dsh_invariant, dsh_unit, dsh_tools, dsh_sessions, dsh_invariants, dsh_projections>);

// The signatures of a plugin's symbols, and the type that hosts call apply with.
static_assert(std::is_same_v<decltype(name), const char *const>);
static_assert(std::is_same_v<decltype(inject), const char *const[]>);
static_assert(std::is_same_v<decltype(abi_version), const std::uint32_t>);
static_assert(std::is_same_v<decltype(config_schema), const char *const>);
static_assert(std::is_same_v<decltype(&apply), dsh_apply_fn>);

static_assert(DSH_TOOLS == std::string_view("tools"));
static_assert(DSH_SESSIONS == std::string_view("sessions"));
static_assert(DSH_INVARIANTS == std::string_view("invariants"));
static_assert(DSH_PROJECTIONS == std::string_view("sessionProjections"));

// The signatures of the tables and descriptors, `const` of a `const void *` included: a comparison of
// debug information overlooks that.
#define TAKES(type, member, returned, ...) \
  static_assert(std::is_same_v<decltype(type::member), returned(DSH_CALL *)(__VA_ARGS__)>, #type "." #member)
using Each = std::int32_t(DSH_CALL *)(void *, const dsh_event *);
using Dispose = void(DSH_CALL *)(void *);
using Status = std::int32_t;
TAKES(dsh_out, write, Status, void *, const char *, std::size_t);
TAKES(dsh_error, set, void, void *, const char *, std::size_t, const char *, const char *);
TAKES(dsh_host, service, const void *, const dsh_host *, const char *);
TAKES(dsh_host, on_dispose, Status, const dsh_host *, Dispose, void *);
TAKES(dsh_host, log, void, const dsh_host *, std::int32_t, const char *, std::size_t);
TAKES(dsh_session, append, Status, const dsh_session *, const dsh_str *, const char *, std::size_t,
      std::int64_t *, const dsh_error *);
TAKES(dsh_session, read, Status, const dsh_session *, std::int64_t, Each, void *, const dsh_error *);
TAKES(dsh_observer, created, void, void *, const dsh_session *);
TAKES(dsh_observer, committed, void, void *, const dsh_session *, const dsh_event *);
TAKES(dsh_observer, disposed, void, void *, const dsh_session *);
TAKES(dsh_tool, execute, Status, void *, const dsh_call *, const dsh_out *, const dsh_out *,
      const dsh_error *);
TAKES(dsh_tool, render, Status, void *, const dsh_str *, const dsh_str *, const dsh_out *, const dsh_error *);
TAKES(dsh_tool, present, Status, void *, const dsh_str *, const dsh_out *, const dsh_error *);
TAKES(dsh_invariant, check, Status, void *, const void *, const dsh_event *, const dsh_error *);
TAKES(dsh_invariant, committed, void, void *, void *, const dsh_event *);
TAKES(dsh_unit, apply, Status, void *, const dsh_str *, const dsh_event *, const dsh_out *,
      const dsh_error *);
TAKES(dsh_unit, view, Status, void *, const dsh_str *, const dsh_out *, const dsh_error *);
TAKES(dsh_unit, restore, Status, void *, const dsh_str *, const dsh_out *, const dsh_error *);
TAKES(dsh_tools, add, Status, const dsh_host *, const dsh_tool *, const dsh_error *);
TAKES(dsh_sessions, add, Status, const dsh_host *, const dsh_observer *, const dsh_error *);
TAKES(dsh_invariants, add, Status, const dsh_host *, const dsh_invariant *, const dsh_error *);
TAKES(dsh_projections, add, Status, const dsh_host *, const dsh_unit *, const dsh_error *);

// Usable before main() runs and without running anything.
constexpr dsh_str constant = DSH_STR("todos");
static_assert(constant.size == 5);

int main() { return layout_macros() ? 0 : 1; }
