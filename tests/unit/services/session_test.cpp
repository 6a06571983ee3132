// A session's handle when memory runs out: the plugin hears of it, and the host lives.
#include "services/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fixture.hpp"
#include "support/failing_memory.hpp"

namespace dsh::loader {
namespace {

using namespace testing_support;
using dsh::test::FailingMemory;
using dsh::test::Shortage;
using testing::AnyOf;
using testing::Each;

/// A sink that needs no memory of its own.
const dsh_error silent{nullptr,
                       [](void *, const char *, std::size_t, const char *, const char *) noexcept {}};

/// What `call` returns with its first allocation failing, then its second, and so on until it meets no
/// failure any more; that last one is left out, it has to be `expected`.
template <typename Call>
std::vector<std::int32_t> starved(Shortage shortage, std::int32_t expected, const Call &call) {
  std::vector<std::int32_t> statuses;
  for (int passing = 0;; ++passing) {
    std::int32_t status = DSH_OK;
    bool met = false;
    {
      const FailingMemory memory(passing, shortage);
      status = call();
      met = memory.met();
    }
    if (!met) {
      EXPECT_EQ(status, expected);
      EXPECT_FALSE(statuses.empty());
      return statuses;
    }
    statuses.push_back(status);
  }
}

struct SessionMemoryTest : Fixture, testing::WithParamInterface<Shortage> {
  std::int32_t append_through(const dsh_str &type) const {
    constexpr std::string_view spaced = R"({ "text" : "longer than a string keeps in itself" })";
    return handle->append(handle, &type, spaced.data(), spaced.size(), nullptr, &silent);
  }

  std::shared_ptr<Session> session = create();
  const dsh_session *const handle = session->handle();
};

TEST_P(SessionMemoryTest, an_append_fails_for_want_of_memory_or_is_committed) {
  const dsh_unit keeping = unit([](void *, const dsh_str *, const dsh_event *event, const dsh_out *next,
                                   const dsh_error *) -> std::int32_t {
    return next->write(next->ctx, event->data.data, event->data.size);
  });
  const UnitDescriptor keeper(&keeping);
  dsh_observer watching = observer();
  watching.committed = [](void *, const dsh_session *, const dsh_event *event) {
    const std::string copy(event->data.data, event->data.size);  // an observer that throws
    EXPECT_FALSE(copy.empty());
  };
  const ObserverDescriptor watcher(&watching);
  add(keeper);
  add(watcher);
  const dsh_str type = DSH_STR("a/b");
  {
    const Session::Hold hold(*session);
    const auto statuses = starved(GetParam(), DSH_OK, [&] { return append_through(type); });
    EXPECT_THAT(statuses, Each(AnyOf(DSH_OK, DSH_NO_MEMORY)));
    EXPECT_THAT(statuses, testing::Contains(DSH_NO_MEMORY));
    EXPECT_EQ(session->size(), 1 + std::count(statuses.begin(), statuses.end(), DSH_OK));
  }
  remove(watcher);
  remove(keeper);
}

TEST_P(SessionMemoryTest, a_refused_append_fails_for_want_of_memory_or_is_refused) {
  const dsh_str type = DSH_STR("no UTF-8, and longer than a string keeps in itself: \xff");
  const Session::Hold hold(*session);
  const auto statuses = starved(GetParam(), DSH_ERROR, [&] { return append_through(type); });
  EXPECT_THAT(statuses, Each(DSH_NO_MEMORY));
  EXPECT_EQ(session->size(), 0);
}

TEST_P(SessionMemoryTest, a_read_fails_for_want_of_memory_or_is_refused) {
  const Session::Hold hold(*session);
  const auto statuses =
      starved(GetParam(), DSH_ERROR, [&] { return handle->read(handle, 0, nullptr, nullptr, &silent); });
  EXPECT_THAT(statuses, Each(DSH_NO_MEMORY));
}

INSTANTIATE_TEST_SUITE_P(Memory, SessionMemoryTest, testing::Values(Shortage::once, Shortage::lasting),
                         [](const auto &shortage) {
                           return shortage.param == Shortage::once ? "short_once" : "short_for_good";
                         });

}  // namespace
}  // namespace dsh::loader
