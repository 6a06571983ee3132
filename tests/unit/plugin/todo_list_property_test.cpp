// The list's functions against the rules written down once more (plain_rules.hpp), over random values in
// random spellings. Seeds are fixed; a failure prints its seed and text.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "copied_lists.hpp"
#include "plain_rules.hpp"
#include "random_json.hpp"
#include "refusal.hpp"
#include "todo_list.hpp"

namespace dsh::todo {
namespace {

using test::CallOutcome;
using test::logged_list;
using test::Node;
using test::RandomJson;
using test::standing_list;

constexpr std::uint32_t first_seed = 20260200;
constexpr int rounds = 3000;

CallOutcome call(const std::string &arguments, bool allow_parallel) {
  try {
    return {true, false, read_call(arguments, allow_parallel).data};
  } catch (const SchemaRefusal &refusal) {
    return {false, true, refusal.text()};
  } catch (const Refusal &refusal) {
    return {false, false, refusal.text()};
  }
}

/// Runs `body(random)` for many seeds, with few faults and with many.
template <class Body>
void for_random(Body &&body) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint32_t seed = first_seed + static_cast<std::uint32_t>(round);
    RandomJson random(seed);
    random.fault_percent = round % 3 == 0 ? 25 : round % 3 == 1 ? 4 : 0;
    random.lossy_numbers = round % 2 == 0;
    SCOPED_TRACE("seed " + std::to_string(seed));
    body(random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RandomCalls, come_to_what_the_rules_say) {
  for_random([](RandomJson &random) {
    const Node root = random.root();
    const bool allow_parallel = random.chance(50);
    const std::string arguments = random.spell(root, random.chance(30));
    SCOPED_TRACE(arguments);
    const CallOutcome expected = call_outcome(root, allow_parallel);
    const CallOutcome actual = call(arguments, allow_parallel);
    EXPECT_EQ(actual.text, expected.text);
    EXPECT_EQ(actual, expected);
  });
}

TEST(RandomCalls, come_to_the_same_however_they_are_spelt) {
  for_random([](RandomJson &random) {
    const Node root = random.root();
    EXPECT_EQ(call(random.spell(root, false), true), call(random.spell(root, true), true));
  });
}

TEST(RandomCalls, what_was_accepted_is_sound_and_accepted_again_byte_by_byte) {
  for_random([](RandomJson &random) {
    const CallOutcome outcome = call(random.spell(random.root(), false), true);
    if (!outcome.accepted) return;
    SCOPED_TRACE(outcome.text);
    EXPECT_EQ(call(outcome.text, true), outcome);
    EXPECT_EQ(find_fault(outcome.text), std::nullopt);
    const std::string list = logged_list(outcome.text);
    EXPECT_EQ(R"({"todos":)" + list + "}", outcome.text);
    EXPECT_EQ(standing_list(list), list);
  });
}

TEST(RandomCalls, the_sent_list_is_what_the_schema_lets_pass) {
  for_random([](RandomJson &random) {
    const Node root = random.root();
    const std::string arguments = random.spell(root, false);
    SCOPED_TRACE(arguments);
    const Node sent = resolved(root);
    const auto list = read_sent_list(arguments);
    if (schema_violations(sent).empty())
      EXPECT_EQ(list, stringify(*member(sent, u"todos")));
    else
      EXPECT_EQ(list, std::nullopt);
  });
}

TEST(RandomLogs, faults_are_those_of_the_rules) {
  for_random([](RandomJson &random) {
    const Node root = random.root();
    const std::string data = random.spell(root, random.chance(60));
    SCOPED_TRACE(data);
    EXPECT_EQ(find_fault(data), fault_outcome(root));
  });
}

TEST(RandomLogs, states_keep_everything_and_views_keep_what_readers_need) {
  for_random([](RandomJson &random) {
    const Node root = random.root();
    const std::string data = random.spell(root, random.chance(60));
    SCOPED_TRACE(data);
    const Node logged = resolved(root);
    const Node *todos = member(logged, u"todos");
    const std::string state = logged_list(data);
    EXPECT_EQ(state, todos == nullptr ? "" : stringify(*todos));
    const auto expected = todos == nullptr ? std::nullopt : view_outcome(*todos);
    if (expected)
      EXPECT_EQ(standing_list(state), *expected);
    else
      EXPECT_THROW(standing_list(state), Refusal);
  });
}

TEST(RandomTexts, damage_never_does_more_than_a_refusal) {
  for_random([](RandomJson &random) {
    const std::string text = random.damaged(random.spell(random.root(), random.chance(50)));
    SCOPED_TRACE(text);
    const CallOutcome outcome = call(text, true);
    if (outcome.accepted) {
      EXPECT_EQ(call(outcome.text, true), outcome);
    }
    for (auto *read :
         {+[](std::string_view t) { (void)find_fault(t); }, +[](std::string_view t) { logged_list(t); },
          +[](std::string_view t) { standing_list(t); }, +[](std::string_view t) { (void)read_sent_list(t); },
          +[](std::string_view t) { (void)read_counts(t); }}) {
      try {
        read(text);
      } catch (const Refusal &refusal) {
        EXPECT_FALSE(refusal.text().empty());
      }
    }
  });
}

}  // namespace
}  // namespace dsh::todo
